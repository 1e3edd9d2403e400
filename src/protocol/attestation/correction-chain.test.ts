import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walkChain } from './correction-chain.ts';

const upTo = (last: number) => async (id: string) => (Number(id) < last ? String(Number(id) + 1) : undefined);

test('a chain is walked to its end', async () => {
  assert.deepEqual(await walkChain('0', upTo(0)), { ids: ['0'], isCut: false });
  assert.deepEqual(await walkChain('0', upTo(3)), { ids: ['0', '1', '2', '3'], isCut: false });
});

test('a walk stops after 32 steps and says so', async () => {
  const whole = await walkChain('0', upTo(32));
  assert.deepEqual([whole.ids.length, whole.ids.at(-1), whole.isCut], [33, '32', false]);
  const cut = await walkChain('0', upTo(33));
  assert.deepEqual([cut.ids.length, cut.ids.at(-1), cut.isCut], [33, '32', true]);
});

test('a chain that comes back to itself ends there', async () => {
  const circle = async (id: string) => String((Number(id) + 1) % 3);
  assert.deepEqual(await walkChain('0', circle), { ids: ['0', '1', '2'], isCut: true });
});
