import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { z } from 'zod';
import { LedgerPage } from '#areas/attestation/log/log-operations.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';
import { assertPage, BEGUN, policyOf, sealMany, sealRecord, tampered, treeHead } from '../../support/log.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('attest_ledger');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

function lines(service: TestService, query: string): Promise<Answer> {
  return service.call(`/api/attest/ledger${query}`, { headers: { accept: 'application/x-ndjson' } });
}

/** The page that the lines are together. */
function pageOf(text: string): z.output<typeof LedgerPage> {
  assert.ok(text.endsWith('\n'));
  const read = text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return LedgerPage.parse({ ...read.at(-1), entries: read.slice(0, -1) });
}

async function ledger(service: TestService, query: string): Promise<Answer> {
  return statuses.saw(await service.call(`/api/attest/ledger${query}`));
}

for (const engine of ENGINES) {
  suite(`attest_ledger on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    let service: TestService;
    // Of its own: it is tampered with.
    before(async () => {
      service = await TestService.start({ engine });
    });
    after(() => service[Symbol.asyncDispose]());

    test('the end of the log is an empty page, and beyond it is 416', async () => {
      const { tree_size: size } = await treeHead(service);
      assert.deepEqual((await ledger(service, `?from_seq=${size}`)).json['entries'], []);
      const body = expectProblem(await ledger(service, `?from_seq=${size + 1}`), 416, 'beyond_the_log');
      assert.equal(body['tree_size'], size);
      expectProblem(await ledger(service, '?from_seq=9007199254740991'), 416, 'beyond_the_log');
    });

    test('the first entry declares the key of the log, and ids are those of the answers', async () => {
      const { json: sealed } = await sealRecord(service, 'a');
      const page = LedgerPage.parse((await ledger(service, '')).json);
      const [inception] = page.entries;
      const entry = page.entries[Number(sealed['seq'])];
      assert.equal(inception?.entry['schema_id'], 'protocol.key.declaration.v1');
      const { vkeys } = (await service.call('/api/astralock/sth')).json as { vkeys: string[] };
      assert.deepEqual(inception?.entry['claim'], { public_key: vkeys[0], role: 'root', scope: 'log-checkpoint' });
      assert.deepEqual(
        [entry?.attestation_id, entry?.leaf_hash, entry?.entry_b64, entry?.type],
        [sealed['attestation_id'], sealed['leaf_hash'], sealed['entry'], 'seal'],
      );
    });

    test('every page of every cut verifies alone against its checkpoint', async () => {
      await Promise.all(Array.from({ length: 6 }, (_, n) => sealRecord(service, `s${n}`)));
      const policy = await policyOf(service);
      const { tree_size: size } = await treeHead(service);
      for (let from = 0; from <= size; from += 1) {
        for (const limit of [1, 2, 5, 1_024]) {
          const page = LedgerPage.parse((await ledger(service, `?from_seq=${from}&limit=${limit}`)).json);
          assertPage(page, policy);
          assert.deepEqual([page.from_seq, page.tree_size], [from, size]);
          assert.equal(page.next_seq, Math.min(size, from + limit));
          assert.equal(page.entries.length, page.next_seq - from);
        }
      }
    });

    test('a page that is pinned to a signed size never changes and may be kept for ever', async () => {
      const policy = await policyOf(service);
      for (let n = 0; n < 3; n += 1) await sealRecord(service, `s${n}`);
      const pinned = ['', '&from_seq=1&limit=1', `&from_seq=${BEGUN}`]
        .map((rest) => `?tree_size=${BEGUN}${rest}`)
        .concat('?tree_size=1');
      const first = await Promise.all(pinned.map((query) => ledger(service, query)));
      await sealRecord(service, 'later');
      for (const [index, query] of pinned.entries()) {
        const answer = await ledger(service, query);
        assert.equal(answer.text, first[index]?.text, query);
        assertPage(LedgerPage.parse(answer.json), policy);
        assert.equal(answer.json['tree_size'], query === '?tree_size=1' ? 1 : BEGUN);
        const { headers } = answer;
        assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
        assert.deepEqual([headers['vary'], headers['access-control-allow-origin']], ['Accept, Accept-Encoding', '*']);
        const known = { headers: { 'if-none-match': String(headers['etag']) } };
        assert.equal((await service.call(`/api/attest/ledger${query}`, known)).status, 304);
      }
      const unpinned = await ledger(service, '');
      assert.deepEqual([unpinned.headers['cache-control'], unpinned.headers['etag']], ['no-store', undefined]);
    });

    test('a size at which the log was not signed is 404, and a page beyond the pinned size 416', async () => {
      const { tree_size: begun } = await treeHead(service);
      // Of a batch only the end is signed.
      await sealMany(service.service.store, 2);
      const unsigned = begun + 1;
      const answers = await Promise.all(
        [1, BEGUN, begun, unsigned, begun + 2, begun + 3].map((size) => ledger(service, `?tree_size=${size}`)),
      );
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 404, 200, 404],
      );
      expectProblem(await ledger(service, `?tree_size=${unsigned}`), 404, 'no_checkpoint');
      expectProblem(await ledger(service, `?tree_size=${begun + 3}`), 404, 'no_checkpoint');
      expectProblem(await ledger(service, '?tree_size=9007199254740991'), 404, 'no_checkpoint');
      const body = expectProblem(await ledger(service, '?tree_size=1&from_seq=2'), 416, 'beyond_the_log');
      assert.equal(body['tree_size'], 1);
    });

    test('a log with a gap is never given as whole lines', async () => {
      for (let n = 0; n < 3; n += 1) await sealRecord(service, `s${n}`);
      const { tree_size: size } = await treeHead(service);
      assert.equal((await ledger(service, '')).json['next_seq'], size);
      await using _gap = await tampered(service, 'DELETE FROM entries WHERE seq = 2');
      for (const answer of [await lines(service, ''), await ledger(service, '')]) {
        expectProblem(answer, 503, 'log_unsound');
        assert.equal(answer.json['seq'], 2);
      }
    });

    test('an entry that is not the signed one any more is never handed out, and the others are', async () => {
      for (let n = 0; n < 3; n += 1) await sealRecord(service, `s${n}`);
      const policy = await policyOf(service);
      const { tree_size: size } = await treeHead(service);
      const changed = size - 2;
      await using _changed = await tampered(
        service,
        `UPDATE entries SET leaf = replace(leaf, '"sandbox":true', '"sandbox":false') WHERE seq = ${changed}`,
      );
      for (const query of ['', `?from_seq=${changed}`, `?tree_size=${size}`]) {
        for (const answer of [await ledger(service, query), await lines(service, query)]) {
          expectProblem(answer, 503, 'log_unsound');
          assert.equal(answer.json['seq'], changed);
        }
      }
      for (const query of [`?limit=${changed}`, `?from_seq=${changed + 1}`]) {
        assertPage(LedgerPage.parse((await ledger(service, query)).json), policy);
      }
    });

    test('as NDJSON the whole log comes in lines, of which the last makes them one page', async () => {
      const policy = await policyOf(service);
      await sealMany(service.service.store, 1_100);
      const { tree_size: size } = await treeHead(service);
      const cuts: [string, number, number][] = [
        ['', 0, size],
        ['?from_seq=1000', 1_000, size],
        ['?from_seq=70&limit=1025', 70, 1_095],
        ['?limit=9007199254740991', 0, size],
        [`?from_seq=${size}`, size, size],
      ];
      for (const [query, from, to] of cuts) {
        const answer = statuses.saw(await lines(service, query));
        assert.deepEqual(
          [answer.headers['content-type'], answer.headers['cache-control']],
          ['application/x-ndjson', 'no-store'],
        );
        const page = pageOf(answer.text);
        assertPage(page, policy);
        assert.deepEqual([page.from_seq, page.next_seq, page.entries.length], [from, to, to - from], query);
      }
      const [first] = LedgerPage.parse((await ledger(service, '?from_seq=5&limit=1')).json).entries;
      assert.deepEqual(pageOf((await lines(service, '?from_seq=5&limit=1')).text).entries, [first]);
      const pinned = pageOf((await lines(service, '?tree_size=1')).text);
      assert.deepEqual([pinned.tree_size, pinned.entries.length], [1, 1]);
      expectProblem(await lines(service, `?from_seq=${size + 1}`), 416, 'beyond_the_log');
    });
  });
}

test('bad parameters are refused and reads are limited', async () => {
  const service = await sharedService();
  for (const query of [
    'from_seq=-1',
    'from_seq=1.5',
    'from_seq=x',
    'limit=0',
    'limit=1025',
    'limit=',
    'tree_size=0',
    'tree_size=x',
    'a=b',
  ]) {
    expectProblem(await ledger(service, `?${query}`), 400, 'invalid_parameters');
  }
  await expectLimited(statuses, (limited) => ledger(limited, ''));
});
