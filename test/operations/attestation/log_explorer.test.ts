import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { type EntryRow, LogExplorer } from '#areas/attestation/explorer/explorer-answers.ts';
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
  });
}

test('bad parameters are refused and reads are limited', async () => {
  const service = await sharedLogOn('sqlite');
  const read = async (query: string) => statuses.saw(await service.call(`/log${query}`));
  for (const query of [`?q=${'x'.repeat(201)}`, '?before=-1', '?other=1']) {
    expectProblem(await read(query), 400, 'invalid_parameters');
  }
  await expectLimited(statuses, (limited) => limited.call('/log?other=1'));
});
