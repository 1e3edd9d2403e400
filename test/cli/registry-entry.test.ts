import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { VERSION } from '#platform/version.ts';
import { registryEntry } from '../../scripts/release/registry-entry.ts';
import { MCP_PLACES } from '../../src/transport/mcp/endpoints.ts';

const NAME = 'com.example/avouch';
const BASE_URL = 'https://avouch.example.com';

/** What the registry's schema 2025-12-11 requires of the members that we write; it allows others, we write none. */
const RULES = {
  type: 'object',
  required: ['$schema', 'name', 'title', 'description', 'version', 'remotes'],
  additionalProperties: false,
  properties: {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[A-Za-z0-9.-]+/[A-Za-z0-9._-]+$' },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    remotes: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type', 'url'],
        additionalProperties: false,
        properties: { type: { const: 'streamable-http' }, url: { type: 'string', pattern: '^https://\\S+$' } },
      },
    },
  },
};

suite('server.json', () => {
  test('has what the MCP registry requires, the version of this release, and addresses that are served', () => {
    const entry = JSON.parse(registryEntry({ mcpName: NAME, baseUrl: `${BASE_URL}/` }) ?? '') as {
      version: string;
      remotes: { url: string }[];
    };
    const isValid = new Ajv2020({ allErrors: true }).compile(RULES);
    assert.ok(isValid(entry), JSON.stringify(isValid.errors));
    assert.equal(entry.version, VERSION);
    const paths = entry.remotes.map(({ url }) => url.slice(BASE_URL.length));
    assert.deepEqual(paths, ['/mcp/streamable', '/mcp/paid']);
    const served = MCP_PLACES.filter(({ transport }) => transport === 'streamable-http').map(({ path }) => path);
    assert.deepEqual(new Set(paths).difference(new Set(served)), new Set());
  });

  test('is left out without a name and an address, and needs both', () => {
    assert.equal(registryEntry({}), null);
    assert.throws(() => registryEntry({ mcpName: NAME }), /belong together/);
    assert.throws(() => registryEntry({ baseUrl: BASE_URL }), /belong together/);
  });

  const NAMES = ['', 'avouch', 'example/avouch', 'com.example/', '/avouch', 'com.example/a/b', 'com..example/a'];
  for (const mcpName of [...NAMES, '.com.example/a', 'com.example/-a', 'com.ex ample/a', `com.${'a'.repeat(196)}/a`]) {
    test(`is refused with the name ${mcpName.slice(0, 20)}`, () => {
      assert.throws(() => registryEntry({ mcpName, baseUrl: BASE_URL }), /--mcp-name must look like/);
    });
  }

  const FORMS = ['', 'avouch.example.com', 'http://avouch.example.com', `${BASE_URL}/x`, 'https://u:p@avouch.example'];
  const PRIVATE = [
    'localhost',
    '127.0.0.1',
    '0x7f.1',
    '[::1]',
    '10.0.0.1',
    'avouch',
    'a.localhost',
    'avouch.localhost.',
  ];
  const SANDBOX = ['sandbox.avouch.example', 'api.sandbox.avouch.example', 'sandbox.invalid', 'avouch.test'];
  const REFUSED: readonly (readonly [addresses: readonly string[], reason: RegExp])[] = [
    [FORMS, /--base-url must look like/],
    [[...PRIVATE, ...SANDBOX].map((host) => `https://${host}`), /must be the public address/],
  ];
  for (const [addresses, reason] of REFUSED) {
    for (const baseUrl of addresses) {
      test(`is refused with the address ${baseUrl}`, () => {
        assert.throws(() => registryEntry({ mcpName: NAME, baseUrl }), reason);
      });
    }
  }
});
