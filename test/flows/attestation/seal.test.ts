// Sealing as outsiders live it: every verdict, and a log that is checked with nothing but its public key.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import { Seal } from '#areas/attestation/seal-answer.ts';
import { VerificationAnswer } from '#areas/attestation/verify-operations.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { VERDICT_CASES } from '#protocol/attestation/_verdict-cases.ts';
import { type SchemaId, SCHEMAS } from '#protocol/attestation/schemas.ts';
import { leafHash, nodeHash } from '#protocol/merkle.ts';
import { decodeEntryBundle, formatTilePath, tileLayout } from '#protocol/tile.ts';
import { startFaultLines } from '../../../src/cli/start-error.ts';
import { runAvouch } from '../../support/child-service.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { ENGINES, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { serviceEnv, TestService } from '../../support/service.ts';
import {
  assertContinues,
  assertProven,
  BEGUN,
  exportLedger,
  policyOf,
  postSeal,
  sealRecord,
  tamper,
  treeHead,
} from '../../support/log.ts';

interface Case {
  readonly schemaId: SchemaId;
  readonly claim: Readonly<Record<string, unknown>>;
  readonly code: string | null;
}

const OPEN = SCHEMAS.filter(({ document }) => document.sealable_by === 'anyone');
/** Given by what a register said, not by the form of the claim. */
const OBSERVED_CODES = ['registry_unavailable', 'kvk_not_found', 'all_sources_unreachable'];
const KVK = { source: 'kvk', query: '90000001' };

/** Verdicts on form: no register is asked. */
const FORM_CASES: Case[] = OPEN.flatMap(({ id }) =>
  VERDICT_CASES[id]
    .filter(({ code, observations }) => (code === null ? observations === undefined : !OBSERVED_CODES.includes(code)))
    .map(({ claim, code }) => ({ schemaId: id, claim, code })),
);

/** Verdicts on what the sample registers of the sandbox say. */
const OBSERVED_CASES: Case[] = [
  { schemaId: 'vat.vies.v1', claim: { country_code: 'NL', vat_number: '000099998B57' }, code: null },
  { schemaId: 'vat.vies.v1', claim: { country_code: 'NL', vat_number: '000099998b57' }, code: null },
  { schemaId: 'vat.vies.v1', claim: { country_code: 'NL', vat_number: '000000000B00' }, code: null },
  { schemaId: 'vat.vies.v1', claim: { country_code: 'FR', vat_number: '00000000000' }, code: 'registry_unavailable' },
  { schemaId: 'kvk.liveness.v1', claim: { kvk_number: '90000001' }, code: null },
  { schemaId: 'kvk.liveness.v1', claim: { kvk_number: '90000002' }, code: 'kvk_not_found' },
  { schemaId: 'kvk.liveness.v1', claim: { kvk_number: '90000008' }, code: 'registry_unavailable' },
  { schemaId: 'registry.snapshot.v1', claim: { sources: [KVK], purpose: 'onboarding' }, code: null },
  { schemaId: 'registry.snapshot.v1', claim: { sources: [{ ...KVK, source: 'cir' }] }, code: null },
  { schemaId: 'registry.snapshot.v1', claim: { sources: [KVK, { source: 'kvk', query: '90000008' }] }, code: null },
  {
    schemaId: 'registry.snapshot.v1',
    claim: { sources: [{ source: 'kvk', query: '90000008' }] },
    code: 'all_sources_unreachable',
  },
];

test('the cases have every code of every open schema, and an ACCEPT of each', () => {
  for (const { id, document } of OPEN) {
    const codes = [...FORM_CASES, ...OBSERVED_CASES].filter(({ schemaId }) => schemaId === id).map(({ code }) => code);
    const published = document.checks.map(({ code }) => code);
    assert.deepEqual(new Set(codes), new Set<string | null>([null, ...published]), id);
  }
});

const noPostgres = !(await hasPostgres()) && 'no PostgreSQL here';

