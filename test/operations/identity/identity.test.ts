import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, test } from 'node:test';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';
import { callSigned, EXAMPLE_AGENT, EXAMPLE_URL } from '../../support/signed-calls.ts';

const statuses = new PromisedStatuses('identity');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a signer learns who it is, what it signed and the base to compare', async () => {
  const service = await sharedService();
  const { json, headers } = statuses.saw(await callSigned(service, '/v1/identity'));
  const { at, directory, signature_base_sha256: sha256, ...rest } = json;
  const covered = ['"@method"', '"@authority"', '"@path"', '"signature-agent";key="sig1"'];
  assert.deepEqual(rest, {
    state: 'verified',
    reasons: [],
    agent_url: EXAMPLE_URL,
    keyid: EXAMPLE_AGENT.keyid,
    strength: 'request',
    covered,
  });
  assert.equal(headers['avouch-identity'], 'verified');
  assert.equal((directory as { keys: number }).keys, 1);
  const created = Math.floor(Date.parse(String(at)) / 1_000);
  const base = [
    '"@method": GET',
    `"@authority": ${new URL(service.service.url).host}`,
    '"@path": /v1/identity',
    '"signature-agent";key="sig1": "https://signature-agent.test"',
    `"@signature-params": (${covered.join(' ')});created=${created};expires=${created + 60};keyid="${EXAMPLE_AGENT.keyid}";tag="web-bot-auth"`,
  ];
  assert.equal(sha256, hash('sha256', base.join('\n')));
});

test('a request without a signature is absent, one with a wrong signature has the reason', async () => {
  const service = await sharedService();
  const unsigned = statuses.saw(await service.call('/v1/identity'));
  assert.deepEqual([unsigned.json['state'], unsigned.json['reasons']], ['absent', []]);
  assert.equal(unsigned.headers['avouch-identity'], undefined);
  const wrong = await callSigned(
    service,
    '/v1/identity',
    {},
    { change: (signed) => ({ ...signed, 'signature-agent': 'sig1="https://signature-agent.tesu"' }) },
  );
  assert.deepEqual(
    [wrong.status, wrong.json['state'], wrong.json['reasons']],
    [200, 'unverified', ['directory_unreachable']],
  );
  const other = statuses.saw(await callSigned(service, '/v1/identity?x=1'));
  assert.equal(other.status, 400);
  assert.equal(other.headers['avouch-identity'], 'verified');
});

test('calls of one address are limited', async () => {
  await expectLimited(statuses, (limited) => limited.call('/v1/identity'));
});
