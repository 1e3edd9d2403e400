import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { SealCount } from '#log/seal-count.ts';
import { documentTest } from '../../support/documents.ts';
import { sharedService } from '../../support/shared-service.ts';

const PRICES = [
  ['/v1/counterparty-check', '0.03', '30000'],
  ['/v1/sanctions-screen', '0.01', '10000'],
  ['/v1/nl-vehicle-check', '0.01', '10000'],
  ['/v1/eu-vat-check', '0.002', '2000'],
  ['/v1/uk-company-check', '0.005', '5000'],
  ['/v1/uk-vehicle-mot-check', '0.005', '5000'],
  ['/v1/agent-budget-audit', '0.05', '50000'],
  ['/v1/spend-fuse', '0.002', '2000'],
  ['/v1/agent-coordination-audit', '0.05', '50000'],
];

documentTest('economy_manifest', async (service, _statuses, answer) => {
  const { verdicts, payment } = answer.json as { verdicts: Record<string, string>[]; payment: Record<string, unknown> };
  assert.deepEqual(
    verdicts.map((row) => [row['path'], row['price_usdc'], row['price_atomic']]),
    PRICES,
  );
  const { json: challenge } = await service.call('/v1/eu-vat-check');
  const [accepted] = challenge['accepts'] as [Record<string, unknown>];
  assert.deepEqual([payment['pay_to'], payment['asset']], [accepted['payTo'], accepted['asset']]);
  assert.deepEqual(payment['eip712'], accepted['extra']);
  assert.equal(answer.headers['cache-control'], 'public, max-age=60');
  let live: Record<string, unknown> | null = null;
  while (live === null) {
    await setTimeout(20);
    live = (await service.call('/economy/manifest')).json['live'] as Record<string, unknown> | null;
  }
  assert.partialDeepStrictEqual(live, { paid_calls_total: 0, settled_usdc_total: '0', refunds_due: 0 });
  assert.ok(Number(live['seals_total']) >= 1, 'entry 0 is a seal');
});

test('rejections are counted by their verdict, whatever a statement says', async () => {
  const service = await sharedService();
  const seal = async (statement: string) => {
    const body = { schema_id: 'record.integrity.v1', claim: { statement } };
    return (await service.call('/api/attest/seal', { method: 'POST', body })).json as { seq: number; verdict: string };
  };
  const first = await seal('"verdict":"REJECT"');
  const last = await seal('');
  assert.deepEqual([first.verdict, last.verdict], ['ACCEPT', 'REJECT']);
  const counted = async (size: number) => new SealCount(service.service.store).countUpTo(size, 0);
  const [before, after] = [await counted(first.seq), await counted(last.seq + 1)];
  assert.deepEqual([after.seals - before.seals, after.rejects - before.rejects], [2, 1]);
  const onceMore = new SealCount(service.service.store);
  await onceMore.countUpTo(first.seq, 0);
  assert.deepEqual(await onceMore.countUpTo(last.seq + 1, 0), after);
});
