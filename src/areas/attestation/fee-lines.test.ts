import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { type FeeLine, feeCsv } from './fee-lines.ts';

const HEADER = 'owner,attestation_id,schema_id,sealed_at,fee_eurocents,fee_status';
const line = (of: Partial<FeeLine>): FeeLine => ({
  owner: 'agt_1',
  attestationId: 'ATT-A',
  schemaId: 'record.integrity.v1',
  sealedAtMs: Date.UTC(2026, 10, 15),
  feeEurocents: 25,
  feeStatus: 'invoiced_separately',
  ...of,
});
const rows = (csv: string) => csv.trimEnd().split('\r\n');

test('without fees there is a header and nothing else', () => {
  assert.equal(feeCsv([]), `${HEADER}\r\n`);
});

test('each owner gets a total, and 1 percent of it rounded up once', () => {
  const lines = [line({}), line({}), line({}), line({ owner: 'agt_2', feeEurocents: 200 })];
  assert.deepEqual(rows(feeCsv(lines)), [
    HEADER,
    ...Array.from(
      { length: 3 },
      () => 'agt_1,ATT-A,record.integrity.v1,2026-11-15T00:00:00.000Z,25,invoiced_separately',
    ),
    'agt_1,total,,,75,platform_fee_eurocents=1',
    'agt_2,ATT-A,record.integrity.v1,2026-11-15T00:00:00.000Z,200,invoiced_separately',
    'agt_2,total,,,200,platform_fee_eurocents=2',
  ]);
});

test('what nobody can be invoiced for is listed and not invoiced', () => {
  assert.equal(rows(feeCsv([line({ owner: 'anonymous' })])).at(-1), 'anonymous,total,,,25,not_invoiced');
});

test('a fee that was paid is listed and not on the invoice', () => {
  const csv = feeCsv([line({ feeStatus: 'paid' }), line({ feeEurocents: 101 })]);
  assert.match(csv, /,25,paid\r\n/);
  assert.equal(rows(csv).at(-1), 'agt_1,total,,,101,platform_fee_eurocents=2');
});

test('a cell with a separator is quoted', () => {
  assert.equal(rows(feeCsv([line({ owner: 'a,"b"' })])).at(-1), '"a,""b""",total,,,25,platform_fee_eurocents=1');
});

test('the platform fee is never below 1 percent and less than a cent above it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100_000), { minLength: 1 }), (fees) => {
      const last = rows(feeCsv(fees.map((feeEurocents) => line({ feeEurocents })))).at(-1) ?? '';
      const [, total, platform] = /,(\d+),platform_fee_eurocents=(\d+)$/.exec(last) ?? [];
      const sum = fees.reduce((a, b) => a + b, 0);
      return Number(total) === sum && Number(platform) * 100 >= sum && Number(platform) * 100 < sum + 100;
    }),
  );
});