for (const engine of ENGINES) {
  suite(`sealing on ${engine}`, { skip: engine === 'postgres' && noPostgres }, () => {
    let service: TestService;
    before(async () => {
      service = await TestService.start({ engine });
    });
    after(() => service[Symbol.asyncDispose]());

    test('every verdict is sealed with its code, verifies as valid and is proven offline', async () => {
      const policy = await policyOf(service);
      const cases = [...FORM_CASES, ...OBSERVED_CASES];
      await Promise.all(
        cases.map(async ({ schemaId, claim, code }) => {
          const answer = await postSeal(service, { schema_id: schemaId, claim });
          const why = `${schemaId} ${JSON.stringify(claim).slice(0, 200)} ${answer.text.slice(0, 300)}`;
          assert.equal(answer.status, 201, why);
          const sealed = Seal.parse(answer.json);
          assert.deepEqual([sealed.verdict, sealed.code], [code === null ? 'ACCEPT' : 'REJECT', code], why);
          if (code !== null) assert.equal(sealed.fee.fee_status, 'not_applicable');
          assert.deepEqual(sealed.claim, claim);
          assertProven(answer, policy);
          const verified = await service.call(`/api/attest/verify/${sealed.attestation_id}`);
          const found = VerificationAnswer.parse(verified.json);
          assert.deepEqual([found.valid, found.verdict, found.code], [true, sealed.verdict, code], verified.text);
          assertProven(verified, policy);
        }),
      );
      assert.equal((await exportLedger(service, policy)).length, cases.length + BEGUN);
    });

    test('what is refused leaves the log as it was', async () => {
      const unchanged = await treeHead(service);
      for (const schema of SCHEMAS.filter(({ document }) => document.sealable_by !== 'anyone')) {
        for (const { claim } of VERDICT_CASES[schema.id]) {
          expectProblem(await postSeal(service, { schema_id: schema.id, claim }), 403, 'schema_not_open');
        }
      }
      for (const { id } of OPEN) {
        const unknown = await postSeal(service, { schema_id: id, claim: { unknown: 1 } });
        expectProblem(unknown, 400, 'invalid_parameters');
        const inexact = `{"schema_id":"${id}","claim":{"x":9007199254740993}}`;
        expectProblem(await postSeal(service, inexact), 400, 'invalid_parameters');
      }
      expectProblem(await postSeal(service, '{"schema_id":'), 400, 'malformed_json');
      assert.deepEqual(await treeHead(service), unchanged);
    });

    test('every answered checkpoint is continued by every later one', async () => {
      const seen = [(await treeHead(service)).checkpoint];
      for (let n = 0; n < 8; n += 1) {
        const answers = await Promise.all(Array.from({ length: 1 + (n % 3) }, () => sealRecord(service, `s${n}`)));
        seen.push(...new Set(answers.map(({ json }) => String(json['checkpoint']))));
        await Promise.all(seen.map((earlier) => assertContinues(service, earlier)));
      }
    });

    test('a release stands in the log at the number that it was answered with', async () => {
      await sealRecord(service, 'before');
      const { tree_size: had } = await treeHead(service);
      const { json: lease } = await service.call('/v1/claim?key=k&agent=a7&mode=exclusive');
      const release = `/v1/release?lease=${String(lease['lease'])}&token=${String(lease['token'])}`;
      const { json: released } = await service.call(release);
      await sealRecord(service, 'after');
      const policy = await policyOf(service);
      const entries = await exportLedger(service, policy);
      const entry = entries[Number(released['log'])];
      assert.deepEqual([entry?.type, entry?.entry['fence'], entry?.seq], ['release', lease['fence'], had]);
      const verified = await service.call(`/api/attest/verify/${entry?.attestation_id}`);
      const found = VerificationAnswer.parse(verified.json);
      assert.deepEqual(
        [found.valid, found.type, found.verdict, found.seq],
        [true, 'release', null, had],
        verified.text,
      );
      assert.equal(found.claim?.['key'], 'k');
      assertProven(verified, policy);
      assert.equal((await service.call(release)).json['log'], released['log']);
      assert.equal((await treeHead(service)).tree_size, had + 2);
    });

    test('nothing that was submitted can be found in the exported log', async () => {
      const { tree_size: had } = await treeHead(service);
      const secrets = new Set<string>(['SAMPLE B.V.', 'Sample B.V.', '90000001', '000099998B57']);
      const secret = () => {
        const text = randomBytes(16).toString('hex');
        secrets.add(text);
        return text;
      };
      const claims = Array.from({ length: 10 }, (): [string, Record<string, unknown>][] => [
        ['record.integrity.v1', { statement: secret(), evidence_digests: [secret() + secret()] }],
        ['registry.snapshot.v1', { sources: [KVK, { source: 'eu_fsf', query: secret() }], purpose: secret() }],
        ['amh.handshake.v1', { phase: 'verify', verify_ref: secret(), platform_id: secret(), reason: secret() }],
        ['kvk.liveness.v1', { kvk_number: secret() }],
        ['vat.vies.v1', { country_code: 'NL', vat_number: secret().slice(0, 14) }],
      ]).flat();
      claims.push(['kvk.liveness.v1', { kvk_number: '90000001' }]);
      claims.push(['vat.vies.v1', { country_code: 'NL', vat_number: '000099998B57' }]);
      for (const [schemaId, claim] of claims) {
        const { status, json } = await postSeal(service, { schema_id: schemaId, claim });
        assert.equal(status, 201);
        secrets.add(canonicalJson(claim));
        secrets.add(String(json['disclosure_seed']));
        for (const value of Object.values(claim)) secrets.add(canonicalJson(value));
        for (const value of Object.values(claim)) if (typeof value === 'string') secrets.add(value);
      }
      const [key, agent] = [secret(), secret()];
      const { json: lease } = await service.call(`/v1/claim?key=${key}&agent=${agent}&intent=${secret()}`);
      await service.call(`/v1/release?lease=${String(lease['lease'])}&token=${String(lease['token'])}`);
      for (const name of ['lease', 'token']) secrets.add(String(lease[name]));
      const entries = await exportLedger(service, await policyOf(service));
      const exported = entries.map(({ entry, entry_b64: bytes }) => JSON.stringify(entry) + atob(bytes)).join('\n');
      assert.equal(entries.length, had + claims.length + 1);
      for (const text of secrets) {
        // Country codes and the like stand in everything.
        if (text.length < 8 || text === '"verify"') continue;
        const digest = createHash('sha256').update(text).digest();
        for (const trace of [text, digest.toString('hex'), digest.toString('base64'), digest.toString('base64url')]) {
          assert.ok(!exported.includes(trace), `${trace} of ${text}`);
        }
      }
    });

    test('tiles and bundles hash to the signed root', async () => {
      const { tree_size: had } = await treeHead(service);
      assert.ok(had < 300);
      await Promise.all(Array.from({ length: 300 + BEGUN - had }, (_, n) => sealRecord(service, `s${n}`)));
      const { tree_size: size, root_hash: signed } = await treeHead(service);
      assert.equal(size, 300 + BEGUN);
      const levels = await Promise.all(tileLayout(size).map((level) => hashesOf(service, level)));
      assert.deepEqual(
        levels.map((hashes) => hashes.length),
        [300 + BEGUN, 1],
      );
      const [leaves = [], above = []] = levels;
      assert.equal(rootOf(leaves).toString('hex'), signed);
      assert.deepEqual(above[0], rootOf(leaves.slice(0, 256)));
      const bundles = [
        decodeEntryBundle(await tile(service, { level: 'entries', index: 0, width: 256 }), 256),
        decodeEntryBundle(await tile(service, { level: 'entries', index: 1, width: 44 + BEGUN }), 44 + BEGUN),
      ].flat();
      assert.deepEqual(
        bundles.map((entry) => Buffer.from(leafHash(entry))),
        leaves,
      );
      const entries = await exportLedger(service, await policyOf(service), 77);
      assert.deepEqual(
        bundles.map((leaf) => Buffer.from(leaf).toString('base64')),
        entries.map(({ entry_b64: entry }) => entry),
      );
    });
  });

  suite(`a log that is started again on ${engine}`, { skip: engine === 'postgres' && noPostgres }, () => {
    test('a restart goes on with the same log', async () => {
      const data = { dataDir: await temporaryDirectory(), databaseUrl: await freshDatabase(engine) };
      let earlier: Awaited<ReturnType<typeof treeHead>>;
      let first: Answer;
      {
        await using service = await TestService.start(data);
        first = await sealRecord(service, 'a');
        earlier = await treeHead(service);
      }
      {
        await using service = await TestService.start(data);
        const head = await treeHead(service);
        assert.deepEqual([head.origin, head.vkeys], [earlier.origin, earlier.vkeys]);
        assert.equal((await sealRecord(service, 'b')).json['seq'], head.tree_size);
        const added = (await exportLedger(service, await policyOf(service))).slice(earlier.tree_size, head.tree_size);
        // Between the two runs nobody but the service itself had a word.
        for (const { entry } of added) assert.equal(entry['schema_id'], 'protocol.statement.v1');
        await assertContinues(service, earlier.checkpoint);
        assertProven(first, await policyOf(service));
        const { json } = await service.call(`/api/attest/verify/${String(first.json['attestation_id'])}`);
        assert.equal(json['valid'], true);
      }
      await rm(data.dataDir, { recursive: true });
    });

    test('a log that was changed while the service was down makes the start fail in one line', async () => {
      const other = 'f'.repeat(64);
      const changes = [
        `UPDATE log_head SET root = '${other}'`,
        'UPDATE log_head SET size = size - 1',
        'UPDATE log_head SET size = size + 1',
        "UPDATE log_head SET note = replace(note, 'sandbox', 'sandbux')",
        "UPDATE log_head SET origin = 'other.example/log'",
        "UPDATE log_head SET subtrees = CASE WHEN subtrees LIKE 'A%' THEN 'B' ELSE 'A' END || substr(subtrees, 2)",
        'DELETE FROM entries WHERE seq = 1',
        'DELETE FROM entries WHERE seq = (SELECT max(seq) FROM entries)',
        `UPDATE entries SET leaf_hash = '${other}' WHERE seq = 1`,
      ];
      const data = { dataDir: await temporaryDirectory(), databaseUrl: await freshDatabase(engine) };
      {
        await using service = await TestService.start(data);
        await Promise.all(['a', 'b'].map((statement) => sealRecord(service, statement)));
      }
      await tamper(data, 'CREATE TABLE kept_log_head AS SELECT * FROM log_head');
      await tamper(data, 'CREATE TABLE kept_entries AS SELECT * FROM entries');
      const restore = async () => {
        for (const table of ['log_head', 'entries']) {
          await tamper(data, `DELETE FROM ${table}`);
          await tamper(data, `INSERT INTO ${table} SELECT * FROM kept_${table}`);
        }
      };
      for (const change of engine === 'sqlite' ? changes : changes.slice(0, 3)) {
        await restore();
        await tamper(data, change);
        const lines = await faultOfStart(data);
        assert.equal(lines.length, 1, `${change}: ${lines.join('\n')}`);
        assert.match(lines[0] ?? '', /log|checkpoint|signature/, change);
      }
      if (engine === 'sqlite') {
        const { code, stderr, stdout } = await runAvouch(['serve'], serviceEnv(data.dataDir, data.databaseUrl));
        assert.notEqual(code, 0);
        assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
        assert.match(stderr, /entries of the log do not hash to the root of its head/);
        assert.doesNotMatch(stdout, /listens/);
      }
      await restore();
      assert.deepEqual(await faultOfStart(data), []);
      await rm(data.dataDir, { recursive: true });
    });
  });
}

