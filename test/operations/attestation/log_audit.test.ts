import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import pg from 'pg';
import type { z } from 'zod';
import { AuditAnswer } from '#areas/attestation/log/log-operations.ts';
import { ManualClock, systemClock } from '#kernel/clock.ts';
import type { AuditReport } from '#platform/log/audit-report.ts';
import { Auditor } from '#platform/log/auditor.ts';
import { attestationId } from '#protocol/attestation/attestation-id.ts';
import { leafHash } from '#protocol/merkle.ts';
import { openReader } from '#platform/storage/reader.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres, PATIENCE } from '../../support/databases.ts';
import { until } from '../../support/until.ts';
import { expectLimited } from '../../support/refusals.ts';
import { TestService } from '../../support/service.ts';
import { BEGUN, postSeal, sealRecord, tamper, tampered, treeHead } from '../../support/log.ts';

const statuses = new PromisedStatuses('log_audit');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

type Report = z.output<typeof AuditAnswer>;
type KeyRow = { readonly alg: string; readonly vkey: string | null };

async function audit(service: TestService, query = ''): Promise<Report> {
  return AuditAnswer.parse(statuses.saw(await service.call(`/api/astralock/audit${query}`)).json);
}

/** What audits the log of a service and remembers nothing yet, as that of a service that has just started. */
async function newAuditor(service: TestService): Promise<{ run(): Promise<AuditReport> } & AsyncDisposable> {
  const { databaseUrl: url, dataDir } = service;
  const reader = await openReader(
    url === undefined ? { file: join(dataDir, 'avouch.db') } : { url, patience: PATIENCE },
  );
  const auditor = new Auditor(reader, systemClock());
  const { tree_size: size, root_hash: rootHex, vkeys } = await treeHead(service);
  return {
    run: () =>
      auditor.run({ head: { size, rootHex }, vkeys, range: null, scrub: { entries: 50_000, ms: 60_000 }, nowMs: 0 }),
    [Symbol.asyncDispose]: () => reader.close(),
  };
}

/** A service with the declarations of its keys, two accepted seals and a rejected one. */
async function withSeals(engine: 'sqlite' | 'postgres', clock: ManualClock): Promise<TestService> {
  const service = await TestService.start({ engine, clock });
  for (const statement of ['one', 'two']) assert.equal((await sealRecord(service, statement)).status, 201);
  assert.equal((await postSeal(service, { schema_id: 'record.integrity.v1', claim: {} })).status, 201);
  return service;
}

/** What changes a leaf together with its hash and id, as somebody would who wants it to look right. */
async function forgery(service: TestService, seq: number, edit: (leaf: string) => string): Promise<string> {
  const [row] = await service.service.store.read('SELECT leaf FROM entries WHERE seq = $1', [seq]);
  const leaf = edit(row?.['leaf'] as string);
  assert.notEqual(leaf, row?.['leaf']);
  const hash = leafHash(Buffer.from(leaf));
  const values = `leaf = '${leaf}', leaf_hash = '${Buffer.from(hash).toString('hex')}', attestation_id = '${attestationId(hash)}'`;
  return `UPDATE entries SET ${values} WHERE seq = ${seq}`;
}

interface Spoiled {
  readonly what: string;
  readonly spoil: string | ((service: TestService) => Promise<string>);
  readonly finds: RegExp;
  readonly ids?: false;
  /** Null where it depends on the moments of the seals. */
  readonly times?: false | null;
  /** The leaves are other ones, so they give another root. */
  readonly root?: false;
}

const SIZE = BEGUN + 3;
/** After so long a call goes over what was verified before. */
const WALK_MS = 60_000;

