import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BomThread, type ReadyBom } from './bom-thread.ts';

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

test('a bill of more members and items than any real one is refused before it is parsed', async () => {
  await using thread = new BomThread();
  const bytes = Buffer.from(`{"quantity":1,"bom":{"parts":[${'1,'.repeat(4_000_000)}1]}}`);
  const refused = await thread.prepare({ type: 'json', bytes }, MOMENT, 'a');
  assert.partialDeepStrictEqual(refused, { faults: [{ pointer: '#', code: 'too_many_values' }] });
});
