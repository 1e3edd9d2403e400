// Random texts go into claims of every schema; then everything that the log shows to the world is searched for them.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { verifySealAnswer } from '../../../verify/avouch-verify.mjs';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { TestService } from '../../support/service.ts';
import { exportLog, inParallel } from '../../referees/log-export.ts';
import { LogCaller, type SealAnswer } from '../../referees/log-traffic.ts';
import { SEAL_CASES } from '../../support/seal-cases.ts';

const CLAIMS = { sqlite: 1_000, postgres: 300 } as const;
const ERASED = 40;
/** Shorter values, such as country codes, stand in everything; their digests are looked for all the same. */
const TELLING_CHARACTERS = 8;

for (const engine of ENGINES) {
  suite(`what the log tells on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('neither a submitted text nor a plain digest of one; and what was erased is still proven', async (t) => {
      const folder = await temporaryDirectory();
      t.after(() => rm(folder, { recursive: true, force: true }));
      await using service = await TestService.start({ engine });
      using caller = new LogCaller(service.url);
      const head = await caller.read<{ checkpoint: string; vkeys: [string] }>('/api/astralock/sth');
      const traces = new Traces();
      const seals: SealAnswer[] = [];
      const numbers = Array.from({ length: CLAIMS[engine] }, (_, n) => n);
      await inParallel(numbers, async (n) => {
        const row = SEAL_CASES[n % SEAL_CASES.length] as (typeof SEAL_CASES)[number];
        const answer = await caller.seal(row.schemaId, row.claim(randomBytes(16).toString('hex')));
        seals.push(answer);
        traces.addClaim(answer);
      });
      const released = { key: randomBytes(16).toString('hex'), agent: 'referee' };
      await caller.release(released.key);
      traces.addValue(released.key);

      const erased = seals.filter(({ disclosure_seed: seed }) => seed !== undefined).slice(-ERASED);
      for (const { attestation_id, disclosure_seed } of erased) {
        const answer = await caller.call('/api/attest/erase', { attestation_id, disclosure_seed });
        assert.equal(answer.status, 200, answer.text);
      }

      const directory = join(folder, 'export');
      const answers = seals.slice(0, 100);
      const exported = await exportLog({ url: service.url, directory, older: head.checkpoint, answers });
      assert.ok(exported.size >= CLAIMS[engine] + ERASED, `only ${exported.size} entries`);
      const shown = new Map(Object.values(exported.files).flatMap((paths) => textsOf(directory, paths)));
      for (const [from, text] of await ledgerTexts(caller)) shown.set(`ledger from ${from}`, text);
      for (const [what, text] of shown) assert.deepEqual(traces.foundIn(text), [], what);
      assertSearchWorks(traces, shown);

      for (const before of erased) await assertErasedButProven(caller, before, head.vkeys[0]);
      const audit = await caller.read<{ ok: boolean; erased: number }>('/api/astralock/audit');
      assert.deepEqual([audit.ok, audit.erased], [true, ERASED]);
    });
  });
}

/** Texts that nobody may find, looked up by their first characters so that one walk over a text finds any of them. */
class Traces {
  readonly #byStart = new Map<string, Set<string>>();

  addClaim({ claim, disclosure_seed: seed, observations }: SealAnswer): void {
    this.addValue(claim);
    for (const seen of observations) this.addValue(seen['query']);
    if (seed !== undefined) this.#add(seed);
  }

  /** The value and everything in it: as text, in canonical JSON, and the plain digests of both. */
  addValue(value: unknown): void {
    const isText = typeof value === 'string';
    for (const text of isText ? [value, canonicalJson(value)] : [canonicalJson(value)]) {
      if (text.length >= TELLING_CHARACTERS && text !== '"verify"') this.#add(text);
      const digest = createHash('sha256').update(text).digest();
      for (const form of ['hex', 'base64', 'base64url', 'latin1'] as const) this.#add(digest.toString(form));
    }
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) this.addValue(part);
  }

  #add(text: string): void {
    const start = text.slice(0, TELLING_CHARACTERS);
    const known = this.#byStart.get(start);
    if (known === undefined) this.#byStart.set(start, new Set([text]));
    else known.add(text);
  }

  foundIn(text: string): string[] {
    const found: string[] = [];
    for (let at = 0; at + TELLING_CHARACTERS <= text.length; at += 1) {
      const starting = this.#byStart.get(text.slice(at, at + TELLING_CHARACTERS));
      for (const trace of starting ?? []) if (text.startsWith(trace, at)) found.push(trace);
    }
    return found;
  }
}

/** The bytes of the files as they are, and of their base64 what it stands for. */
function textsOf(directory: string, paths: readonly string[]): [string, string][] {
  return paths.flatMap((path): [string, string][] => {
    const bytes = readFileSync(join(directory, path));
    const texts: [string, string][] = [
      [path, bytes.toString('latin1')],
      [`${path} in hex`, bytes.toString('hex')],
    ];
    const extra = /^extra (.+)$/m.exec(bytes.toString())?.[1];
    if (extra !== undefined) texts.push([`entry in ${path}`, Buffer.from(extra, 'base64').toString('latin1')]);
    return texts;
  });
}

async function ledgerTexts(caller: LogCaller): Promise<[number, string][]> {
  const texts: [number, string][] = [];
  for (let from = 0, size = 1; from < size; ) {
    const answer = await caller.call(`/api/attest/ledger?from_seq=${from}&limit=500`);
    assert.equal(answer.status, 200);
    texts.push([from, answer.text]);
    [from, size] = [Number(answer.json['next_seq']), Number(answer.json['tree_size'])];
  }
  return texts;
}

/** A planted text and a planted digest are found, and what the entries do hold is. */
function assertSearchWorks(traces: Traces, shown: ReadonlyMap<string, string>): void {
  const planted = new Traces();
  planted.addValue('record.integrity.v1');
  assert.ok([...shown.values()].some((text) => planted.foundIn(text).length > 0));
  const secret = 'a text that was submitted';
  traces.addValue(secret);
  const digest = createHash('sha256').update(JSON.stringify(secret)).digest();
  for (const leak of [secret, digest.toString('hex'), digest.toString('base64'), digest.toString('latin1')]) {
    assert.equal(traces.foundIn(`xx${leak}xx`).length > 0, true, leak);
  }
}

/** The claim is gone; integrity, order, time and verdict are proven as before, also to the standalone verifier. */
async function assertErasedButProven(caller: LogCaller, before: SealAnswer, vkey: string): Promise<void> {
  type Verified = SealAnswer & { valid: boolean; checks: { name: string; ok: boolean | null; state?: string }[] };
  const found = await caller.read<Verified>(`/api/attest/verify/${before.attestation_id}`);
  const checkOf = (name: string) => found.checks.find((check) => check.name === name);
  assert.deepEqual([found.valid, found.claim], [true, null]);
  assert.deepEqual([checkOf('claim_commitment')?.ok, checkOf('claim_commitment')?.state], [null, 'erased']);
  assert.equal(checkOf('verdict_reexecuted')?.ok, null);
  for (const name of ['id_matches_leaf', 'leaf_hash', 'inclusion', 'checkpoint_signature']) {
    assert.equal(checkOf(name)?.ok, true, name);
  }
  const proven = ({ seq, sealed_at, verdict, code, entry }: SealAnswer) => [seq, sealed_at, verdict, code, entry];
  assert.deepEqual(proven(found), proven(before));
  const options = { attestationId: before.attestation_id };
  const result = await verifySealAnswer(found, vkey, options);
  assert.equal(result.valid, true, JSON.stringify(result.checks));
  // What the holder kept still opens the entry.
  assert.equal((await verifySealAnswer(before, vkey, options)).valid, true);
}
