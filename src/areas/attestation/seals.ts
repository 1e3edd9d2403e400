import type { z } from 'zod';
import { refuseFields } from '#kernel/general-problems.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { newCommandId, newToken, tokenHash } from '#kernel/ids.ts';
import { Answer, WithHeaders } from '#kernel/operation.ts';
import { prefersMinimal } from '#kernel/prefer.ts';
import { type FieldError, Refusal } from '#kernel/problem.ts';
import { ANONYMOUS, type SealFee } from '#kernel/task-route.ts';
import type { Authenticate } from '#platform/ledger/caller.ts';
import type { EntryToErase, EraseResult } from '#platform/log/erasure.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import type { AttestationSchema } from '#protocol/attestation/attestation-schema.ts';
import { claimFaults } from '#protocol/attestation/claim-input.ts';
import { parseLeaf } from '#protocol/attestation/leaf.ts';
import { ORIGIN_SCHEMA_ID } from '#protocol/attestation/leaf-entry.ts';
import type { FullObservation, Observation, RegisterQuery } from '#protocol/attestation/observation.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import type { SealDraft } from '#protocol/attestation/seal-entry.ts';
import type { EntryProof, Store } from '#platform/storage/store.ts';
import { REFUSED_BY_DEFAULT } from '#platform/usage-rules/version.ts';
import { INVOICED, PAID } from './fee-lines.ts';
import { lookUp, lookupKeys } from './lookup.ts';
import type { Erasure, seal } from './operations.ts';
import * as problems from './problems.ts';
import { entryNotFound } from './proof-file.ts';
import { minimalSeal, type Seal, type ShownSeal, wholeSeal } from './seal-answer.ts';
import { attestationUnit, type Repeatable, type Repeated } from './unit.ts';

export interface SealsOptions {
  readonly store: Store;
  readonly log: PublicLog;
  readonly clock: Clock;
  readonly erase: (entry: EntryToErase) => Promise<EraseResult>;
  readonly baseUrl: () => string;
  readonly sandbox: boolean;
  /** Keyed hashes: of a rejected claim, and of an Idempotency-Key and its content. */
  readonly rejectHash: (...parts: readonly string[]) => string;
  readonly keyHash: (...parts: readonly string[]) => string;
  readonly observe: (query: RegisterQuery, asking: { readonly free: boolean }) => Promise<Observation>;
  readonly authenticate: Authenticate;
}

type Submitted = z.output<typeof seal.input>;
type SealInput = Omit<Submitted, 'agent_key' | 'prefer'>;

/** Who owes the fee of a seal, and whether a wallet pays it at once. */
interface FeeTerms {
  readonly owner: string;
  readonly feeStatus: ShownSeal['feeStatus'];
}

const VARIES = ['vary', 'Prefer'];
const MINIMAL_APPLIED = [...VARIES, 'preference-applied', 'return=minimal'];

/** Judges claims, seals the verdicts and erases what was kept beside them. */
export class Seals {
  readonly #options: SealsOptions;

  constructor(options: SealsOptions) {
    this.#options = options;
  }

