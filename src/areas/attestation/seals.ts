import type { z } from 'zod';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { newCommandId, newToken, tokenHash } from '#kernel/ids.ts';
import { Answer } from '#kernel/operation.ts';
import { type FieldFault, Refusal } from '#kernel/problem.ts';
import type { EraseResult } from '#log/erasure.ts';
import type { PublicLog } from '#log/public-log.ts';
import type { AttestationSchema } from '#protocol/attestation/attestation-schema.ts';
import { claimFaults } from '#protocol/attestation/claim-input.ts';
import { ORIGIN_SCHEMA_ID } from '#protocol/attestation/leaf-entry.ts';
import type { FullObservation, Observation, RegisterQuery } from '#protocol/attestation/observation.ts';
import { type Claim, claimSha256 } from '#protocol/attestation/schema-document.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import type { SealDraft } from '#protocol/attestation/seal-entry.ts';
import type { EntryProof, Store } from '#storage/store.ts';
import type { Erasure, Seal, seal } from './operations.ts';
import * as problems from './problems.ts';
import { notFound, proofFile } from './proof-file.ts';
import { type SealResult, sealUnit } from './unit.ts';

export interface SealsOptions {
  readonly store: Store;
  readonly log: PublicLog;
  readonly clock: Clock;
  readonly erase: (seq: number, seedSha256: string, statement: string) => Promise<EraseResult>;
  readonly baseUrl: () => string;
  readonly sandbox: boolean;
  readonly observe: (query: RegisterQuery) => Promise<Observation>;
  readonly refuseFields: (faults: readonly FieldFault[]) => Refusal;
}

type SealInput = z.output<typeof seal.input>;

const PLATFORM_FEE_PCT = 1;

/** Judges claims, seals the verdicts and erases what was kept beside them. */
export class Seals {
  readonly #options: SealsOptions;

  constructor(options: SealsOptions) {
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
