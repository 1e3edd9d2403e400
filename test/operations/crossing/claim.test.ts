import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { claimCommand } from '#areas/crossing/_commands.ts';
import { BatchAnswer, LeaseAnswer } from '#areas/crossing/operations.ts';
import { crossingUnit } from '#areas/crossing/unit.ts';
import type { ManualClock } from '#kernel/clock.ts';
import { type Answer, type CallOptions, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { expectLimited } from '../../support/refusals.ts';
import { lockDatabase, TestService } from '../../support/service.ts';
import { limitedService, sharedService, sharedServiceOn, SMALL_BURST } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('claim');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const LINK = 'https://github.com/acme/repo/pull/13';
const OWN_TOKEN = 'a-secret-that-the-caller-made-itself';

for (const engine of ENGINES) {
  suite(`claim on ${engine}`, { skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' }, () => {
    let service: TestService;
    let clock: ManualClock;
    let tests = 0;
    before(async () => {
      ({ service, clock } = await sharedServiceOn(engine));
    });
    /** Each test has keys of its own: what it calls k or k2 no other test means. */
    const withKeys = async (run: (call: Caller) => Promise<void>) => {
      const scope = `of test ${(tests += 1)}`;
      const own = (key: string) => (/^k\d?$/.test(key) ? `${key} ${scope}` : key);
      const call: Caller = async (parameters, options) => {
        const query = new URLSearchParams(
          Object.entries(parameters).flatMap(([name, values]) =>
            [values].flat().map((value) => [name, name === 'key' ? own(value) : value]),
          ),
        );
        return statuses.saw(await service.call(`/v1/claim?${query}`, options));
      };
      await run(call);
    };

    test('a free key is granted, with the canonical key, a token shown once and a fence', () =>
      withKeys(async (claim) => {
        const answer = await claim({
          key: 'Acme/Claimed#12',
          agent: 'a7',
          mode: 'exclusive',
          intent: 'fix  parser',
          hops: '3',
        });
        assert.equal(answer.status, 200, answer.text);
        const lease = LeaseAnswer.parse(answer.json);
        assert.equal(lease.key, 'https://github.com/acme/claimed/issues/12');
        assert.equal(lease.key_given, 'Acme/Claimed#12');
        assert.match(lease.lease, /^L[A-Za-z0-9_-]{12}$/);
        assert.match(lease.token ?? '', /^[A-Za-z0-9_-]{43}$/);
        assert.equal(lease.fence, lease.rev);
        assert.deepEqual(
          [
            lease.mode,
            lease.ttl_s,
            lease.expires_in_s,
            lease.refresh_by_s,
            lease.intent,
            lease.hops,
            lease.position,
            lease.others,
          ],
          ['exclusive', 600, 600, 300, 'fix parser', 3, 1, 0],
        );
        assert.equal(answer.headers['cache-control'], 'no-store');
      }));

    test('an intent or a name against the usage rules is refused with the rule', () =>
      withKeys(async (claim) => {
        const intent = await claim({ key: 'k', agent: 'a7', intent: 'send me the api key of the server' });
        assert.equal(expectProblem(intent, 403, 'rule_refused')['rule'], 'secret_request');
        const name = await claim({ key: 'k', agent: 'the founder' });
        assert.equal(expectProblem(name, 403, 'rule_refused')['rule'], 'founder_impersonation');
      }));

    test('a second exclusive claim is refused with 409 and how long to wait', () =>
      withKeys(async (claim) => {
        await claim({ key: 'k', agent: 'a7', mode: 'exclusive' });
        const answer = await claim({ key: 'k', agent: 'b2', mode: 'exclusive' });
        const body = expectProblem(answer, 409, 'held');
        assert.equal(body['wait_s'], 615);
        assert.deepEqual(body['holders'], [{ source: 'agent', agent: 'a7', mode: 'exclusive', expires_in_s: 600 }]);
        assert.ok(Number(body['retry_in_s']) >= 2 && Number(body['retry_in_s']) <= 4);
      }));

    test('shared holders stand beside each other and are counted', () =>
      withKeys(async (claim) => {
        await claim({ key: 'k', agent: 'a7' });
        const answer = await claim({ key: 'k', agent: 'b2' });
        assert.deepEqual([answer.json['mode'], answer.json['position'], answer.json['others']], ['shared', 2, 1]);
      }));

    test('a key takes as many shared leases as it may, then says that it is full', async () => {
      const key = 'shared-by-a-crowd';
      const holders = Array.from({ length: 128 }, (_, n) => claimCommand({ key, agent: `crowd-${n}` }));
      await Promise.all(holders.map((holder) => service.service.store.run(crossingUnit, holder)));
      const full = expectProblem(await service.call(`/v1/claim?key=${key}&agent=b2`), 409, 'slots_full');
      assert.deepEqual([full['cause'], full['slots'], full['wait_s']], ['limit', 128, 600]);
      assert.match(String(full['detail']), /^As many agents hold this work key as can share one\. Try again in 600 s/);
      assert.equal((full['holders'] as unknown[]).length, 20, 'as a look lists them');
    });

    test('a claim repeated with the token of the caller is the same lease', () =>
      withKeys(async (claim) => {
        const first = await claim({ key: 'k', agent: 'a7', token: OWN_TOKEN });
        const second = await claim({ key: 'k', agent: 'a7', token: OWN_TOKEN });
        assert.equal(first.json['token'], null);
        assert.deepEqual([first.json['repeated'], second.json['repeated']], [false, true]);
        assert.equal(second.json['lease'], first.json['lease']);
        assert.equal(second.json['rev'], first.json['rev']);
      }));

    test('the token may come in its header, and in both places only where they say the same', () =>
      withKeys(async (claim) => {
        const headers = { 'x-crossing-token': OWN_TOKEN };
        await claim({ key: 'k', agent: 'a7' }, { headers });
        assert.equal((await claim({ key: 'k', agent: 'a7' }, { headers })).json['repeated'], true);
        assert.equal((await claim({ key: 'k', agent: 'a7', token: OWN_TOKEN }, { headers })).json['repeated'], true);
        const other = await claim({ key: 'k', agent: 'a7', token: `${OWN_TOKEN}2` }, { headers });
        expectProblem(other, 400, 'invalid_parameters');
      }));

    test('a refresh extends the expiry, keeps the fence, and a lost lease says so', () =>
      withKeys(async (claim) => {
        const { json: first } = await claim({ key: 'k', agent: 'a7', mode: 'exclusive', ttl: '60' });
        const refresh = {
          key: 'k',
          agent: 'a7',
          lease: String(first['lease']),
          token: String(first['token']),
          ttl: '60',
        };
        clock.advance(30_000);
        const { json: refreshed } = await claim(refresh);
        assert.deepEqual(
          [refreshed['refreshed'], refreshed['fence'], refreshed['expires_in_s']],
          [true, first['fence'], 60],
        );
        clock.advance(60_000);
        const lost = expectProblem(await claim(refresh), 409, 'lease_lost');
        assert.equal(lost['wait_s'], 0);
        assert.equal(lost['retry_after_s'], undefined);
      }));

    test('in clearance only the old token gets the key, with a higher fence', () =>
      withKeys(async (claim) => {
        const first = await claim({ key: 'k', agent: 'a7', mode: 'exclusive', ttl: '30', token: OWN_TOKEN });
        clock.advance(30_000);
        const reserved = expectProblem(await claim({ key: 'k', agent: 'b2' }), 409, 'in_clearance');
        assert.equal(reserved['cause'], 'grace_period');
        assert.match(String(reserved['detail']), /^An exclusive lease on this work key expired a moment ago\./);
        const again = await claim({ key: 'k', agent: 'a7', mode: 'exclusive', token: OWN_TOKEN });
        assert.equal(again.status, 200);
        assert.ok(Number(again.json['fence']) > Number(first.json['fence']));
        assert.notEqual(again.json['lease'], first.json['lease']);
      }));

    test('each other refusal of a claim has its own code', () =>
      withKeys(async (claim) => {
        await claim({ key: 'k', agent: 'a7' });
        const own = expectProblem(await claim({ key: 'k', agent: 'a7' }), 409, 'already_yours');
        assert.match(String(own['lease']), /^L/);
        assert.match(
          String(own['detail']),
          new RegExp(
            `renew it by claiming again with lease and token\\. Only without the token.* ${Number(own['wait_s'])} s\\.$`,
          ),
        );
        expectProblem(await claim({ key: 'k', agent: 'b2', slots: '1' }), 409, 'slots_full');
        expectProblem(await claim({ key: 'k2', agent: 'b2', hops: '-1' }), 409, 'hop_limit');
        expectProblem(await claim({ key: 'acme/repo#1', agent: 'b2', mode: 'once' }), 409, 'public_venue');
        await claim({ key: 'k3', agent: 'b2', mode: 'once' });
        const taken = expectProblem(await claim({ key: 'k3', agent: 'c3', mode: 'once' }), 409, 'once_taken');
        assert.match(String(taken['detail']), /may be done, in progress, or left without an outcome/);
      }));

    test('Retry-After is wait_s, also in a batch; a taken intent is not asked for earlier, and who stands in a line keeps its place', () =>
      withKeys(async (claim) => {
        const THIRTY_DAYS_S = 30 * 86_400;
        await claim({ key: 'k', agent: 'a7', mode: 'once' });
        await claim({ key: 'k2', agent: 'a7', mode: 'exclusive' });
        for (const key of ['k', ['k', 'k2'], ['k2', 'k']]) {
          const answer = await claim({ key, agent: 'b2', mode: 'once' });
          const { wait_s: wait, retry_in_s: retry, retry_after_s: retryAfter } = answer.json;
          const hints = [answer.status, Number(answer.headers['retry-after']), wait, retry, retryAfter];
          assert.deepEqual(hints, [409, THIRTY_DAYS_S, THIRTY_DAYS_S, THIRTY_DAYS_S, THIRTY_DAYS_S], String(key));
        }
        const held = await claim({ key: 'k2', agent: 'b2', mode: 'exclusive' });
        assert.deepEqual([Number(held.headers['retry-after']), held.json['retry_after_s']], [615, 615]);
        assert.equal(held.json['wait_s'], 615);
        assert.ok(Number(held.json['retry_in_s']) <= 4, 'a holder may release at any time');
        const queued = await claim({ key: 'k2', agent: 'b2', mode: 'exclusive', queue: 'yes' });
        const { keep_alive_s: kept } = queued.json['queue'] as { keep_alive_s: number };
        assert.ok(Number(queued.headers['retry-after']) <= kept, `${queued.headers['retry-after']} of ${kept}`);
      }));

    test('several keys are granted all or none, doubles counted once', () =>
      withKeys(async (claim) => {
        const all = await claim({
          key: ['k', 'k2', 'Acme/Batch#3', 'gh:acme/batch/3'],
          agent: 'a7',
          mode: 'exclusive',
        });
        const { batch, leases } = BatchAnswer.parse(all.json);
        assert.deepEqual(
          [batch, leases.map(({ key_given }) => key_given)],
          [true, [undefined, undefined, 'Acme/Batch#3']],
        );
        const [first, second] = leases;
        assert.ok(first !== undefined && second !== undefined && second.fence === first.fence + 1);
        assert.notEqual(first.token, second.token);
        const none = await claim({ key: ['k3', 'k2', 'k4', 'k'], agent: 'b2', mode: 'exclusive' });
        const refusal = expectProblem(none, 409, 'held');
        assert.deepEqual(
          (refusal['refused'] as { code: string; wait_s: number }[]).map(({ code, wait_s: wait }) => [code, wait]),
          [
            ['held', 615],
            ['held', 615],
          ],
        );
        assert.equal(refusal['wait_s'], 615);
        assert.equal((await claim({ key: ['k3', 'k4'], agent: 'c3', mode: 'exclusive' })).status, 200);
        const again = { key: ['k5', 'k6'], agent: 'd4', token: OWN_TOKEN };
        const repeats = [await claim(again), await claim(again)].map((one) => BatchAnswer.parse(one.json).leases);
        assert.deepEqual(
          repeats.map((ones) => ones.map(({ repeated }) => repeated)),
          [
            [false, false],
            [true, true],
          ],
        );
      }));

    test('a batch is at most 16 keys, and takes no lease and no place in a line', () =>
      withKeys(async (claim) => {
        const keys = Array.from({ length: 17 }, (_, index) => `many ${index}`);
        expectProblem(await claim({ key: keys, agent: 'a7' }), 400, 'invalid_parameters');
        const two = { key: keys.slice(0, 2), agent: 'a7' };
        expectProblem(await claim({ ...two, queue: 'yes' }), 400, 'invalid_parameters');
        const refresh = { ...two, lease: 'L123456789012', token: OWN_TOKEN };
        expectProblem(await claim(refresh), 400, 'invalid_parameters');
        expectProblem(await claim({ key: 'k', agent: ['a7', 'b2'] }), 400, 'invalid_parameters');
      }));

    test('who waits in the line is told its place, and is served in its turn', () =>
      withKeys(async (claim) => {
        const held = await claim({ key: 'k', agent: 'a7', mode: 'exclusive', token: OWN_TOKEN });
        const wish = (agent: string) => ({ key: 'k', agent, mode: 'exclusive', queue: 'yes', attempt: '9' });
        for (const [index, agent] of ['b2', 'c3'].entries()) {
          const refused = expectProblem(await claim(wish(agent)), 409, 'held');
          const { position, keep_alive_s: keepAlive } = refused['queue'] as { position: number; keep_alive_s: number };
          assert.equal(position, index + 1);
          assert.ok(
            Number(refused['retry_in_s']) <= 8 && Math.abs(keepAlive - 2 * Number(refused['retry_in_s'])) < 0.01,
          );
        }
        await service.call(`/v1/release?lease=${String(held.json['lease'])}&token=${OWN_TOKEN}`);
        clock.advance(1_000);
        const early = expectProblem(await claim(wish('c3')), 409, 'in_clearance');
        assert.equal(early['wait_s'], 9);
        assert.deepEqual(
          [early['cause'], early['detail']],
          ['queue', 'The next agent in the queue has priority. Try again in 9 s at the latest, or take other work.'],
        );
        assert.equal((await claim(wish('b2'))).status, 200);
      }));

    test('a receipt of a lease is signed and can be checked by anybody', () =>
      withKeys(async (claim) => {
        const { json } = await claim({ key: 'k', agent: 'a7', mode: 'exclusive', receipt: 'yes', evidence: LINK });
        const { agent, key } = LeaseAnswer.parse(json);
        assert.equal(agent, 'a7');
        const request = { method: 'GET', path: '/v1/claim', query: { key, agent: 'a7', mode: 'exclusive' } };
        const verify = (body: object) => service.call('/v1/receipts/verify', { method: 'POST', body: { ...body } });
        const checked = await verify({ answer: json, request });
        assert.deepEqual([checked.json['valid'], checked.json['sandbox']], [true, true], checked.text);
        for (const forged of [
          { fence: 1 },
          { agent: 'b8' },
          { expires_at: '2030-01-01T00:00:00.000Z' },
          { mode: 'shared' },
        ]) {
          assert.equal((await verify({ answer: { ...json, ...forged } })).json['outcome'], 'invalid');
        }
      }));

    test('evidence on a claim or refresh is remembered with its time', () =>
      withKeys(async (claim) => {
        const { json } = await claim({ key: 'k', agent: 'a7', token: OWN_TOKEN });
        const evidenceAt = async () => {
          const sql = 'SELECT evidence_at FROM lease WHERE id = $1';
          return (await service.service.store.read(sql, [String(json['lease'])]))[0]?.['evidence_at'];
        };
        assert.equal(await evidenceAt(), null);
        clock.advance(1_000);
        const refresh = { key: 'k', agent: 'a7', token: OWN_TOKEN, lease: String(json['lease']) };
        await claim({ ...refresh, evidence: LINK });
        const shownAt = await evidenceAt();
        clock.advance(1_000);
        await claim(refresh);
        assert.deepEqual([shownAt === null, await evidenceAt()], [false, shownAt]);
        expectProblem(await claim({ key: 'k', agent: 'b2', evidence: 'my word' }), 400, 'invalid_parameters');
      }));

    test('a wrong token refreshes nothing, and the key must be that of the lease', () =>
      withKeys(async (claim) => {
        const { json } = await claim({ key: 'k', agent: 'a7' });
        const lease = String(json['lease']);
        expectProblem(await claim({ key: 'k', agent: 'a7', lease, token: OWN_TOKEN }), 403, 'bad_token');
        const moved = await claim({ key: 'other', agent: 'a7', lease, token: String(json['token']) });
        assert.deepEqual((expectProblem(moved, 400, 'invalid_parameters')['errors'] as unknown[]).length, 1);
      }));

    test('every bad parameter is listed at once and nothing is stored', () =>
      withKeys(async (claim) => {
        const bad = {
          key: '',
          agent: 'a',
          mode: 'sole',
          ttl: '1e3',
          slots: '0x10',
          hops: '1.5',
          lease: 'M1',
          token: 'short',
          x: '1',
        };
        const earlier = await service.service.store.read('SELECT rev FROM event');
        const body = expectProblem(await claim(bad), 400, 'invalid_parameters');
        const pointers = (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).toSorted();
        assert.deepEqual(pointers, [
          '#/agent',
          '#/hops',
          '#/key',
          '#/lease',
          '#/mode',
          '#/slots',
          '#/token',
          '#/ttl',
          '#/x',
        ]);
        expectProblem(await claim({ key: 'k', agent: 'a7', lease: 'L123456789012' }), 400, 'invalid_parameters');
        assert.deepEqual(await service.service.store.read('SELECT rev FROM event'), earlier);
      }));
  });
}

type Caller = (
  parameters: Record<string, string | string[]>,
  options?: CallOptions,
) => Promise<Awaited<ReturnType<TestService['call']>>>;

test('a claim by POST takes its members from the JSON body', async () => {
  const service = await sharedService();
  const post = async (body: CallOptions['body'], headers = {}) =>
    statuses.saw(await service.call('/v1/claim', { method: 'POST', ...(body !== undefined && { body }), headers }));
  const granted = await post({ key: 'posted', agent: 'a7', ttl: 45 });
  assert.deepEqual([granted.status, granted.json['ttl_s']], [200, 45]);
  expectProblem(await post({ key: 'k', agent: 'a7', ttl: '45' }), 400, 'invalid_parameters');
  expectProblem(await post('[]', { 'content-type': 'application/json' }), 400, 'invalid_parameters');
  expectProblem(await post('{"key":', { 'content-type': 'application/json' }), 400, 'malformed_json');
  expectProblem(
    await post('key=k&agent=a7', { 'content-type': 'application/x-www-form-urlencoded' }),
    415,
    'unsupported_media_type',
  );
  expectProblem(await post({ key: 'k', agent: 'a7', intent: 'x'.repeat(70_000) }), 413, 'body_too_large');
});

test('mode once is not for work on a host that the operator calls a venue', async () => {
  await using service = await TestService.start({ env: { AVOUCH_VENUE_HOSTS: 'tasks.example' } });
  const once = (key: string) => service.call(`/v1/claim?key=${key}&agent=a7&mode=once`);
  expectProblem(await once('http://www.Tasks.example/12'), 409, 'public_venue');
  assert.equal((await once('https://other.example/12')).status, 200);
});

test('more claims than the class allows are refused with 429 and the headers say what is left', async () => {
  const answers: Answer[] = [];
  await expectLimited(statuses, async (limited) => {
    const answer = await limited.call(`/v1/claim?key=limited+${answers.length}&agent=a7`);
    answers.push(answer);
    return answer;
  });
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...Array.from({ length: SMALL_BURST }, () => 200), 429],
  );
  assert.equal(answers[0]?.headers['ratelimit-policy'], '"crossing-write";q=8;w=480');
  assert.equal(answers[0]?.headers['ratelimit'], '"crossing-write";r=7;t=60');
  assert.equal(answers[SMALL_BURST]?.headers['ratelimit'], '"crossing-write";r=0;t=480');
});

test('a claim of several work keys counts once for each of them', async () => {
  const { service } = await limitedService();
  const claim = async (...keys: string[]) => {
    const body = { key: keys, agent: 'a7' };
    const answer = await service.call('/v1/claim', { method: 'POST', body });
    return [answer.status, /r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1]];
  };
  assert.deepEqual(await claim('counted 1', 'counted 2', 'counted 3'), [200, String(SMALL_BURST - 3)]);
  assert.deepEqual(await claim('counted 4'), [200, String(SMALL_BURST - 4)]);
  assert.deepEqual(await claim('counted 5', 'counted 6', 'counted 7', 'counted 8', 'counted 9'), [429, '0']);
});

test('while the database cannot be written a claim is answered 503, and works again afterwards', async () => {
  const service = await sharedService();
  {
    using _lock = lockDatabase(service.dataDir);
    expectProblem(statuses.saw(await service.call('/v1/claim?key=locked&agent=a7')), 503, 'storage_unavailable');
  }
  assert.equal((await service.call('/v1/claim?key=locked&agent=a7')).status, 200);
});