test('two processes on one database write one log without gaps', {
  skip: noPostgres,
}, async () => {
  await using first = await TestService.start({ engine: 'postgres' });
  const { dataDir, databaseUrl } = first;
  await using second = await TestService.start({ dataDir, databaseUrl });
  const services = [first, second] as const;
  const policy = await policyOf(first);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => sealRecord(services[n % 2] as TestService, `s${n}`)),
  );
  for (const answer of answers) {
    assert.equal(answer.status, 201, answer.text);
    assertProven(answer, policy);
  }
  assert.deepEqual(
    answers.map(({ json }) => Number(json['seq'])).toSorted((a, b) => a - b),
    Array.from({ length: 60 }, (_, n) => n + BEGUN),
  );
  const heads = await Promise.all(services.map((service) => treeHead(service)));
  assert.deepEqual([heads[0]?.checkpoint, heads[0]?.tree_size], [heads[1]?.checkpoint, 60 + BEGUN]);
  for (const checkpoint of new Set(answers.map(({ json }) => String(json['checkpoint'])))) {
    for (const service of services) await assertContinues(service, checkpoint);
  }
  const [entries, same] = [await exportLedger(first, policy), await exportLedger(second, policy, 33)];
  assert.deepEqual(entries, same);
  const times = entries.map(({ entry }) => String(entry['sealed_at']));
  assert.deepEqual(times, times.toSorted());
  for (const [n, { json }] of answers.entries()) {
    const other = services[(n + 1) % 2] as TestService;
    const verified = await other.call(`/api/attest/verify/${String(json['attestation_id'])}`);
    assert.equal(verified.json['valid'], true, verified.text);
  }
});