  /** As a caller asks for it: the fee is the agent's whose key is sent, else nobody's. */
  async submit({
    agent_key: key,
    prefer,
    ...input
  }: Submitted): Promise<WithHeaders<z.output<typeof seal.output>> | Refusal> {
    const caller = key === undefined ? null : await this.#options.authenticate(key);
    if (caller instanceof Refusal) return caller;
    const sealed = await this.#seal(input, { owner: caller?.agentId ?? ANONYMOUS, feeStatus: INVOICED });
    if (sealed instanceof Refusal) return sealed;
    const isMinimal = prefersMinimal(prefer);
    const body = isMinimal ? minimalSeal(sealed, this.#options) : wholeSeal(sealed, this.#options);
    return new WithHeaders(isMinimal ? MINIMAL_APPLIED : VARIES, new Answer(sealed.replayed ? 200 : 201, body));
  }

  /** For an agent whose wallet is charged, together with the fees to keep as paid when it is. */
  async sealPaid(
    input: SealInput,
    agentId: string,
  ): Promise<{ seal: z.output<typeof Seal>; fees: readonly SealFee[] } | Refusal> {
    const sealed = await this.#seal(input, { owner: agentId, feeStatus: PAID });
    if (sealed instanceof Refusal) return sealed;
    const { attestationId, schema, sealedAt, feeEurocents } = sealed;
    const fee = { attestationId, schemaId: schema.id, sealedAtMs: Date.parse(sealedAt), feeEurocents };
    return { seal: wholeSeal(sealed, this.#options), fees: feeEurocents === 0 ? [] : [fee] };
  }

  async #seal(input: SealInput, terms: FeeTerms): Promise<ShownSeal | Refusal> {
    const schema = schemaById(input.schema_id);
    if (schema === undefined)
      return new Refusal(problems.unknownSchema, { detail: 'No schema has this id. Nothing was sealed.' });
    if (schema.document.sealable_by !== 'anyone') {
      const detail = 'Only Avouch itself seals under this schema. Nothing was sealed.';
      return new Refusal(problems.schemaNotOpen, { detail, members: REFUSED_BY_DEFAULT });
    }
    const { followsUp } = schema.links(input.claim);
    const linkFaults = followsUp === null ? [] : await this.#linkFaults(followsUp);
    const faults = [...claimFaults(schema, input.claim), ...linkFaults];
    if (faults.length > 0) return refuseFields(faults);
    const repeatable = this.#repeatable(input, terms);
    const needs = schema.needs(input.claim);
    const isObserved = needs.length > 0;
    if (repeatable !== null && isObserved) {
      const reserved = await this.#options.store.run(attestationUnit, { type: 'reserve', repeatable });
      if (reserved.outcome !== 'reserved') return this.#repeated(schema, input, reserved, terms);
    }
    const draft = this.#draft(schema, input, isObserved ? await this.#observations(needs, terms) : []);
    const { sandbox, store, rejectHash } = this.#options;
    const { result, proofs } = await store.runProven(attestationUnit, {
      type: 'seal',
      draft,
      sandbox,
      owner: terms.feeStatus === PAID ? null : terms.owner,
      rejectKey:
        draft.prepared.verdict === 'REJECT' && !isObserved ? rejectHash(schema.id, canonicalJson(input.claim)) : null,
      repeatable,
      lookups: input.index === true ? lookupKeys(input.claim) : [],
    });
    if (result.outcome !== 'sealed') return this.#repeated(schema, input, result, terms);
    const { prepared, claim, seed } = draft;
    const { verdict, code, claimCommitment, feeEurocents } = prepared;
    return {
      ...result,
      schema,
      verdict,
      code,
      claimCommitment,
      feeEurocents,
      claim,
      seed,
      sealedAt: isoTime(result.sealedAtMs),
      feeStatus: terms.feeStatus,
      proof: proofs[0] as EntryProof,
      replayed: false,
    };
  }

  /** Seals whose callers wanted them to be found by this digest. */
  lookup(sha256: string): ReturnType<typeof lookUp> {
    const { store, log } = this.#options;
    return lookUp(store, log, sha256);
  }

  /** Unknown entries, wrong seeds and entries without a seed given out cannot be told apart. */
  async erase(attestationId: string, disclosureSeed: string): Promise<z.output<typeof Erasure> | Refusal> {
    const { log, erase } = this.#options;
    const seed = Buffer.from(disclosureSeed, 'base64').toString('base64url');
    const stored = await log.entryOf(attestationId);
    const result = await erase({
      seq: stored?.seq ?? -1,
      attestationId,
      seedSha256: tokenHash(seed),
      statement: `attest.erased ${attestationId} by holder`,
    });
    if (!result.erased) return entryNotFound();
    return {
      attestation_id: attestationId,
      erased: true,
      erased_at: isoTime(result.erasedAtMs),
      statement: result.statement,
      again: result.again,
    };
  }

  async #linkFaults(followsUp: string): Promise<FieldError[]> {
    if ((await this.#options.log.entryOf(followsUp)) !== undefined) return [];
    return [{ pointer: '#/claim/follows_up', code: 'unknown_attestation', detail: 'No log entry has this id.' }];
  }

  /** What nobody is invoiced for costs the operator no fee of a register. */
  #observations(needs: readonly RegisterQuery[], { owner }: FeeTerms): Promise<FullObservation[]> {
    const { observe, clock } = this.#options;
    const asking = { free: owner === ANONYMOUS };
    return Promise.all(
      needs.map(async (need) => ({ ...(await observe(need, asking)), ...need, observed_at: isoTime(clock.now()) })),
    );
  }

  #draft(
    schema: AttestationSchema,
    { claim, disclosure }: SealInput,
    observations: readonly FullObservation[],
  ): SealDraft {
    const seed = newToken();
    const origin = schema.id === ORIGIN_SCHEMA_ID ? ({ origin: 'submitted' } as const) : {};
    const prepared = prepareSeal({ schema, claim, observations, seed: Buffer.from(seed, 'base64url'), ...origin });
    return { prepared, claim, observations, seed, disclosure, nonce: newCommandId() };
  }

  /** A key is its owner's: who knows the key of another's call gets nothing of it. */
  #repeatable(
    { schema_id, claim, disclosure, index, idempotency_key: key }: SealInput,
    { owner, feeStatus }: FeeTerms,
  ): Repeatable | null {
    if (key === undefined) return null;
    const { keyHash } = this.#options;
    const fingerprint = keyHash(
      'content',
      schema_id,
      canonicalJson(claim),
      disclosure,
      ...(index === true ? ['index'] : []),
    );
    const scope = owner === ANONYMOUS ? [] : [owner, feeStatus];
    return { keyHash: keyHash('key', key, ...scope), fingerprint, reservation: newCommandId() };
  }

