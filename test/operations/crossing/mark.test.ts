import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { MarkAnswer } from '#areas/crossing/mark/mark-operation.ts';
import { DAY_MS, type ManualClock } from '#kernel/clock.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { lockDatabase, type TestService } from '../../support/service.ts';
import { sharedService, sharedServiceOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('mark');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const TOKEN = 'a-secret-that-the-caller-made-itself';
const LINK = 'https://github.com/acme/repo/pull/13';
type Parameters = Record<string, string>;

for (const engine of ENGINES) {
  suite(`mark on ${engine}`, { skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' }, () => {
    let service: TestService;
    let clock: ManualClock;
    before(async () => {
      ({ service, clock } = await sharedServiceOn(engine));
    });
    const call: Caller = async (path, parameters) => {
      const answer = await service.call(`/v1/${path}?${new URLSearchParams(parameters)}`);
      return path === 'mark' ? statuses.saw(answer) : answer;
    };

    test('a plain mark weighs a quarter, and stands in the rows, the events and the public log', async () => {
      const given = { key: 'Acme/Marked#12', agent: 'b2', kind: 'declined', note: 'needs\u200b  hardware' };
      const answer = MarkAnswer.parse((await call('mark', given)).json);
      assert.deepEqual(
        [answer.key, answer.key_given, answer.weight, answer.w0_because, answer.half_life_s, answer.repeated],
        ['https://github.com/acme/marked/issues/12', 'Acme/Marked#12', 0.25, [], 259_200, false],
      );
      const { store } = service.service;
      const [row] = await store.read('SELECT seq, rev, note, leased FROM mark WHERE seq = $1', [answer.log]);
      assert.deepEqual({ ...row }, { seq: answer.log, rev: answer.rev, note: 'needs hardware', leased: 0 });
      const [event] = await store.read('SELECT type, body FROM event WHERE rev = $1', [answer.rev]);
      assert.equal(event?.['type'], 'mark');
      assert.match(String(event?.['body']), new RegExp(`"agent":"b2","kind":"declined","log":${answer.log}`));
      const [entry] = await store.read('SELECT leaf FROM entries WHERE seq = $1', [answer.log]);
      assert.match(String(entry?.['leaf']), /"kind":"declined".*"type":"mark"/);
    });

    const leave = (note: string) => call('mark', { key: 'marked thrice', agent: 'a7', kind: 'note', note });
    test('the same mark again on one day is the first one; the fourth other one is refused until midnight', async () => {
      const first = await leave('1');
      const again = await leave('1');
      assert.deepEqual(again.json, { ...first.json, repeated: true, weight: again.json['weight'] });
      await leave('2');
      await leave('3');
      const refused = expectProblem(await leave('4'), 429, 'mark_limit');
      const leftMs = DAY_MS - (clock.now() % DAY_MS);
      assert.equal(refused['retry_after_s'], Math.ceil(leftMs / 1_000));
      assert.equal((await leave('1')).json['repeated'], true);
      assert.equal((await call('mark', { key: 'marked once', agent: 'a7', kind: 'note' })).status, 200);
      const rows = await service.service.store.read('SELECT seq FROM mark WHERE key = $1', ['marked thrice']);
      assert.equal(rows.length, 3);
    });

    const PROOFS: readonly [string, Parameters, 'no lease' | number, number][] = [
      ['evidence', { evidence: LINK }, 'no lease', 0.5],
      ['a digest as evidence', { evidence: `sha256:${'a'.repeat(64)}` }, 'no lease', 0.5],
      ['a lease of the same name and address', {}, 0, 0.5],
      ['a lease of another name from the same address', { agent: 'b2' }, 0, 0.25],
      ['a lease shown by its token', { agent: 'b2', token: TOKEN }, 0, 0.5],
      ['evidence and a lease', { evidence: LINK, token: TOKEN }, 0, 1],
      ['a lease that expired within the day', { token: TOKEN }, 80_000_000, 0.5],
      ['a lease that expired before that', { token: TOKEN }, 87_000_000, 0.25],
    ];
    for (const [index, [what, given, heldFor, weight]] of PROOFS.entries()) {
      test(`a mark with ${what} weighs ${weight}`, async () => {
        const key = `marked with proof ${index}`;
        const lease = heldFor === 'no lease' ? undefined : await leaseOn(key);
        if (typeof heldFor === 'number') clock.advance(heldFor);
        const shown = lease !== undefined && 'token' in given ? { lease } : {};
        const { json } = await call('mark', { key, agent: 'a7', kind: 'done', ...given, ...shown });
        assert.equal(json['weight'], weight, JSON.stringify(json));
      });
    }

    async function leaseOn(key: string): Promise<string> {
      const claimed = await call('claim', { key, agent: 'a7', mode: 'exclusive', ttl: '60', token: TOKEN });
      return String(claimed.json['lease']);
    }

    test('a lease that is shown must be known, its token right and its key the same', async () => {
      const mark = { key: 'marked and shown', agent: 'a7', kind: 'done', token: TOKEN };
      const unknown = await call('mark', { ...mark, lease: 'L000000000000' });
      expectProblem(unknown, 404, 'unknown_lease');
      const lease = await leaseOn('marked and shown');
      expectProblem(await call('mark', { ...mark, lease, token: `other-${TOKEN}` }), 403, 'bad_token');
      expectProblem(await call('mark', { ...mark, lease, key: 'marked once' }), 400, 'invalid_parameters');
    });

    test('the next day counts anew', async () => {
      clock.advance(DAY_MS);
      assert.deepEqual([(await leave('4')).status, (await leave('1')).json['repeated']], [200, false]);
    });

    test('every bad parameter is listed at once', async () => {
      const bad = { key: '', agent: 'a', kind: 'great', note: 'x'.repeat(281), evidence: 'javascript:1', lease: 'M' };
      const body = expectProblem(await call('mark', bad), 400, 'invalid_parameters');
      const pointers = (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).toSorted();
      assert.deepEqual(pointers, ['#/agent', '#/evidence', '#/key', '#/kind', '#/lease', '#/note']);
      const alone = await call('mark', { key: 'k', agent: 'a7', kind: 'done', token: TOKEN });
      expectProblem(alone, 400, 'invalid_parameters');
    });
  });
}

type Caller = (path: string, parameters: Parameters) => Promise<Answer>;

test('a mark by POST, its malformed forms, and 503 while nothing can be written', async () => {
  const service = await sharedService();
  const post = async (body: string, type = 'application/json') =>
    statuses.saw(await service.call('/v1/mark', { method: 'POST', body, headers: { 'content-type': type } }));
  const mark = JSON.stringify({ key: 'posted', agent: 'a7', kind: 'done' });
  expectProblem(await post('{}'), 400, 'invalid_parameters');
  expectProblem(await post(`{"note":"${'x'.repeat(70_000)}"}`), 413, 'body_too_large');
  expectProblem(await post('kind=done', 'application/x-www-form-urlencoded'), 415, 'unsupported_media_type');
  {
    using _lock = lockDatabase(service.dataDir);
    expectProblem(await post(mark), 503, 'storage_unavailable');
  }
  assert.equal((await post(mark)).status, 200);
});
