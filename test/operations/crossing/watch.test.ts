import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, suite, test, type TestContext } from 'node:test';
import { KeyEventAnswer, KeyEvents } from '#areas/crossing/look/look-operations.ts';
import { ManualClock } from '#kernel/clock.ts';
import { retentionUnit } from '#platform/storage/retention.ts';
import { type Answer, Client, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { TestService } from '../../support/service.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';
import { EventReader } from '../../support/sse.ts';
import { until } from '../../support/until.ts';

const statuses = new PromisedStatuses('watch');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

type Parameters = Record<string, string>;
const skip = !(await hasPostgres()) && 'no PostgreSQL here';
const STREAM = { accept: 'text/event-stream' };

async function ask(service: TestService, parameters: Parameters, headers: Parameters = {}): Promise<Answer> {
  return statuses.saw(await service.call(`/v1/watch?${new URLSearchParams(parameters)}`, { headers }));
}

async function poll(service: TestService, parameters: Parameters) {
  const answer = await ask(service, parameters);
  assert.equal(answer.status, 200, answer.text);
  return KeyEvents.parse(answer.json);
}

async function open(service: TestService, parameters: Parameters, headers: Parameters = {}): Promise<EventReader> {
  const url = `${service.url}/v1/watch?${new URLSearchParams(parameters)}`;
  const reader = await EventReader.open(url, { ...STREAM, ...headers });
  assert.equal(reader.response.statusCode, 200);
  return reader;
}

async function write(
  service: TestService,
  call: 'claim' | 'release' | 'mark',
  parameters: Parameters,
): Promise<Record<string, string>> {
  const answer = await service.call(`/v1/${call}?${new URLSearchParams(parameters)}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json as Record<string, string>;
}

/** From now on no wait of a poll ends by its time: the machine may be slower than that. */
function holdWaits(t: TestContext): void {
  t.mock.timers.enable({ apis: ['AbortSignal.timeout' as 'setTimeout'] });
}

const revs = (events: readonly { readonly id: string }[]) => events.map(({ id }) => Number(id));

for (const engine of ENGINES) {
  suite(`watch on ${engine}`, { skip: engine === 'postgres' && skip }, () => {
    const clock = new ManualClock();
    let service: TestService;
    before(async () => {
      service = await TestService.start({ engine, clock });
    });
    after(() => service[Symbol.asyncDispose]());

    test('each change of the key is an event with its revision, and changes of other keys are none', async () => {
      const key = 'watched';
      await using reader = await open(service, { key });
      assert.equal(reader.response.headers['content-type'], 'text/event-stream');
      const { lease, token } = await write(service, 'claim', { key, agent: 'a7', mode: 'exclusive' });
      await write(service, 'claim', { key: 'other', agent: 'a7' });
      await write(service, 'claim', { key, agent: 'a7', lease: lease ?? '', token: token ?? '' });
      await write(service, 'mark', { key, agent: 'b2', kind: 'failed', note: 'no tools' });
      const { rev } = await write(service, 'release', { lease: lease ?? '', token: token ?? '' });
      const events = await reader.take(4);
      const [claim, refresh, mark, release] = events.map(({ id, event, data }) => {
        const shown = KeyEventAnswer.parse(data);
        assert.deepEqual([id, event, shown.key], [String(shown.rev), shown.type, key]);
        return shown;
      });
      assert.deepEqual(
        [claim?.type, refresh?.type, mark?.type, release?.type],
        ['claim', 'refresh', 'mark', 'release'],
      );
      assert.deepEqual([claim?.fence, refresh?.fence, release?.rev], [claim?.rev, claim?.rev, rev]);
      assert.deepEqual([claim?.agent, claim?.mode, mark?.kind, mark?.agent], ['a7', 'exclusive', 'failed', 'b2']);
      assert.equal(typeof mark?.log, 'number');
      assert.ok(!JSON.stringify(events).includes(token ?? ''));
    });

    test('a stream resumes after the last event of its reader, and a poll after a revision', async () => {
      const key = 'resumed';
      const granted: number[] = [];
      for (const agent of ['a1', 'a2', 'a3']) {
        granted.push(Number((await write(service, 'claim', { key, agent }))['rev']));
      }
      const [first = 0, second = 0, third = 0] = granted;
      for (const [parameters, headers] of [
        [{ after: String(first) }, {}],
        [{ after: '0' }, { 'last-event-id': String(first) }],
        [{ last_event_id: String(first) }, {}],
      ] as [Parameters, Parameters][]) {
        await using reader = await open(service, { key, ...parameters }, headers);
        assert.deepEqual(revs(await reader.take(2)), [second, third]);
      }
      const polled = await poll(service, { key, after: String(first) });
      assert.deepEqual([polled.events.map(({ rev }) => rev), polled.rev], [[second, third], third]);
      assert.deepEqual((await poll(service, { key, after: String(third) })).events, []);
      assert.deepEqual((await poll(service, { key })).events, []);
    });

    test('look, then watch after its revision, misses nothing while others write', async () => {
      const key = 'busy';
      const done = Promise.all(
        Array.from({ length: 20 }, (_, n) => write(service, 'claim', { key, agent: `agent-${n}` })),
      );
      const { json: light } = await service.call(`/v1/look?key=${key}`);
      await using reader = await open(service, { key, after: String(light['rev']) });
      const seen = new Set((light['holders'] as { agent: string }[]).map(({ agent }) => agent));
      const written = await done;
      const last = Math.max(...written.map(({ rev }) => Number(rev)));
      const told: number[] = [];
      while ((told.at(-1) ?? Number(light['rev'])) < last) {
        const [event] = await reader.take(1);
        told.push(Number(event?.id));
        seen.add(String(event?.data['agent']));
      }
      assert.equal(seen.size, 20);
      assert.deepEqual(
        told,
        told.toSorted((a, b) => a - b),
      );
    });

    test('a poll waits for the next change, and its wait has an end', async (t) => {
      const key = 'awaited';
      holdWaits(t);
      const { rev: earlier } = await write(service, 'claim', { key: 'unrelated', agent: 'a7' });
      const waiting = poll(service, { key, after: String(earlier), wait: '25' });
      await write(service, 'claim', { key: 'unrelated too', agent: 'a7' });
      const claimed = write(service, 'claim', { key, agent: 'a7' });
      const { events, rev } = await waiting;
      assert.deepEqual([events.length, events[0]?.rev], [1, Number((await claimed)['rev'])]);
      t.mock.timers.reset();
      assert.deepEqual((await poll(service, { key, after: String(rev), wait: '1' })).events, []);
    });

    test('a lease of a watched key that nobody refreshes ends at its time, clearance included', async () => {
      await using shared = await open(service, { key: 'shared' });
      const early = await write(service, 'claim', { key: 'alone', agent: 'a7', mode: 'exclusive', ttl: '30' });
      await using alone = await open(service, { key: 'alone' });
      await write(service, 'claim', { key: 'shared', agent: 'a7', ttl: '30' });
      await write(service, 'claim', { key: 'unwatched', agent: 'a7', ttl: '30' });
      // The sweep of all keys runs now, and not again within thirty seconds.
      clock.advance(10_000);
      await service.heartbeat();
      clock.advance(20_000);
      const [, expired] = await shared.take(2);
      assert.deepEqual([expired?.event, expired?.data['agent']], ['expire', 'a7']);
      const isThere = async (key: string) =>
        (await service.service.store.read('SELECT key FROM lease WHERE key = $1', [key])).length > 0;
      assert.deepEqual(
        [await isThere('shared'), await isThere('alone'), await isThere('unwatched')],
        [false, true, true],
      );
      clock.advance(15_000);
      const [cleared] = await alone.take(1);
      assert.deepEqual([cleared?.event, cleared?.data['fence']], ['expire', early['fence']]);
    });

    test('a revision whose events are dropped is 410, one that is to come is 400', async () => {
      const key = 'old';
      const { rev } = await write(service, 'claim', { key, agent: 'a7' });
      while ((await service.service.store.run(retentionUnit, { keptMs: 0 })) > 0);
      const next = await write(service, 'claim', { key, agent: 'b2' });
      const body = expectProblem(
        await ask(service, { key, after: String(Number(rev) - 1) }),
        410,
        'revision_compacted',
      );
      const oldest = Number(body['oldest_rev']);
      // Something of another test may have expired in between.
      assert.ok(oldest > Number(rev) && oldest <= Number(next['rev']), `${rev} ${oldest} ${next['rev']}`);
      expectProblem(await ask(service, { key, after: '0' }, STREAM), 410, 'revision_compacted');
      assert.equal((await poll(service, { key, after: String(rev) })).events.length, 1);
      const beyond = String(Number(next['rev']) + 1_000);
      expectProblem(await ask(service, { key, after: beyond }), 400, 'invalid_parameters');
      expectProblem(await ask(service, { key }, { ...STREAM, 'last-event-id': beyond }), 400, 'invalid_parameters');
    });
  });
}

test('what another process does comes too, and an expiry is told once', { skip }, async () => {
  const dataDir = await temporaryDirectory();
  const databaseUrl = await freshDatabase('postgres');
  {
    const clock = new ManualClock();
    await using one = await TestService.start({ dataDir, databaseUrl, clock });
    await using other = await TestService.start({ dataDir, databaseUrl, clock });
    await using here = await open(one, { key: 'k' });
    await using there = await open(other, { key: 'k' });
    const { rev } = await write(other, 'claim', { key: 'k', agent: 'a7', ttl: '30' });
    assert.deepEqual(revs(await here.take(1)), [rev]);
    clock.advance(30_000);
    const [expired] = await here.take(1);
    assert.equal(expired?.event, 'expire');
    await write(one, 'claim', { key: 'k', agent: 'b2' });
    const events = (await there.take(3)).map(({ event }) => event);
    assert.deepEqual(events, ['claim', 'expire', 'claim']);
  }
  await rm(dataDir, { recursive: true });
});

test('an address has at most ten watches, streams and waits together, and one that ends makes room', async (t) => {
  holdWaits(t);
  const service = await TestService.start({ env: { AVOUCH_TRUSTED_PROXIES: '127.0.0.1' } });
  const from = { 'x-forwarded-for': '192.0.2.1' };
  const readers = await Promise.all(Array.from({ length: 9 }, () => open(service, { key: 'k' }, from)));
  const client = new Client();
  const waiting = client.call(service.url, '/v1/watch?key=k&wait=25', { headers: from });
  // One that may not be there yet is tried until it is: then the eleventh is refused.
  await until('an eleventh watch that is refused', async () => {
    const tried = await EventReader.open(`${service.url}/v1/watch?key=k`, { ...STREAM, ...from });
    tried.response.destroy();
    return tried.response.statusCode === 429;
  });
  expectProblem(await ask(service, { key: 'k' }, { ...STREAM, ...from }), 429, 'too_many_streams');
  expectProblem(await ask(service, { key: 'k', wait: '1' }, from), 429, 'too_many_streams');
  assert.equal((await ask(service, { key: 'k' }, from)).status, 200);
  await using elsewhere = await open(service, { key: 'k' }, { 'x-forwarded-for': '192.0.2.2' });
  readers.pop()?.response.destroy();
  await until('room for another', async () => {
    const tried = await EventReader.open(`${service.url}/v1/watch?key=k`, { ...STREAM, ...from });
    readers.push(tried);
    return tried.response.statusCode === 200;
  });
  // A stop ends streams and waits at once and whole.
  await service[Symbol.asyncDispose]();
  assert.deepEqual(KeyEvents.parse((await waiting).json).events, []);
  assert.equal(await elsewhere.next(), undefined);
  assert.equal(elsewhere.response.complete, true);
  client.close();
});

test('bad parameters are named together, and opening is limited as reads', async () => {
  const service = await sharedService();
  const body = expectProblem(await ask(service, { after: '-1', wait: '26', agent: 'a7' }), 400, 'invalid_parameters');
  const named = (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer.slice(2)).toSorted();
  assert.deepEqual(named, ['after', 'agent', 'key', 'wait']);
  assert.equal((await ask(service, { key: 'k' })).status, 200);
  await expectLimited(statuses, (limited) => limited.call('/v1/watch', { headers: STREAM }));
});
