import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { post, registered } from '../../support/mandates.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('amh_register');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const BODY = { name: 'Harbour Shop', mcp_url: 'https://shop.example/mcp', contact: 'desk@shop.example' };
const PATH = '/api/amh/register';

test('a platform gets its id and its key, of which only the hash is kept', async () => {
  const service = await sharedService();
  const answer = statuses.saw(await post(service, PATH, BODY));
  assert.equal(answer.status, 201, answer.text);
  assert.match(String(answer.json['platform_id']), /^plt_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.match(String(answer.json['api_key']), /^amhk_[\w-]{49}$/);
  const id = answer.json['platform_id'] as string;
  const kept = await service.service.store.read('SELECT * FROM amh_key WHERE platform_id = $1', [id]);
  assert.equal(kept.length, 1);
  assert.ok(!JSON.stringify(kept).includes(String(answer.json['api_key']).slice(5)));
});

test('addresses and contacts of another form are named, all at once', async () => {
  const service = await sharedService();
  const bad = { name: 'x', mcp_url: 'http://shop.example', contact: 'nobody' };
  const { errors } = expectProblem(await post(service, PATH, { ...bad, name: 'Shop' }), 400, 'invalid_parameters');
  assert.deepEqual(
    (errors as { pointer: string }[]).map(({ pointer }) => pointer),
    ['#/mcp_url', '#/contact'],
  );
  const unclean = { ...BODY, mcp_url: 'https://shop.example/\0', contact: 'https://shop.example/\ud800' };
  assert.deepEqual(
    (expectProblem(await post(service, PATH, unclean), 400, 'invalid_parameters')['errors'] as object[]).map((one) =>
      Object.values(one).slice(0, 2),
    ),
    [
      ['#/mcp_url', 'unclean_text'],
      ['#/contact', 'unclean_text'],
    ],
  );
  assert.equal((await post(service, PATH, { ...BODY, mcp_url: 'http://127.0.0.1:8080/mcp' })).status, 201);
  const posing = statuses.saw(await post(service, PATH, { ...BODY, name: 'The Founder' }));
  assert.equal(expectProblem(posing, 403, 'rule_refused')['rule'], 'founder_impersonation');
});

test('ten platforms an hour come from one address', async () => {
  const service = await sharedService();
  for (let turn = 0; turn < 10; turn += 1) await registered(service);
  const refused = expectProblem(statuses.saw(await post(service, PATH, BODY)), 429, 'registrations_exceeded');
  assert.ok(Number(refused['retry_after_s']) > 3_500);
});

test('general refusals', () => generalRefusals(statuses, () => ({ path: PATH, body: BODY })));
