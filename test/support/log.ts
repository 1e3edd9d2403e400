// Seals through a running service, and the log as an outside reader checks it: with nothing but its public key.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { isoTime } from '#kernel/clock.ts';
import { newCommandId, newToken } from '#kernel/ids.ts';
import type { AttestationSchema } from '#protocol/attestation/attestation-schema.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import { as, query, text } from '#platform/storage/table.ts';
import type { LogKeys } from '#platform/log/log-keys.ts';
import { ed25519PrivateKeyFromSeed, ed25519PublicBytes } from '#protocol/ed25519.ts';
import { publicKeyOf } from '#protocol/note-key.ts';
import { parseCheckpoint } from '#protocol/checkpoint.ts';
import { leafHash, verifyConsistency } from '#protocol/merkle.ts';
import { verifyPage } from '#protocol/page-proof.ts';
import { verifyPolicyCheckpoint } from '#protocol/policy-checkpoint.ts';
import { verifyTlogProof } from '#protocol/tlog-proof.ts';
import { parsePolicy, type WitnessPolicy } from '#protocol/witness-policy.ts';
import { LedgerPage, TreeHead } from '#areas/attestation/log/log-operations.ts';
import type { z } from 'zod';
import type { Answer } from './client.ts';
import type { TestService } from './service.ts';

type Page = z.output<typeof LedgerPage>;

/** A new log begins with the declarations of its own keys: checkpoint, receipts, ML-DSA, COSE receipts. */
export const BEGUN = 4;

/** The published checkpoint once it covers that size: it follows the log by about a second unless it is told to. */
export async function publishedCheckpoint(service: TestService, size: number): Promise<Answer> {
  for (;;) {
    await service.runNow('publish');
    const answer = await service.call('/astralock/checkpoint');
    assert.equal(answer.status, 200, answer.text);
    if (Number(answer.text.split('\n')[1]) >= size) return answer;
  }
}

export function postSeal(service: TestService, body: string | Record<string, unknown>): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return service.call('/api/attest/seal', { method: 'POST', body, headers });
}

export function sealRecord(service: TestService, statement: string): Promise<Answer> {
  return postSeal(service, { schema_id: 'record.integrity.v1', claim: { statement } });
}

const sealUnit: Unit<[readonly SealDraft[], readonly string[]], null> = {
  name: 'test_seals',
  reads: () => ({}),
  load: () => null,
  decide(state, nowMs, _next, drafts) {
    const entries = drafts.map((draft) => sealEntry(draft, { sandbox: true, sealedAt: isoTime(nowMs) }));
    return { state, result: entries.map(({ leaf }) => leaf.id), entries };
  },
  writes: () => [],
};

/** Many entries of the public log in one commit, through the real sequencer. */
export async function sealMany(store: Store, count: number): Promise<void> {
  const drafts = Array.from({ length: count }, (_, number) =>
    draftOf('record.integrity.v1', { statement: `delivery ${number}` }, 'holder'),
  );
  await store.run(sealUnit, drafts);
}

/** A statement of the service that corrects an entry, as no caller can seal it; gives its id. */
export async function sealCorrection(service: TestService, corrected: string): Promise<string> {
  const claim = { statement: 'it was otherwise', corrects_attestation_id: corrected };
  const [id] = await service.service.store.run(sealUnit, [draftOf('protocol.statement.v1', claim, 'public')]);
  return id as string;
}

/** Seals under a schema that need not be in force. */
export async function sealUnder(
  service: TestService,
  schema: AttestationSchema,
  claim: Record<string, string>,
): Promise<{ id: string; seed: string }> {
  const draft = draftUnder(schema, claim, 'holder');
  const [id] = await service.service.store.run(sealUnit, [draft]);
  return { id: id as string, seed: Buffer.from(draft.seed, 'base64url').toString('base64') };
}

function draftOf(schemaId: string, claim: Record<string, string>, disclosure: SealDraft['disclosure']): SealDraft {
  const schema = schemaById(schemaId);
  assert.ok(schema !== undefined);
  return draftUnder(schema, claim, disclosure);
}

function draftUnder(
  schema: AttestationSchema,
  claim: Record<string, string>,
  disclosure: SealDraft['disclosure'],
): SealDraft {
  const seed = newToken();
  const prepared = prepareSeal({ schema, claim, observations: [], seed: Buffer.from(seed, 'base64url') });
  return { prepared, claim, observations: [], seed, disclosure, nonce: newCommandId() };
}

/** The keys of a log that has one, which never rotates. */
export function oneLogKey(seedByte: number): LogKeys {
  const privateKey = ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(seedByte));
  const publicKeys = [ed25519PublicBytes(publicKeyOf(privateKey, 'ed25519'))];
  return {
    inForceRead: query(`SELECT 'one' AS key_id`, { key_id: as('keyId', text()) }),
    privateKey: () => privateKey,
    inForce: () => publicKeys,
    all: () => publicKeys,
    refresh: async () => {},
  };
}