const SPOILED: readonly Spoiled[] = [
  {
    what: 'a changed byte of a leaf',
    spoil: `UPDATE entries SET leaf = replace(leaf, '"fee_eurocents":25', '"fee_eurocents":26') WHERE seq = 4`,
    finds: /entry 4 does not hash to its id/,
    ids: false,
    root: false,
  },
  {
    what: 'a changed id',
    spoil: `UPDATE entries SET attestation_id = 'ATT-${'A'.repeat(52)}' WHERE seq = 5`,
    finds: /entry 5 does not hash to its id/,
    ids: false,
  },
  {
    what: 'an id that is too short',
    spoil: `UPDATE entries SET attestation_id = 'ATT-A' WHERE seq = 5`,
    finds: /entry 5 does not hash to its id/,
    ids: false,
  },
  {
    what: 'a changed hash',
    spoil: `UPDATE entries SET leaf_hash = '${'0'.repeat(64)}' WHERE seq = 5`,
    finds: /entry 5 does not hash to its id/,
    ids: false,
  },
  {
    what: 'two entries that changed places',
    spoil:
      'UPDATE entries SET seq = 99 WHERE seq = 4; UPDATE entries SET seq = 4 WHERE seq = 5; UPDATE entries SET seq = 5 WHERE seq = 99',
    finds: /the entries hash to [0-9a-f]{64}, signed is/,
    times: null,
    root: false,
  },
  {
    what: 'an entry that is gone',
    spoil: 'DELETE FROM entries WHERE seq = 4',
    finds: /entry 4 is missing/,
    root: false,
  },
  {
    what: 'a checkpoint without its signature',
    spoil: `UPDATE checkpoints SET note = substr(note, 1, 60) WHERE size = 5`,
    finds: /the checkpoint of size 5 is not signed by a key of the log/,
  },
  {
    what: 'a checkpoint that was signed for another size',
    spoil: 'UPDATE checkpoints SET note = (SELECT note FROM checkpoints WHERE size = 6) WHERE size = 5',
    finds: /the checkpoint of size 5 is not signed by a key of the log/,
  },
  {
    what: 'the newest checkpoint gone',
    spoil: 'DELETE FROM checkpoints WHERE size = 7',
    finds: /the checkpoint of size 7 is missing/,
  },
  {
    what: 'an entry dated before the one in front of it',
    spoil: (service) =>
      forgery(service, 5, (leaf) => leaf.replace(/"sealed_at":"[^"]+"/, '"sealed_at":"2001-02-03T04:05:06.789Z"')),
    finds: /entry 5 is dated before the one in front of it/,
    times: false,
    root: false,
  },
  {
    what: 'another verdict',
    spoil: (service) =>
      forgery(service, 4, (leaf) =>
        leaf.replace('"code":null', '"code":"statement_missing"').replace('ACCEPT', 'REJECT'),
      ),
    finds: /entry 4: the check verdict_reexecuted failed/,
    root: false,
  },
  {
    what: 'a changed claim',
    spoil: `UPDATE records SET claim = '{"statement":"other"}' WHERE seq = 4`,
    finds: /entry 4: the check claim_commitment failed/,
  },
  {
    what: 'a claim that is no JSON',
    spoil: `UPDATE records SET claim = '{' WHERE seq = 4`,
    finds: /entry 4: its record cannot be read/,
  },
  {
    what: 'a record that is gone',
    spoil: 'DELETE FROM records WHERE seq = 4',
    finds: /entry 4: its record is gone and no erasure is recorded/,
  },
  {
    what: 'a leaf that is no entry',
    spoil: `UPDATE entries SET leaf = 'no entry' WHERE seq = 5`,
    finds: /entry 5: its leaf does not have the format of this log/,
    ids: false,
    root: false,
  },
  {
    what: 'a leaf of two lines',
    spoil: `UPDATE entries SET leaf = '{\n}' WHERE seq = 6`,
    finds: /entry 6: its leaf does not have the format of this log/,
    ids: false,
    root: false,
  },
  {
    what: 'another type beside a leaf',
    spoil: `UPDATE entries SET type = 'mark' WHERE seq = 4`,
    finds: /entry 4: it is stored under another type/,
  },
];

for (const engine of ENGINES) {
  suite(`audit on ${engine}`, { skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' }, () => {
    const clock = new ManualClock(Date.parse('2026-11-16T08:00:00Z'));
    let service: TestService;
    before(async () => {
      service = await withSeals(engine, clock);
    });
    after(() => service[Symbol.asyncDispose]());

    for (const { what, spoil, finds, ids = true, times = true, root = true } of SPOILED) {
      test(`${what} is found, also after an audit that found nothing, and by every later one`, async () => {
        await using auditor = await newAuditor(service);
        assert.deepEqual((await auditor.run()).problems, []);
        await using _spoiled = await tampered(service, typeof spoil === 'string' ? spoil : await spoil(service));
        for (let calls = 0; calls < 2; calls += 1) {
          const report = await auditor.run();
          assert.match(report.problems.join('\n'), finds);
          assert.deepEqual([report.ok, report.idsOk], [false, ids]);
          if (times !== null) assert.equal(report.timeMonotone, times);
          assert.equal(report.rootRecomputed === report.rootSigned, root);
        }
      });
    }

    test('a range that the log does not have, or that has no entry, is refused', async () => {
      for (const query of ['from=8', 'to=8', 'from=2&to=50001']) {
        const answer = statuses.saw(await service.call(`/api/astralock/audit?${query}`));
        assert.equal(expectProblem(answer, 416, 'beyond_the_log')['tree_size'], SIZE);
      }
      for (const query of ['from=7', 'from=2&to=2', 'from=3&to=1', 'to=0', 'from=-1', 'to=x', 'deep=1']) {
        expectProblem(statuses.saw(await service.call(`/api/astralock/audit?${query}`)), 400, 'invalid_parameters');
      }
    });

    test('an untouched log is sound, and a later audit goes on with what was added', async () => {
      const first = await audit(service);
      assert.deepEqual(
        [first.ok, first.tree_size, first.entries_rehashed, first.verdicts_reexecuted, first.rejects, first.problems],
        [true, SIZE, SIZE, SIZE, 1, []],
      );
      assert.deepEqual([first.full, first.checkpoints_checked, first.erased], [true, 5, 0]);
      assert.deepEqual([first.witness_lag_entries, first.last_anchor], [null, null]);
      assert.equal(first.root_recomputed, first.root_signed);
      const { json: published } = await service.call('/.well-known/avouch-keys.json');
      const vkeyOf = (alg: string) => (published['keys'] as KeyRow[]).find((key) => key.alg === alg && key.vkey)?.vkey;
      const key = { role: 'root', scope: 'log-checkpoint', superseded_by: null };
      const [ed25519, , mlDsa] = await service.service.store.read('SELECT attestation_id FROM entries ORDER BY seq');
      assert.deepEqual(
        first.keys.toSorted((a, b) => a.vkey.length - b.vkey.length),
        [
          { ...key, vkey: vkeyOf('ed25519'), declared_in: ed25519?.['attestation_id'] },
          { ...key, vkey: vkeyOf('ml-dsa-44'), declared_in: mlDsa?.['attestation_id'] },
        ],
      );
      await sealRecord(service, 'three');
      const second = await audit(service);
      assert.deepEqual([second.ok, second.entries_rehashed, second.checkpoints_checked], [true, SIZE + 1, 6]);
      assert.deepEqual([first.entries_read, second.entries_read, second.read_since], [SIZE, 1, first.audited_at]);
      clock.advance(1_000);
      const again = await audit(service);
      assert.deepEqual(
        [again.audited_at, again.tree_size],
        [second.audited_at, second.tree_size],
        'says how old it is',
      );
    });

    test('audits beside writes find nothing, and those at one time share a report', async () => {
      const { tree_size: size } = await audit(service);
      const seals = Array.from({ length: 60 }, (_, number) => sealRecord(service, `statement ${number}`));
      const reports = await Promise.all(Array.from({ length: 12 }, () => audit(service)));
      for (const { status } of await Promise.all(seals)) assert.equal(status, 201);
      for (const { problems } of reports) assert.deepEqual(problems, []);
      const last = await audit(service);
      assert.deepEqual([last.ok, last.tree_size, last.verdicts_reexecuted], [true, size + 60, size + 60]);
    });

    test('an erased claim is no fault and is counted', async () => {
      const { json } = await sealRecord(service, 'to be erased');
      const earlier = await audit(service);
      const body = { attestation_id: json['attestation_id'], disclosure_seed: json['disclosure_seed'] };
      assert.equal((await service.call('/api/attest/erase', { method: 'POST', body })).status, 200);
      const report = await audit(service);
      assert.deepEqual(
        [report.ok, report.erased, report.tree_size, report.verdicts_reexecuted],
        [true, earlier.erased + 1, earlier.tree_size + 1, earlier.verdicts_reexecuted],
      );
    });

    if (engine === 'postgres') {
      test('a lost database is a 503 that says when to come back, and audits go on afterwards', async () => {
        assert.equal((await audit(service)).ok, true);
        const url = new URL(service.databaseUrl ?? '');
        const name = url.pathname.slice(1);
        const admin = new pg.Client({ connectionString: new URL('/postgres', url).href });
        await admin.connect();
        await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
        await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
        const refused = await service.call('/api/astralock/audit');
        await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
        await admin.end();
        assert.deepEqual([refused.status, refused.json['code']], [503, 'storage_unavailable']);
        const isBack = async () => (await service.call('/api/astralock/audit')).status === 200;
        await until('audits to go on', isBack);
        assert.equal((await audit(service)).ok, true);
      });
    }

    // Last: what an audit found once, the service tells for ever.
    test('a range is audited alone and joined to the signed root', async () => {
      await using _claim = await tampered(service, `UPDATE records SET claim = '{"statement":"other"}' WHERE seq = 5`);
      const { tree_size: size } = await treeHead(service);
      const sound = await audit(service, '?from=0&to=5');
      assert.deepEqual(
        [sound.ok, sound.full, sound.range, sound.tree_size, sound.entries_rehashed, sound.checkpoints_checked],
        [true, false, { from: 0, to: 5 }, size, 5, 3],
      );
      assert.equal(sound.root_recomputed, sound.root_signed);
      const broken = await audit(service, '?from=5&to=7');
      assert.deepEqual([broken.ok, broken.range, broken.verdicts_reexecuted], [false, { from: 5, to: 7 }, 2]);
      assert.match(broken.problems.join(), /^Entry 5: the check claim_commitment failed\.$/);
      await tamper(service, `UPDATE entries SET leaf = 'x' WHERE seq = 6`);
      const other = await audit(service, '?from=6&to=7');
      assert.notEqual(other.root_recomputed, other.root_signed);
    });

    test('what was found is told with every later audit, also when nobody sees it any more', async () => {
      {
        await using _changed = await tampered(
          service,
          `UPDATE entries SET leaf = replace(leaf, '"fee_eurocents":25', '"fee_eurocents":26') WHERE seq = 4`,
        );
        clock.advance(WALK_MS);
        const { ok, ids_ok, problems } = await audit(service);
        assert.deepEqual([ok, ids_ok], [false, false]);
        assert.match(problems.join('\n'), /Entry 4 does not hash to its id\./);
      }
      assert.match((await audit(service)).problems.join('\n'), /Entry 4 does not hash to its id\./);
    });
  });
}

test('audits are limited like other reads', async () => {
  await expectLimited(statuses, (limited) => limited.call('/api/astralock/audit?deep=1'));
});
