import type { z } from 'zod';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { newCommandId, newToken, tokenHash } from '#kernel/ids.ts';
import { Answer } from '#kernel/operation.ts';
import { type FieldFault, Refusal } from '#kernel/problem.ts';
import type { AuditReport } from '#log/audit.ts';
import type { EraseResult } from '#log/erasure.ts';
import type { PublicLog } from '#log/public-log.ts';
import type { AttestationSchema } from '#protocol/attestation/attestation-schema.ts';
import { claimFaults } from '#protocol/attestation/claim-input.ts';
import { parseLeaf } from '#protocol/attestation/leaf.ts';
import { ORIGIN_SCHEMA_ID } from '#protocol/attestation/leaf-entry.ts';
import type { FullObservation, Observation, RegisterQuery } from '#protocol/attestation/observation.ts';
import { type Claim, claimSha256 } from '#protocol/attestation/schema-document.ts';
import { SCHEMAS, schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import type { SealDraft } from '#protocol/attestation/seal-entry.ts';
import { encodeEntryBundle, parseTilePath, tileWidth, C2SP_TILE_WIDTH } from '#protocol/tile.ts';
import { formatTlogProof } from '#protocol/tlog-proof.ts';
import type { EntryProof, Store } from '#storage/store.ts';
import type { AuditAnswer, Erasure, LedgerPage, Seal, seal, TreeHead, Verification } from './operations.ts';
import * as problems from './problems.ts';
import { type SealResult, sealUnit } from './unit.ts';
import { checksOf } from './verification.ts';

export interface AttestationOptions {
  readonly store: Store;
  readonly log: PublicLog;
  readonly clock: Clock;
  readonly audit: () => Promise<AuditReport>;
  readonly erase: (seq: number, seedSha256: string, statement: string) => Promise<EraseResult>;
  readonly baseUrl: () => string;
  readonly sandbox: boolean;
  readonly observe: (query: RegisterQuery) => Promise<Observation>;
  readonly refuseFields: (faults: readonly FieldFault[]) => Refusal;
}

type SealInput = z.output<typeof seal.input>;

const PLATFORM_FEE_PCT = 1;
const MEANS =
  'integrity, order and time of the record, attested by a private attestation service with contractual strength between parties; not a civil-law notary, not an eIDAS qualified trust service';
const SUBMITTED = '; somebody submitted this record, the service neither made nor checked that handshake';
const UNWITNESSED =
  'no independent witness cosigns this log: nothing but the memory of its readers stops it from showing different views';

/** The attestation protocol over the public log. */
export class Attestation {
  readonly #options: AttestationOptions;
  readonly #schemas = { schemas: SCHEMAS.map(({ document, digest }) => ({ ...document, schema_digest: digest })) };

  constructor(options: AttestationOptions) {
    this.#options = options;
  }

  async seal(input: SealInput): Promise<Answer<z.output<typeof Seal>> | Refusal> {
    const schema = schemaById(input.schema_id);
    if (schema === undefined) return new Refusal(problems.unknownSchema, { detail: 'no schema has this id' });
    if (schema.document.sealable_by !== 'anyone') {
      return new Refusal(problems.schemaNotOpen, { detail: 'only the service itself seals under this schema' });
    }
    const faults = [...claimFaults(schema, input.claim), ...(await this.#linkFaults(schema, input.claim))];
    if (faults.length > 0) return this.#options.refuseFields(faults);
    const draft = await this.#draft(schema, input);
    const { sandbox, store } = this.#options;
    const { result, proofs } = await store.runProven(sealUnit, { draft, sandbox, owner: 'anonymous' });
    return new Answer(201, this.#sealAnswer(schema, draft, result, proofs[0] as EntryProof));
  }

  /** Unknown entries, wrong seeds and entries without a seed given out cannot be told apart. */
  async erase(attestationId: string, disclosureSeed: string): Promise<z.output<typeof Erasure> | Refusal> {
    const { log, erase } = this.#options;
    const seed = Buffer.from(disclosureSeed, 'base64').toString('base64url');
    const stored = await log.entryOf(attestationId);
    const result = await erase(stored?.seq ?? -1, tokenHash(seed), `attest.erased ${attestationId} by holder`);
    if (!result.erased) return notFound();
    return {
      attestation_id: attestationId,
      erased: true,
      erased_at: isoTime(result.erasedAtMs),
      statement: result.statement,
      again: result.again,
    };
  }

  async verify(attestationId: string): Promise<z.output<typeof Verification> | Refusal> {
    const { log, clock } = this.#options;
    const head = await log.follow();
    const stored = await log.entryOf(attestationId);
    if (stored === undefined) return notFound();
    const record = await log.recordOf(stored.seq);
    const path = log.inclusionPath(stored.seq, head.size);
    const proof = { seq: stored.seq, treeSize: head.size, path, checkpoint: head.checkpoint };
    const checks = checksOf(stored, { record, kept: log.sealRecord(record) }, proof, log.vkey);
    const entry = parseLeaf(Buffer.from(stored.leaf));
    const sealed = entry.type === 'seal' ? entry : undefined;
    const isShown = record?.disclosure === 'public' && record.claim !== null;
    return {
      attestation_id: attestationId,
      found: true,
      valid: checks.every(({ ok }) => ok !== false),
      type: entry.type,
      verdict: sealed?.verdict ?? null,
      code: sealed?.code ?? null,
      schema_id: sealed?.schema_id ?? null,
      evidence_class: sealed?.evidence_class ?? null,
      sandbox: entry.sandbox,
      sealed_at: entry.sealed_at,
      seq: stored.seq,
      checks,
      claim: isShown ? (JSON.parse(record.claim) as Record<string, unknown>) : null,
      entry: Buffer.from(stored.leaf).toString('base64'),
      inclusion: { tree_size: head.size, index: stored.seq, hashes: path },
      checkpoint: head.checkpoint,
      proof: proofFile(stored.leaf, proof),
      recomputed_at: isoTime(clock.now()),
      origin: sealed?.origin ?? null,
      means: sealed?.origin === 'submitted' ? MEANS + SUBMITTED : MEANS,
      does_not_mean: 'truth of the claim',
    };
  }

  async ledger(fromSeq: number, limit: number): Promise<z.output<typeof LedgerPage> | Refusal> {
    const { log } = this.#options;
    const head = await log.follow();
    if (fromSeq > head.size) return beyond(head.size);
    const to = Math.min(fromSeq + limit, head.size);
    const { left, right } = log.pageProof(fromSeq, to, head.size);
    const entries = await log.entries(fromSeq, to);
    return {
      from_seq: fromSeq,
      next_seq: to,
      tree_size: head.size,
      checkpoint: head.checkpoint,
      entries: entries.map(({ seq, attestationId, type, leafHashHex, leaf }) => ({
        seq,
        attestation_id: attestationId,
        type: type as 'seal',
        leaf_hash: leafHashHex,
        entry: JSON.parse(leaf) as Record<string, unknown>,
        entry_b64: Buffer.from(leaf).toString('base64'),
      })),
      range_proof: { left: left.map(base64), right: right.map(base64) },
    };
  }

  async treeHead(first: number | undefined): Promise<z.output<typeof TreeHead> | Refusal> {
    const { log, baseUrl } = this.#options;
    const head = await log.follow();
    if (first !== undefined && first > head.size) return beyond(head.size);
    return {
      origin: log.origin,
      tree_size: head.size,
      root_hash: head.rootHex,
      root_hash_b64: Buffer.from(head.rootHex, 'hex').toString('base64'),
      checkpoint: head.checkpoint,
      vkeys: [log.vkey],
      witnesses: [],
      witness_statement: UNWITNESSED,
      ...(first !== undefined && {
        consistency: { first, second: head.size, hashes: log.consistencyProof(first, head.size) },
      }),
      tiles: `${baseUrl()}/astralock/`,
      hash: 'SHA-256 RFC 6962',
    };
  }

  async audit(): Promise<z.output<typeof AuditAnswer>> {
    const { audit, clock, log, baseUrl } = this.#options;
    const startedMs = clock.monotonicMs();
    const report = await audit();
    return {
      ok: report.ok,
      tree_size: report.treeSize,
      root_signed: report.rootSigned,
      root_recomputed: report.rootRecomputed,
      entries_rehashed: report.entriesRehashed,
      time_monotone: report.timeMonotone,
      ids_ok: report.idsOk,
      verdicts_reexecuted: report.verdictsReexecuted,
      erased: report.erased,
      rejects: report.rejects,
      checkpoints_checked: report.checkpointsChecked,
      keys: [{ vkey: log.vkey, role: 'root', scope: 'log-checkpoint' }],
      problems: [...report.problems],
      duration_ms: Math.round(clock.monotonicMs() - startedMs),
      how_to_repeat: `./avouch fsck ${baseUrl()}`,
    };
  }

  schemas(): { schemas: { schema_id: string; schema_digest: string }[] } {
    return this.#schemas;
  }

  async checkpoint(): Promise<string> {
    return (await this.#options.log.follow()).checkpoint;
  }

  async tile(path: string): Promise<string | Refusal> {
    const { log } = this.#options;
    const missing = new Refusal(problems.tileNotFound, { detail: 'the log has no such tile' });
    let tile: ReturnType<typeof parseTilePath>;
    try {
      tile = parseTilePath(`tile/${path}`);
    } catch {
      return missing;
    }
    const { size } = await log.follow();
    const { level, index, width } = tile;
    if (width > tileWidth(size, level, index)) return missing;
    const bytes = level === 'entries' ? await this.#bundle(index, width) : log.tile(level, index, width);
    // The media type says bytes; the row's text type stands for them.
    return bytes as unknown as string;
  }

  async #bundle(index: number, width: number): Promise<Uint8Array> {
    const from = index * C2SP_TILE_WIDTH;
    const entries = await this.#options.log.entries(from, from + width);
    return encodeEntryBundle(entries.map(({ leaf }) => Buffer.from(leaf)));
  }

  async #linkFaults(schema: AttestationSchema, claim: Claim): Promise<FieldFault[]> {
    const { followsUp } = schema.links(claim);
    if (followsUp === null || (await this.#options.log.entryOf(followsUp)) !== undefined) return [];
    return [{ pointer: '#/claim/follows_up', code: 'unknown_attestation', detail: 'no entry of the log has this id' }];
  }

  async #draft(schema: AttestationSchema, { claim, disclosure }: SealInput): Promise<SealDraft> {
    const { observe, clock } = this.#options;
    const observations = await Promise.all(
      schema.needs(claim).map(async (need): Promise<FullObservation> => {
        const seen = await observe(need);
        return { ...seen, ...need, observed_at: isoTime(clock.now()) };
      }),
    );
    const seed = newToken();
    const origin = schema.id === ORIGIN_SCHEMA_ID ? ({ origin: 'submitted' } as const) : {};
    const prepared = prepareSeal({ schema, claim, observations, seed: Buffer.from(seed, 'base64url'), ...origin });
    return { prepared, claim, observations, seed, disclosure, nonce: newCommandId() };
  }

  #sealAnswer(
    schema: AttestationSchema,
    draft: SealDraft,
    sealed: SealResult,
    proof: EntryProof,
  ): z.output<typeof Seal> {
    const { prepared, claim, seed } = draft;
    const { attestationId, leafText } = sealed;
    return {
      attestation_id: attestationId,
      schema_id: schema.id,
      evidence_class: prepared.evidenceClass,
      verdict: prepared.verdict,
      code: prepared.code,
      sandbox: this.#options.sandbox,
      replayed: false,
      sealed_at: isoTime(sealed.sealedAtMs),
      seq: proof.seq,
      claim,
      claim_sha256: claimSha256(claim),
      claim_commitment: prepared.claimCommitment,
      disclosure_seed: Buffer.from(seed, 'base64url').toString('base64'),
      observations: draft.observations.map((seen) => ({ ...seen })),
      fee: feeOf(prepared.feeEurocents, attestationId),
      entry: Buffer.from(leafText).toString('base64'),
      leaf_hash: sealed.leafHashHex,
      inclusion: { tree_size: proof.treeSize, index: proof.seq, hashes: [...proof.path] },
      checkpoint: proof.checkpoint,
      proof: proofFile(leafText, proof),
      verify_url: `${this.#options.baseUrl()}/api/attest/verify/${attestationId}`,
      promise: schema.document.promise,
      not_promised: schema.document.not_promised,
    };
  }
}

function feeOf(feeEurocents: number, reference: string): z.output<typeof Seal>['fee'] {
  return {
    fee_eurocents: feeEurocents,
    platform_fee_pct: PLATFORM_FEE_PCT,
    platform_fee_eurocents: String((feeEurocents * PLATFORM_FEE_PCT) / 100),
    fee_status: feeEurocents === 0 ? 'not_applicable' : 'invoiced_separately',
    rail: 'x402',
    currency: 'USDC',
    payout_address: null,
    reference,
  };
}

function proofFile(leaf: string, proof: Pick<EntryProof, 'seq' | 'path' | 'checkpoint'>): string {
  const { seq, path, checkpoint } = proof;
  return formatTlogProof({ extra: Buffer.from(leaf), index: seq, path: [...path], checkpoint });
}

function notFound(): Refusal {
  const members = { found: false, valid: false };
  return new Refusal(problems.attestationNotFound, { detail: 'no entry of the log has this id', members });
}

function beyond(treeSize: number): Refusal {
  const members = { tree_size: treeSize };
  return new Refusal(problems.beyondTheLog, { detail: 'the log does not have as many entries', members });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
