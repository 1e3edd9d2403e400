import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { systemClock } from '#kernel/clock.ts';
import { KeyRing } from '#platform/keys/key-ring.ts';
import { startTlsServer } from '#platform/outbound/_loopback.ts';
import { GuardedClient } from '#platform/outbound/guarded-client.ts';
import { signedHeaders } from '#protocol/http-signature/signing.ts';
import { openStore } from '../../../test/support/engines.ts';
import { ed25519Judge, judged } from '../../../test/support/http-signature-judges.ts';
import { startNameServer } from '../../../test/support/name-server.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { OwnDirectory } from './own-directory.ts';

const HOST = 'shop.avouch-test.nl';

test('a request to an address that a caller named is signed by a key of our directory, as both judges see it', async () => {
  await using opened = await openStore('sqlite');
  const directory = await temporaryDirectory();
  const clock = systemClock();
  const keyRing = await KeyRing.open({ store: opened.store, directory, passphrase: undefined });
  const own = new OwnDirectory({ keyRing, clock, baseUrl: () => 'https://api.avouch-test.nl' });
  const seen: IncomingHttpHeaders[] = [];
  await using server = await startTlsServer(HOST, (request, response) => {
    seen.push(request.headers);
    response.end('{}');
  });
  await using names = await startNameServer(() => ['127.0.0.2']);
  const client = new GuardedClient({
    userAgent: 'test',
    monotonicMs: () => clock.monotonicMs(),
    sign: (url) => signedHeaders({ method: 'GET', url }, own.signer(), { nowMs: clock.now(), seconds: 60 }),
    testing: { isPublic: () => true, port: server.port, ca: server.ca, nameServers: [names.address] },
  });
  const url = `https://${HOST}/price?of=a`;
  assert.equal((await client.get(url)).state, 'answered');
  const [jwk] = own.current().document.keys;
  assert.ok(jwk !== undefined);
  const judge = ed25519Judge(jwk.kid, createPublicKey({ key: jwk, format: 'jwk' }));
  const headers = seen[0] as Record<string, string>;
  assert.deepEqual(await judged({ method: 'GET', url, headers }, judge), [true, true]);
  assert.deepEqual(await judged({ method: 'GET', url: `${url}&x`, headers }, judge), [false, false]);
  assert.equal(headers['signature-agent'], 'avouch="https://api.avouch-test.nl"');
  await rm(directory, { recursive: true });
});
