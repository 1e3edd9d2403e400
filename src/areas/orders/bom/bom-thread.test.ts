import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { StorageError, type Store } from '#platform/storage/store.ts';
import { READ_HERE_LINES } from './bom.ts';
import { BomBody } from './bom-fields.ts';
import type { CalculateInput } from './bom-operations.ts';
import { BomThread, type ReadyBom } from './bom-thread.ts';
import { BomWork, Calculations } from './calculations.ts';

const BILL = { quantity: 1, catalogue: ['inline'], bom: { root: 'P', parts: [{ id: 'P', mpn: 'P-1' }] } };
const MOMENT = { nowMs: 0, serviceRates: new Map() };

test('an agent has two large bills under way at most, and takes no place of another', async () => {
  await using thread = new BomThread();
  const prepare = async (agentId: string, body: object = BILL) =>
    thread.prepare({ type: 'json', bytes: Buffer.from(JSON.stringify(body)) }, MOMENT, agentId);
  const [first] = await Promise.all([prepare('a'), prepare('a')]);
  assert.equal(await prepare('a'), null);
  const others = await Promise.all(['b', 'b', 'c', 'c', 'd', 'd'].map((agentId) => prepare(agentId)));
  assert.ok(others.every((ready) => ready !== null && 'mpns' in ready));
  assert.equal(await prepare('e'), null, 'eight are under way');
  (first as ReadyBom).drop();
  assert.notEqual(await prepare('e'), null);
});

test('a large bill that cannot be begun gives its place back', async () => {
  await using thread = new BomThread();
  const clock = new ManualClock();
  const authenticate = async () => ({ agentId: 'a', keyId: 'key_1', name: 'a', scopes: [] });
  const calculations = new Calculations({
    store: { runAll: () => Promise.reject(new StorageError('unavailable', 'away')) } as unknown as Store,
    clock,
    authenticate,
    recognise: authenticate,
    work: new BomWork({ clock, thread, rates: new Map(), offers: { find: () => assert.fail('nothing was paid') } }),
    receipt: () => assert.fail('nothing was done'),
    sandbox: true,
  });
  for (let turn = 0; turn < 3; turn += 1) {
    const input = { document: Buffer.from(JSON.stringify(BILL)), bom: {}, agent_key: 'agk_x' };
    await assert.rejects(calculations.calculate(input as unknown as CalculateInput), { kind: 'unavailable' });
  }
});

test('a small bill in CSV takes no place of large ones, however many are under way', async () => {
  await using thread = new BomThread();
  const terms = BomBody.parse({ ...BILL, bom: {} });
  const prepare = async (lines: number) => {
    const bytes = Buffer.from(`part,qty\n${Array.from({ length: lines }, (_, at) => `P${at},1`).join('\n')}`);
    return thread.prepare({ type: 'csv', bytes, terms }, MOMENT, 'a');
  };
  const many = READ_HERE_LINES + 1;
  const small = await Promise.all([1, 2, 3].map((lines) => prepare(lines)));
  const large = await Promise.all([prepare(many), prepare(many)]);
  assert.ok((await prepare(many)) === null, 'two large ones are under way');
  small.push(await prepare(1));
  const partsOf = (ready: ReadyBom | object | null) => (ready !== null && 'mpns' in ready ? ready.mpns.length : ready);
  assert.deepEqual(small.map(partsOf), [1, 2, 3, 1]);
  assert.deepEqual(large.map(partsOf), [many, many]);
});

test('a bill of more members and items than any real one is refused before it is parsed', async () => {
  await using thread = new BomThread();
  const bytes = Buffer.from(`{"quantity":1,"bom":{"parts":[${'1,'.repeat(4_000_000)}1]}}`);
  const refused = await thread.prepare({ type: 'json', bytes }, MOMENT, 'a');
  assert.partialDeepStrictEqual(refused, { faults: [{ pointer: '#', code: 'too_many_values' }] });
});
