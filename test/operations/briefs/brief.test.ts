import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { BriefAnswer, BriefProtocol } from '#areas/briefs/outputs.ts';
import * as problems from '#areas/briefs/problems.ts';
import { Briefs } from '#areas/briefs/service.ts';
import { SLOTS_OF_BRIEFS } from '#areas/briefs/sql.ts';
import { HOLDERS_OF_KEYS } from '#areas/crossing/sql.ts';
import vectors from '../../vectors/briefs.json' with { type: 'json' };
import { type Answer, type CallOptions, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { expectLimited } from '../../support/refusals.ts';
import { lockDatabase, type TestService } from '../../support/service.ts';
import { sharedService, sharedServiceOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('brief');
let service: TestService;
before(async () => {
  service = await sharedService();
});
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const stored = async () => (await service.service.store.read('SELECT id FROM brief')).length;

const CARD = {
  goal: 'The importer accepts files with a byte order mark',
  acceptance: 'npm test passes',
  target: 'src/x.ts',
};
type Caller = (body: Record<string, unknown>, headers?: Record<string, string>) => Promise<Answer>;

/** What other areas are handed: the brief of a key, and the slots of a brief inside a transaction. */
async function assertSeenByCrossing({ service: { store }, url, now }: TestService, id: string): Promise<void> {
  const key = 'https://github.com/acme/briefed/issues/12';
  const briefs = new Briefs({
    store,
    clock: { now },
    baseUrl: () => url,
    holders: HOLDERS_OF_KEYS,
    rules: { ofText: async () => null, ofName: async () => null },
  });
  const { untrustedGoal, ...known } = (await briefs.briefOf(key)) ?? assert.fail('no brief');
  assert.equal(untrustedGoal, 'Something else must happen');
  const shown = {
    brief: id,
    link: `${url}/v1/brief/${id}`,
    clarity: 'WORKABLE',
    slots: 3,
    state: 'open',
    rewardUsd: 20,
  };
  assert.deepEqual(known, { ...shown, isOwnKey: false });
  assert.equal(await briefs.briefOf('another'), null);
  const slots = await store.read({ ...SLOTS_OF_BRIEFS, sql: SLOTS_OF_BRIEFS.sql.replace('(...)', '($1)') }, [id]);
  assert.deepEqual(slots, [{ id, key, slots: 3, openUntilMs: null }]);
}

for (const engine of ENGINES) {
  suite(`brief on ${engine}`, { skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' }, () => {
    test('a brief is made, opened, answered, held while an agent works, and closed; without key it has its own link', async () => {
      const { service: own, clock } = await sharedServiceOn(engine);
      const brief: Caller = async (body, headers = {}) =>
        statuses.saw(await own.call('/v1/brief', { method: 'POST', body, headers }));
      const open = async (id: string) => (await own.call(`/v1/brief/${id}`)).json;

      const answer = await brief({ ...CARD, slots: 2, key: 'Acme/Briefed#12' });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers['cache-control'], 'no-store');
      const made = BriefAnswer.parse(answer.json);
      assert.match(made.brief, /^brf_[0-9a-z]{26}$/);
      assert.match(String(made.token), /^[A-Za-z0-9_-]{43}$/);
      assert.deepEqual(
        [made.link, made.key, made.slots, made.state, made.clarity, made.score],
        [`${own.url}/v1/brief/${made.brief}`, 'https://github.com/acme/briefed/issues/12', 2, 'open', 'WORKABLE', 8],
      );
      const proof = { brief: made.brief, token: String(made.token) };

      const answered = BriefAnswer.parse((await brief({ ...proof, output: 'one pull request', slots: 3 })).json);
      assert.deepEqual([answered.score, answered.token, answered.slots], [9, null, 3]);
      assert.equal(((await open(made.brief))['card'] as Record<string, unknown>)['output'], 'one pull request');

      await own.call('/v1/claim?key=acme/briefed%2312&agent=a7&ttl=600');
      const held = expectProblem(await brief({ ...proof, goal: 'Something else must happen' }), 409, 'held');
      assert.deepEqual([held['wait_s'], held['retry_after_s']], [600, 600]);
      // What only a refused claim has is said of claims alone.
      assert.deepEqual([held['retry_in_s'], held['queue']], [undefined, undefined]);
      const advice = problems.held.help.split('. ').filter((sentence) => /retry_in_s|queue/.test(sentence));
      assert.ok(advice.length > 0 && advice.every((sentence) => sentence.startsWith('A claim ')), advice.join('. '));
      assert.equal((await brief({ ...proof, inputs: 'a sample file', reward_usd: 20 })).status, 200);
      clock.advance(600_000);
      assert.equal((await brief({ ...proof, goal: 'Something else must happen' })).status, 200);

      expectProblem(await brief({ ...proof, token: 'x'.repeat(43), goal: 'Mine now, change it' }), 403, 'bad_token');
      const promise = await brief({ ...proof, goal: 'We guarantee that it works' });
      assert.equal(expectProblem(promise, 403, 'rule_refused')['rule'], 'warranty_promise');
      expectProblem(await brief({ ...proof, brief: `brf_${'0'.repeat(26)}` }), 404, 'unknown_brief');
      const moved = expectProblem(await brief({ ...proof, key: 'another' }), 400, 'invalid_parameters');
      assert.deepEqual(
        (moved['errors'] as { code: string }[]).map(({ code }) => code),
        ['other_key'],
      );

      await assertSeenByCrossing(own, made.brief);
      for (const _twice of [1, 2]) {
        const closed = await brief({ brief: made.brief, close: 'yes' }, { 'x-crossing-token': proof.token });
        assert.deepEqual([closed.status, closed.json['state']], [200, 'closed']);
      }
      assert.equal(expectProblem(await brief({ ...proof, slots: 1 }), 409, 'brief_closed')['wait_s'], 0);
      assert.equal((await open(made.brief))['state'], 'closed');

      const linked = BriefAnswer.parse((await own.call(`/v1/brief?${new URLSearchParams(CARD)}`)).json);
      assert.equal(linked.key, linked.link.replace('http://', 'https://'));
      const claimed = await own.call(`/v1/claim?${new URLSearchParams({ key: linked.link, agent: 'a7' })}`);
      assert.deepEqual([claimed.status, claimed.json['key']], [200, linked.key]);
    });
  });
}

test('every card of the vectors has its score, verdict and questions, and without parameters comes the protocol', async () => {
  for (const { id, card, score, clarity, asks } of vectors.cards) {
    const answer = statuses.saw(await service.call('/v1/brief', { method: 'POST', body: card }));
    const made = BriefAnswer.parse(answer.json);
    assert.deepEqual([made.score, made.clarity, made.questions.map(({ field }) => field)], [score, clarity, asks], id);
  }
  for (const path of ['/v1/brief', '/v1/brief?goal=&output=%20']) {
    const answer = await service.call(path, { headers: { 'accept-language': 'nl' } });
    assert.equal(answer.headers['cache-control'], 'public, max-age=300');
    const protocol = BriefProtocol.parse(answer.json);
    assert.deepEqual([protocol.fields.length, protocol.lint.elements.length, protocol.of], [11, 11, 15]);
    const inOrder = [...protocol.contradictions.map(({ code }) => code), ...protocol.question_order];
    for (const texts of Object.values(protocol.questions)) assert.deepEqual(Object.keys(texts), inOrder);
    assert.match(protocol.question_rule, /^First the contradictions, then .* question_order; at most 3\.$/);
    const page = await service.call('/protocols/acb-1', { headers: { accept: 'text/html' } });
    assert.match(page.text, /cannot change while an agent holds the work key/);
  }
});

test('neither HEAD nor a prefetch nor a page of another site makes a brief', async () => {
  const count = await stored();
  const path = `/v1/brief?${new URLSearchParams(CARD)}`;
  const call = async (options: CallOptions) => statuses.saw(await service.call(path, options));
  assert.equal((await service.call(path, { method: 'HEAD' })).status, 405);
  expectProblem(await call({ headers: { 'sec-purpose': 'prefetch' } }), 403, 'prefetch');
  expectProblem(await call({ headers: { 'sec-fetch-site': 'cross-site' } }), 403, 'cross_site_request');
  assert.equal(await stored(), count);
});

test('the token is kept only as its hash, and text of callers is cleaned', async () => {
  const { json } = await service.call('/v1/brief', {
    method: 'POST',
    body: { goal: 'The\u202E importer\u200B accepts\n ﬁles', if_unclear: 'Ask elsewhere' },
  });
  const token = String(json['token']);
  await service.call(`/v1/brief?brief=${String(json['brief'])}&token=${token}&output=a+list`);
  const { card } = (await service.call(`/v1/brief/${String(json['brief'])}`)).json as { card: Record<string, unknown> };
  assert.deepEqual(
    [card['goal'], card['if_unclear'], card['source']],
    ['The importer accepts files', 'ask_elsewhere', 'agent'],
  );
  const files = readdirSync(service.dataDir, { recursive: true, encoding: 'utf8', withFileTypes: true });
  const kept = files.filter((file) => file.isFile()).map((file) => readFileSync(join(file.parentPath, file.name)));
  assert.ok(
    kept.some((bytes) => bytes.includes('The importer accepts files')),
    'the scan must see the database',
  );
  assert.ok(!kept.some((bytes) => bytes.includes(token)));
});

test('every bad parameter is listed, and what belongs together must come together', async () => {
  const count = await stored();
  const refused = async (body: Record<string, unknown>) => {
    const answer = statuses.saw(await service.call('/v1/brief', { method: 'POST', body }));
    const { errors } = expectProblem(answer, 400, 'invalid_parameters') as { errors: { pointer: string }[] };
    return errors.map(({ pointer }) => pointer).toSorted();
  };
  assert.deepEqual(await refused({ goal: 'x'.repeat(2_001), slots: 101, brief: 'b', token: 't', close: 'no', x: 1 }), [
    '#/brief',
    '#/close',
    '#/goal',
    '#/slots',
    '#/token',
    '#/x',
  ]);
  assert.deepEqual(await refused({ goal: 'x', token: 'x'.repeat(43) }), ['#/brief']);
  assert.deepEqual(await refused({ goal: 'x', brief: `brf_${'0'.repeat(26)}` }), ['#/token']);
  assert.deepEqual(await refused({ goal: 'x', key: ' \u200b' }), ['#/key']);
  assert.deepEqual(await refused({ goal: 'x', key: 'k'.repeat(600) }), ['#/key']);
  const repeated = await service.call('/v1/brief?goal=a&goal=b');
  expectProblem(repeated, 400, 'invalid_parameters');
  expectProblem(await service.call('/v1/brief?slots=1.5'), 400, 'invalid_parameters');
  assert.equal(await stored(), count);
});

test('a key takes a hundred briefs', async () => {
  const make = () => service.call('/v1/brief?goal=x&key=the+crowded+one');
  await Promise.all(Array.from({ length: 100 }, make));
  expectProblem(statuses.saw(await make()), 409, 'key_crowded');
});

test('bodies that are no JSON or too long, and calls above the rate, are refused', async () => {
  const post = async (body: string, type: string) =>
    statuses.saw(await service.call('/v1/brief', { method: 'POST', body, headers: { 'content-type': type } }));
  expectProblem(await post('{', 'application/json'), 400, 'malformed_json');
  expectProblem(await post('goal=x', 'text/plain'), 415, 'unsupported_media_type');
  expectProblem(await post(JSON.stringify({ goal: 'x'.repeat(270_000) }), 'application/json'), 413, 'body_too_large');
  await expectLimited(statuses, (limited) => limited.call('/v1/brief?goal=x'));
});

test('while the database cannot be written a brief is answered 503, and works again afterwards', async () => {
  {
    using _lock = lockDatabase(service.dataDir);
    expectProblem(statuses.saw(await service.call('/v1/brief?goal=x')), 503, 'storage_unavailable');
  }
  assert.equal((await service.call('/v1/brief?goal=x')).status, 200);
});
