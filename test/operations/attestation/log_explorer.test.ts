import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { type EntryRow, LogExplorer } from '#areas/attestation/explorer/explorer-answers.ts';
import type { LeafEntry } from '#protocol/attestation/leaf-entry.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { sealRecord } from '../../support/log.ts';
import { expectForms } from '../../support/documents.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedLogOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('log_explorer');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

for (const engine of ENGINES) {
  suite(`log_explorer on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('every text that refers to an entry finds it: number, id, each of its digests, lease; others find nothing', async () => {
      const service = await sharedLogOn(engine);
      const show = async (query = '') => {
        const answer = statuses.saw(await service.call(`/log${query}`));
        return LogExplorer.parse(answer.json);
      };
      const { json: first } = await sealRecord(service, 'first');
      const observed = { schema_id: 'vat.vies.v1', claim: { country_code: 'DE', vat_number: '999001001' } };
      const seal = (await service.call('/api/attest/seal', { method: 'POST', body: observed })).json;
      const lease = (await service.call('/v1/claim?key=explored&agent=ab')).json;
      const body = { lease: lease['lease'], token: lease['token'], outcome: 'done' };
      const released = (await service.call('/v1/release', { method: 'POST', body })).json;
      const ledger = (await service.call(`/api/attest/ledger?from_seq=${String(first['seq'])}`)).json;
      const entries = ledger['entries'] as { seq: number; leaf_hash: string; entry: Record<string, unknown> }[];
      for (const { seq, leaf_hash: leaf, entry } of entries) {
        const others = [entry['claim_commitment'], entry['bundle_root']].filter((other) => typeof other === 'string');
        for (const digest of [leaf, leaf.toUpperCase(), ...others]) {
          const { search } = await show(`?q=${digest}`);
          assert.deepEqual([search?.kind, search?.entries.map((row: EntryRow) => row.seq)], ['digest', [seq]]);
        }
      }
      assert.ok(entries.some(({ entry }) => typeof entry['bundle_root'] === 'string'));
      for (const [q, kind, seq] of [
        [String(seal['attestation_id']), 'attestation', seal['seq']],
        [String(seal['seq']), 'log_entry', seal['seq']],
        [String(lease['lease']), 'lease', released['log']],
        [` ${String(seal['seq'])} `, 'log_entry', seal['seq']],
      ] as const) {
        const { search } = await show(`?q=${encodeURIComponent(q)}`);
        assert.deepEqual([search?.kind, search?.found, search?.entries[0]?.seq], [kind, true, seq], q);
      }
      for (const q of ['999999', 'ab'.repeat(32), '<script>', 'Lxxxxxxxxxxxx']) {
        const { search } = await show(`?q=${encodeURIComponent(q)}`);
        assert.deepEqual([search?.found, search?.entries], [false, []], q);
      }
      const newest = await show();
      const seqs = entries.map(({ seq }) => seq).toReversed();
      assert.deepEqual(
        newest.entries.slice(0, seqs.length).map(({ seq }) => seq),
        seqs,
      );
      assert.deepEqual([newest.tree_size, newest.search], [Number(seqs[0]) + 1, null]);
      const oldest = await show('?before=1');
      assert.deepEqual([oldest.entries.map(({ seq }) => seq), oldest.before], [[0], null]);
      await expectForms(service, '/log', /vat\.vies\.v1/);
    });

    test('a filter by kind, verdict or day lists those entries alone, newest first; blank fields filter nothing', async () => {
      const service = await sharedLogOn(engine);
      const show = async (query: string) => LogExplorer.parse(statuses.saw(await service.call(`/log${query}`)).json);
      await sealRecord(service, 'filtered');
      const refused = { schema_id: 'record.integrity.v1', claim: { statement: '' } };
      await service.call('/api/attest/seal', { method: 'POST', body: refused });
      await service.call('/v1/mark?key=filtered&agent=ab&kind=note');
      const ledger = (await service.call('/api/attest/ledger')).json['entries'] as { seq: number; entry: LeafEntry }[];
      const seqsOf = (has: (entry: LeafEntry) => boolean) =>
        ledger
          .filter(({ entry }) => has(entry))
          .map(({ seq }) => seq)
          .toReversed()
          .slice(0, 25);
      const today = ledger.at(-1)?.entry.sealed_at.slice(0, 10) as string;
      for (const [query, has] of [
        ['kind=mark', ({ type }) => type === 'mark'],
        ['kind=record.integrity.v1', (entry) => 'schema_id' in entry && entry.schema_id === 'record.integrity.v1'],
        ['verdict=REJECT', (entry) => 'verdict' in entry && entry.verdict === 'REJECT'],
        ['verdict=ACCEPT&kind=all&q=&from=&to=', (entry) => 'verdict' in entry && entry.verdict === 'ACCEPT'],
        [`kind=mark&from=${today}&to=${today}`, ({ type, sealed_at: at }) => type === 'mark' && at.startsWith(today)],
        ['to=2001-01-01', () => false],
        ['from=2999-01-01', () => false],
      ] as readonly (readonly [string, (entry: LeafEntry) => boolean])[]) {
        const { entries, filter } = await show(`?${query}`);
        assert.deepEqual(
          entries.map(({ seq }) => seq),
          seqsOf(has),
          query,
        );
        assert.ok(filter !== undefined, query);
      }
      assert.ok(seqsOf((entry) => 'verdict' in entry && entry.verdict === 'REJECT').length > 0);
      assert.deepEqual(await show('?kind=all&verdict=all&from=&to='), await show(''));
      const first = await show('?kind=record.integrity.v1');
      if (first.before !== null) {
        const next = await show(`?kind=record.integrity.v1&before=${first.before}`);
        assert.ok((next.entries[0]?.seq ?? -1) < (first.entries.at(-1)?.seq ?? 0), 'the next page goes on');
      }
      await expectForms(service, '/log?kind=mark', /mark/);
    });
  });
}

test('bad parameters are refused and reads are limited', async () => {
  const service = await sharedLogOn('sqlite');
  const read = async (query: string) => statuses.saw(await service.call(`/log${query}`));
  for (const query of [
    `?q=${'x'.repeat(201)}`,
    '?before=-1',
    '?other=1',
    '?kind=x',
    '?verdict=no',
    '?from=1',
    '?to=x',
  ]) {
    expectProblem(await read(query), 400, 'invalid_parameters');
  }
  await expectLimited(statuses, (limited) => limited.call('/log?other=1'));
});