export async function treeHead(service: TestService, first?: number): Promise<z.output<typeof TreeHead>> {
  const since = first === undefined ? '' : `?first=${first}`;
  return TreeHead.parse((await service.call(`/api/astralock/sth${since}`)).json);
}

/** Trust in the one key that the service shows, in the form that an outside tool would be given. */
export async function policyOf(service: TestService): Promise<WitnessPolicy> {
  const { vkeys } = await treeHead(service);
  assert.equal(vkeys.length, 1);
  return parsePolicy(`log ${vkeys[0]}\nquorum none\n`);
}

/** Asserts that the proof file of an answer shows its entry in the log; throws otherwise. */
export function assertProven({ json }: Answer, policy: WitnessPolicy): void {
  const entry = Buffer.from(json['entry'] as string, 'base64');
  const { index, checkpoint } = verifyTlogProof({ proof: json['proof'] as string, entry }, policy, nowSeconds());
  const inclusion = json['inclusion'] as { tree_size: number; index: number };
  assert.deepEqual([Number(index), Number(checkpoint.size)], [json['seq'], inclusion.tree_size]);
  assert.equal(inclusion.index, json['seq']);
}

/** Reads the ledger to its end, page by page, each of which must verify alone. */
export async function exportLedger(
  service: TestService,
  policy: WitnessPolicy,
  limit = 100,
): Promise<Page['entries'][number][]> {
  const entries: Page['entries'][number][] = [];
  for (;;) {
    const answer = await service.call(`/api/attest/ledger?from_seq=${entries.length}&limit=${limit}`);
    const page = LedgerPage.parse(answer.json);
    assertPage(page, policy);
    assert.equal(page.from_seq, entries.length);
    entries.push(...page.entries);
    if (page.next_seq === page.tree_size) return entries;
  }
}

export function assertPage(page: Page, policy: WitnessPolicy): void {
  const { checkpoint } = verifyPolicyCheckpoint(page.checkpoint, policy, nowSeconds());
  assert.equal(Number(checkpoint.size), page.tree_size);
  const leaves = page.entries.map(({ entry_b64: entry }) => Buffer.from(entry, 'base64'));
  const isProven = verifyPage({
    from: page.from_seq,
    size: page.tree_size,
    leafHashes: leaves.map(leafHash),
    left: page.range_proof.left.map(bytes),
    right: page.range_proof.right.map(bytes),
    root: checkpoint.root,
  });
  assert.ok(isProven, `the page from ${page.from_seq} does not verify`);
  for (const [offset, { seq, entry }] of page.entries.entries()) {
    assert.equal(seq, page.from_seq + offset);
    assert.deepEqual(JSON.parse(String(leaves[offset])), entry);
  }
}

/** Asserts that the newest head continues the log of an earlier checkpoint. */
export async function assertContinues(service: TestService, earlier: string): Promise<void> {
  const first = parseCheckpoint(earlier.slice(0, earlier.indexOf('\n\n') + 1));
  const head = await treeHead(service, Number(first.size));
  const { consistency } = head;
  assert.deepEqual([consistency?.first, consistency?.second], [Number(first.size), head.tree_size]);
  const continues = verifyConsistency({
    first: first.size,
    second: head.tree_size,
    firstRoot: first.root,
    secondRoot: Buffer.from(head.root_hash, 'hex'),
    proof: consistency?.hashes.map(bytes) ?? [],
  });
  assert.ok(continues, `the log of ${head.tree_size} does not continue that of ${first.size}`);
}

/** Changes the database behind the back of the service. */
export async function tamper(data: Pick<TestService, 'dataDir' | 'databaseUrl'>, sql: string): Promise<void> {
  if (data.databaseUrl === undefined) {
    const database = new DatabaseSync(join(data.dataDir, 'avouch.db'));
    database.exec(sql);
    return database.close();
  }
  const client = new pg.Client({ connectionString: data.databaseUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const LOG_TABLES = ['entries', 'records', 'checkpoints'];

/** Changes the log behind the back of the service, until this is disposed: then it is as before. */
export async function tampered(
  data: Pick<TestService, 'dataDir' | 'databaseUrl'>,
  sql: string,
): Promise<AsyncDisposable> {
  const each = (statements: (table: string) => string) => tamper(data, LOG_TABLES.map(statements).join(';'));
  await each((table) => `CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
  await tamper(data, sql);
  return {
    [Symbol.asyncDispose]: () =>
      each(
        (table) => `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept_${table}; DROP TABLE kept_${table}`,
      ),
  };
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

function bytes(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64');
}
