import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, inspect } from 'node:util';
import { Secret } from './secret.ts';

const MARKER = 'marker-7f3a-passphrase';
const secret = new Secret(MARKER);
/** What a careless caller would make of it. */
const asText = secret as unknown as string;

test('reveal gives the value, and only reveal', () => {
  assert.equal(secret.reveal(), MARKER);
});

const SHOWN: Readonly<Record<string, () => string>> = {
  'JSON.stringify': () => JSON.stringify({ nested: [secret] }),
  String: () => String(secret),
  'a template': () => `<${asText}>`,
  'joining an array': () => [secret, secret].join(),
  'util.inspect': () => inspect(secret, { showHidden: true, depth: 9, getters: true }),
  'util.inspect of what holds it': () => inspect({ deep: { secret } }, { showHidden: true, depth: 9 }),
  'util.format': () => format('%s %o %O %j', secret, secret, secret, secret),
  'the message of an error': () => inspect(new Error(`refused ${asText}`, { cause: { secret } })),
  'its own and inherited properties': () =>
    JSON.stringify([Object.entries(secret), Object.getOwnPropertyNames(secret)]),
  'a structured clone': () => JSON.stringify(structuredClone(secret)),
};

for (const [way, show] of Object.entries(SHOWN)) {
  test(`a secret is not shown by ${way}`, () => assert.doesNotMatch(show(), new RegExp(MARKER)));
}
