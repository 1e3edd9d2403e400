import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HealthComponent } from './component-board.ts';
import { healthOf } from './health.ts';

const part = (id: string, change: Partial<HealthComponent> = {}): HealthComponent => ({
  id,
  required: false,
  status: 'up',
  detail: null,
  lastCheckMs: 1,
  latencyMs: null,
  sinceMs: 1,
  ...change,
});
const storage = (change: Partial<HealthComponent> = {}) => part('storage', { required: true, ...change });
const settlement = (change: Partial<HealthComponent>) => part('settlement', change);

for (const [what, components, expected] of [
  ['every part is up', [storage(), part('mail')], { status: 'ok', detail: null }],
  ['a part is switched off', [storage(), part('mail', { status: 'not_configured', detail: 'off' })], 'ok'],
  [
    'a part that is not needed was not asked yet',
    [storage(), part('mcp', { status: 'degraded', lastCheckMs: null })],
    'ok',
  ],
  ['a needed part was not asked yet', [storage({ status: 'degraded', lastCheckMs: null })], 'degraded'],
  ['a needed part is degraded', [storage({ status: 'degraded', detail: 'slow' })], 'degraded'],
  [
    'a part that is not needed is down',
    [storage(), settlement({ status: 'down', detail: 'The chain does not respond.' })],
    { status: 'degraded', detail: 'settlement: The chain does not respond.' },
  ],
  ['a part was down before it was ever asked', [settlement({ status: 'down', lastCheckMs: null })], 'degraded'],
  [
    'a needed part is down beside another',
    [storage({ status: 'down' }), settlement({ status: 'down', detail: 'why' })],
    { status: 'down', detail: 'storage: down.' },
  ],
] as const) {
  const { status } = typeof expected === 'string' ? { status: expected } : expected;
  test(`the whole is ${status} when ${what}`, () => {
    const found = healthOf(components);
    assert.equal(found.status, status);
    if (typeof expected !== 'string') assert.deepEqual(found, expected);
  });
}
