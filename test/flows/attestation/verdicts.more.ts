// The same claim has the same verdict, whoever asks and whichever process judges; every verdict verifies offline.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { SCHEMAS } from '#protocol/attestation/schemas.ts';
import { verifySealAnswer } from '../../../verify/avouch-verify.mjs';
import { ChildService } from '../../support/child-service.ts';
import { Client } from '../../support/client.ts';
import { ENGINES, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { serviceEnv, TestService } from '../../support/service.ts';
import { inParallel } from '../../referees/log-export.ts';
import { LogCaller, type SealAnswer } from '../../referees/log-traffic.ts';
import { caseName, SEAL_CASES, type SealCase } from '../../support/seal-cases.ts';

const CALLERS = 1_000;
const OPEN = SCHEMAS.filter(({ document }) => document.sealable_by === 'anyone');

test('the cases have every code of every open schema, and an ACCEPT of each', () => {
  for (const { id, document } of OPEN) {
    const codes = SEAL_CASES.filter(({ schemaId }) => schemaId === id).map(({ code }) => code);
    assert.deepEqual(new Set(codes), new Set<string | null>([null, ...document.checks.map(({ code }) => code)]), id);
  }
  assert.equal(new Set(SEAL_CASES.map(({ schemaId }) => schemaId)).size, OPEN.length);
});

/** What a verdict is made of: everything of answer and entry but time, chance and place. */
function verdictParts(answer: SealAnswer): string {
  const { schema_id, verdict, code, claim, observations } = answer;
  const leaf = JSON.parse(Buffer.from(answer.entry, 'base64').toString()) as Record<string, unknown>;
  const { schema_digest, evidence_class, fee_eurocents, sandbox, origin = null } = leaf;
  const seen = observations.map((observation) => {
    const { observed_at: _, ...rest } = observation;
    return rest;
  });
  const sealed = [leaf['schema_id'], leaf['verdict'], leaf['code'], schema_digest, evidence_class, fee_eurocents];
  return canonicalJson([schema_id, verdict, code, claim, seen, sealed, sandbox, origin]);
}

/** Seals and verify answers, both checked by the verifier that outsiders run. */
async function assertVerifies(caller: LogCaller, answer: SealAnswer, vkey: string): Promise<void> {
  const attestationId = answer.attestation_id;
  const options = { attestationId };
  const sealed = await verifySealAnswer(answer, vkey, {
    ...options,
    ignoreClaim: answer.disclosure_seed === undefined,
  });
  assert.equal(sealed.valid, true, JSON.stringify(sealed.checks));
  const found = await caller.read<SealAnswer & { valid: boolean }>(`/api/attest/verify/${attestationId}`);
  const verified = await verifySealAnswer(found, vkey, options);
  assert.equal(verified.valid, true, JSON.stringify(verified.checks));
  assert.deepEqual([found.valid, found.verdict, found.code], [true, answer.verdict, answer.code]);
  assert.equal(found.entry, answer.entry);
}

async function vkeyOf(caller: LogCaller): Promise<string> {
  return (await caller.read<{ vkeys: [string] }>('/api/astralock/sth')).vkeys[0];
}

for (const engine of ENGINES) {
  suite(`verdicts on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('every code is reached, sealed, and verifies with the standalone verifier', async () => {
      await using service = await TestService.start({ engine });
      using caller = new LogCaller(service.url);
      const vkey = await vkeyOf(caller);
      await inParallel(SEAL_CASES, async (row) => {
        const answer = await caller.seal(row.schemaId, row.claim(`verdict of ${caseName(row)}`));
        assert.deepEqual([answer.verdict, answer.code], [row.code === null ? 'ACCEPT' : 'REJECT', row.code]);
        await assertVerifies(caller, answer, vkey);
      });
    });

    test(`the same claim of ${CALLERS} callers has the same verdict`, async () => {
      await using service = await TestService.start({ engine, env: { AVOUCH_TRUSTED_PROXIES: '127.0.0.1' } });
      const client = new Client();
      const callers = Array.from({ length: CALLERS }, (_, n) => n);
      for (const row of [caseOf('vat.vies.v1', null), caseOf('kvk.liveness.v1', 'kvk_not_found')]) {
        const body = { schema_id: row.schemaId, claim: row.claim('of everybody') };
        const parts = new Set<string>();
        await inParallel(
          callers,
          async (n) => {
            const headers = { 'x-forwarded-for': `198.51.${n >> 8}.${n & 255}`, 'user-agent': `caller ${n}` };
            const answer = await client.call(service.url, '/api/attest/seal', { method: 'POST', body, headers });
            assert.ok(answer.status === 201 || answer.status === 200, answer.text);
            parts.add(verdictParts(answer.json as unknown as SealAnswer));
          },
          64,
        );
        assert.equal(parts.size, 1, [...parts].join('\n'));
      }
      client.close();
    });
  });
}

test('two processes on one database judge every claim alike, byte for byte', {
  skip: !(await hasPostgres()) && 'no PostgreSQL here',
}, async (t) => {
  const dataDir = await temporaryDirectory();
  const env = serviceEnv(dataDir, await freshDatabase('postgres'));
  const processes = [await ChildService.start(env), await ChildService.start(env)] as const;
  t.after(async () => {
    await Promise.all(processes.map((child) => child.end('SIGTERM')));
    await rm(dataDir, { recursive: true, force: true });
  });
  using first = new LogCaller(processes[0].url);
  using second = new LogCaller(processes[1].url);
  const vkey = await vkeyOf(first);
  assert.equal(await vkeyOf(second), vkey);
  for (const row of SEAL_CASES) {
    const claim = row.claim(`judged twice: ${caseName(row)}`);
    const [one, other] = await Promise.all([first, second].map((caller) => caller.seal(row.schemaId, claim)));
    assert.ok(one !== undefined && other !== undefined);
    assert.equal(verdictParts(one), verdictParts(other));
    // Each process vouches for what the other one sealed.
    await assertVerifies(second, one, vkey);
    await assertVerifies(first, other, vkey);
  }
});

function caseOf(schemaId: string, code: string | null): SealCase {
  const found = SEAL_CASES.find((row) => row.schemaId === schemaId && row.code === code);
  assert.ok(found !== undefined);
  return found;
}
