import assert from 'node:assert/strict';
import { createPublicKey, hash, verify } from 'node:crypto';
import { after, test } from 'node:test';
import { component, verifySignature } from 'http-message-sig';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('signature_directory');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/.well-known/http-message-signatures-directory';

test('the directory has our keys, and a judge accepts the signature of each for our address', async () => {
  const service = await sharedService();
  const { headers, text, json } = statuses.saw(await service.call(PATH));
  assert.equal(headers['content-type'], 'application/http-message-signatures-directory+json');
  assert.match(String(headers['cache-control']), /max-age=3600/);
  assert.equal(headers['content-digest'], `sha-256=:${hash('sha256', text, 'base64')}:`);
  const [jwk] = json['keys'] as [{ kid: string; x: string; crv: string; kty: string }];
  assert.equal(jwk.kid, hash('sha256', JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x }), 'base64url'));
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const names = ['content-digest', 'signature-input', 'signature'];
  const judge = (targetUri: string) =>
    verifySignature(
      {
        kind: 'response',
        status: 200,
        fields: names.map((name) => ({ name, value: String(headers[name]) })),
        request: { kind: 'request', method: 'GET', targetUri, fields: [] },
      },
      {
        policy: {
          algorithms: ['ed25519'],
          requiredComponents: [component('@authority', { req: true }), 'content-digest'],
          requiredParameters: ['created', 'expires', 'keyid', 'tag'],
          now: Math.floor(service.now() / 1_000),
        },
        resolveVerifier: () => ({
          algorithm: 'ed25519',
          verify: (data, signature) => verify(null, data, key, signature),
        }),
      },
    );
  const { parameters } = await judge(`${service.service.url}${PATH}`);
  assert.deepEqual([parameters.tag, parameters.keyid], ['http-message-signatures-directory', jwk.kid]);
  assert.equal(Number(parameters.expires) - Number(parameters.created), 7 * 86_400);
  expectProblem(statuses.saw(await service.call(`${PATH}?x=1`)), 400, 'invalid_parameters');
  await assert.rejects(judge(`https://other.example${PATH}`), { code: 'VerificationFailed' });
});