test('processes that start together on an empty database begin one log', {
  skip: noPostgres,
}, async () => {
  const data = { dataDir: await temporaryDirectory(), databaseUrl: await freshDatabase('postgres') };
  {
    await using stack = new AsyncDisposableStack();
    const starts = Array.from({ length: 3 }, async () => stack.use(await TestService.start(data)));
    const services = await Promise.all(starts);
    const heads = await Promise.all(services.map((service) => treeHead(service)));
    assert.deepEqual([...new Set(heads.map(({ tree_size: size }) => size))], [BEGUN]);
    assert.equal(new Set(heads.map(({ checkpoint }) => checkpoint)).size, 1);
    for (const service of services) assert.equal((await sealRecord(service, 'x')).status, 201);
    for (const service of services) await exportLedger(service, await policyOf(service));
  }
  await rm(data.dataDir, { recursive: true });
});

/** What stands in the way of a start; nothing when there is none. */
async function faultOfStart(data: { dataDir: string; databaseUrl: string | undefined }): Promise<readonly string[]> {
  try {
    await using _service = await TestService.start(data);
    return [];
  } catch (error) {
    return startFaultLines(error);
  }
}

async function tile(service: TestService, place: Parameters<typeof formatTilePath>[0]): Promise<Buffer> {
  const answer = await fetch(`${service.url}/astralock/${formatTilePath(place)}`);
  assert.equal(answer.status, 200, formatTilePath(place));
  return Buffer.from(await answer.arrayBuffer());
}

async function hashesOf(service: TestService, layout: ReturnType<typeof tileLayout>[number]): Promise<Buffer[]> {
  const { level, fullTiles, partialWidth } = layout;
  const widths = [...Array.from({ length: fullTiles }, () => 256), ...(partialWidth > 0 ? [partialWidth] : [])];
  const tiles = await Promise.all(widths.map((width, index) => tile(service, { level, index, width })));
  const bytes = Buffer.concat(tiles);
  return Array.from({ length: bytes.length / 32 }, (_, n) => bytes.subarray(n * 32, (n + 1) * 32));
}

/** RFC 6962 as it is written, beside the code under test. */
function rootOf(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes;
  if (hashes.length === 1 && only !== undefined) return only;
  let half = 1;
  while (half * 2 < hashes.length) half *= 2;
  return Buffer.from(nodeHash(rootOf(hashes.slice(0, half)), rootOf(hashes.slice(half))));
}