  /** The answer to a call whose seal exists, or whose key is taken. */
  async #repeated(
    schema: AttestationSchema,
    { claim }: SealInput,
    result: Repeated,
    { feeStatus }: FeeTerms,
  ): Promise<ShownSeal | Refusal> {
    if (result.outcome === 'conflict') {
      return new Refusal(problems.idempotencyConflict, {
        detail: 'This Idempotency-Key was used for a different seal. Use a new one.',
      });
    }
    if (result.outcome !== 'replayed') {
      const detail = 'A call with this Idempotency-Key is still running. Repeat it after a moment.';
      return new Refusal(problems.idempotencyInFlight, { detail, retryAfterSeconds: 2 });
    }
    const { log } = this.#options;
    const { seq, isHolder } = result;
    const head = await log.follow();
    const [stored] = await log.entries(seq, seq + 1);
    const record = await log.recordOf(seq);
    if (stored === undefined) throw new Error(`log entry ${seq} is missing`);
    const entry = parseLeaf(Buffer.from(stored.leaf));
    if (entry.type !== 'seal') throw new Error(`log entry ${seq} is not a seal`);
    const seed = isHolder ? (record?.seed ?? null) : null;
    return {
      schema,
      attestationId: stored.attestationId,
      verdict: entry.verdict,
      code: entry.code,
      sealedAt: entry.sealed_at,
      claim,
      claimText: canonicalJson(claim),
      claimCommitment: entry.claim_commitment,
      observations: (isHolder ? record?.observations : null) ?? '[]',
      feeEurocents: entry.fee_eurocents,
      feeStatus,
      leafText: stored.leaf,
      leafHashHex: stored.leafHashHex,
      proof: { seq, treeSize: head.size, path: log.inclusionPath(seq, head.size), checkpoint: head.checkpoint },
      replayed: true,
      seed,
    };
  }
}
