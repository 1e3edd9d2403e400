import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, suite, test } from 'node:test';
import { verifyPolicyCheckpoint } from '#protocol/policy-checkpoint.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { TestService } from '../../support/service.ts';
import { BEGUN, exportLedger, nowSeconds, policyOf, sealRecord, treeHead } from '../../support/log.ts';
import { EventReader } from '../../support/sse.ts';
import { from, openStreams } from './open-streams.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedLogOn, sharedService } from '../../support/shared-service.ts';

const PATH = '/api/attest/stream';
const statuses = new PromisedStatuses('attest_stream');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

async function refused(service: TestService, query: string, headers: Record<string, string> = {}): Promise<Answer> {
  return statuses.saw(await service.call(`${PATH}${query}`, { headers }));
}

async function open(service: TestService, query = '', headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await EventReader.open(`${service.url}${PATH}${query}`, headers);
  assert.equal(reader.response.statusCode, 200);
  statuses.saw({ status: 200 } as Answer);
  return reader;
}

async function idsOf(reader: EventReader, count: number): Promise<number[]> {
  return (await reader.take(count)).map(({ id }) => Number(id));
}

for (const engine of ENGINES) {
  suite(`attest_stream on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('each entry is an event with the members of the ledger and a signed head that covers it', async () => {
      const service = await sharedLogOn(engine);
      await using reader = await open(service);
      assert.equal(reader.response.headers['content-type'], 'text/event-stream');
      assert.equal(reader.response.headers['cache-control'], 'no-store');
      for (let n = 0; n < 4; n += 1) await sealRecord(service, `s${n}`);
      const { tree_size: all } = await treeHead(service);
      const events = await reader.take(all);
      const policy = await policyOf(service);
      const entries = await exportLedger(service, policy);
      for (const [seq, { id, event, data }] of events.entries()) {
        const { checkpoint, tree_size: size, ...entry } = data;
        assert.deepEqual([id, event, entry], [String(seq), entries[seq]?.type, entries[seq]]);
        const signed = verifyPolicyCheckpoint(String(checkpoint), policy, nowSeconds());
        assert.equal(Number(signed.checkpoint.size), size);
        assert.ok(Number(size) > seq);
      }
    });

    test('a stream resumes after the last event of its reader, whatever the address says', async () => {
      const service = await sharedLogOn(engine);
      for (let n = 0; n < 5; n += 1) await sealRecord(service, `s${n}`);
      const last = (await treeHead(service)).tree_size - 1;
      const resumptions: [string, Record<string, string>, number][] = [
        ['?from_seq=3', {}, 3],
        ['?from_seq=0', { 'last-event-id': '3' }, 4],
        ['', { 'last-event-id': '0' }, 1],
        [`?last_event_id=${last - 1}`, {}, last],
      ];
      for (const [query, headers, first] of resumptions) {
        await using reader = await open(service, query, headers);
        assert.equal((await reader.next())?.id, String(first), `${query} ${JSON.stringify(headers)}`);
      }
      await using waiting = await open(service, '', { 'last-event-id': String(last) });
      await sealRecord(service, 'next');
      assert.equal((await waiting.next())?.id, String(last + 1));
    });

    test('every reader sees every entry once and in order while the log grows, a slow one too', async () => {
      const service = await sharedLogOn(engine);
      await using slow = await open(service);
      slow.response.pause();
      await using early = await open(service);
      await Promise.all(Array.from({ length: 60 }, (_, n) => sealRecord(service, `s${n}`)));
      const fromSeq = (await treeHead(service)).tree_size - 20;
      await using late = await open(service, `?from_seq=${fromSeq}`);
      await Promise.all(Array.from({ length: 90 }, (_, n) => sealRecord(service, `t${n}`)));
      const all = Array.from({ length: (await treeHead(service)).tree_size }, (_, seq) => seq);
      assert.deepEqual(await idsOf(early, all.length), all);
      assert.deepEqual(await idsOf(late, all.length - fromSeq), all.slice(fromSeq));
      slow.response.resume();
      assert.deepEqual(await idsOf(slow, all.length), all);
    });

    test('beyond the end of the log is 416, and its end is not', async () => {
      const service = await sharedLogOn(engine);
      const { tree_size: size } = await treeHead(service);
      const body = expectProblem(await refused(service, `?from_seq=${size + 1}`), 416, 'beyond_the_log');
      assert.equal(body['tree_size'], size);
      expectProblem(await refused(service, '', { 'last-event-id': String(size) }), 416, 'beyond_the_log');
      await using reader = await open(service, `?from_seq=${size}`);
      await sealRecord(service, 'first');
      assert.equal((await reader.next())?.id, String(size));
    });

    test('a stop of the service ends the stream', async () => {
      const service = await TestService.start({ engine });
      await using reader = await open(service, `?from_seq=${BEGUN}`);
      await service[Symbol.asyncDispose]();
      assert.equal(await reader.next(), undefined);
      assert.equal(reader.response.complete, true);
    });
  });
}

test('an entry that another process seals comes too', {
  skip: !(await hasPostgres()) && 'no PostgreSQL here',
}, async () => {
  const dataDir = await temporaryDirectory();
  const databaseUrl = await freshDatabase('postgres');
  {
    await using one = await TestService.start({ dataDir, databaseUrl });
    await using other = await TestService.start({ dataDir, databaseUrl });
    await using reader = await open(one, `?from_seq=${BEGUN}`);
    for (let n = 0; n < 3; n += 1) {
      const { json } = await sealRecord(other, `s${n}`);
      assert.equal((await reader.next())?.data['attestation_id'], json['attestation_id']);
    }
  }
  await rm(dataDir, { recursive: true });
});

// The process and its 1,000 are in attest_stream.more.ts, and with smaller figures in streams.test.ts.
test('an address has at most ten streams, and still reads pages', async () => {
  await using full = await openStreams(1);
  expectProblem(await full.refused(0), 429, 'too_many_streams');
  assert.equal((await full.service.call('/api/attest/ledger', { headers: from(0) })).status, 200);
});

test('bad parameters are refused and opening is limited', async () => {
  const service = await sharedService();
  for (const query of ['?from_seq=-1', '?from_seq=x', '?last_event_id=-1', '?limit=1', '?from_seq=1&from_seq=1']) {
    expectProblem(await refused(service, query), 400, 'invalid_parameters');
  }
  for (const id of ['', 'x']) {
    expectProblem(await refused(service, '', { 'last-event-id': id }), 400, 'invalid_parameters');
  }
  expectProblem(await refused(service, '?last_event_id=0', { 'last-event-id': '1' }), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => refused(limited, '?limit=1'));
});
