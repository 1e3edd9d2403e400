import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { PLATFORM_FEE_PCT } from '#platform/ledger/steps.ts';
import type { EntryProof } from '#platform/storage/store.ts';
import type { AttestationSchema } from '#protocol/attestation/attestation-schema.ts';
import type { Claim } from '#protocol/attestation/schema-document.ts';
import { tlogProofLines } from '#protocol/tlog-proof.ts';
import { INVOICED, PAID } from './fee-lines.ts';
import { base64, hex, Inclusion, seqField } from './fields.ts';
import { proofFile } from './proof-file.ts';

export const Seal = z
  .strictObject({
    attestation_id: z.string(),
    schema_id: z.string(),
    evidence_class: z.enum(['R', 'A', 'C']),
    verdict: z.enum(['ACCEPT', 'REJECT']),
    code: z.string().nullable(),
    sandbox: z.boolean(),
    replayed: z.boolean(),
    sealed_at: timeField,
    seq: seqField,
    claim: z.record(z.string(), z.unknown()),
    claim_sha256: hex,
    claim_commitment: hex.nullable(),
    disclosure_seed: z
      .string()
      .optional()
      .meta({ description: 'Shown only to the caller that sealed the claim. It reveals or erases the claim.' }),
    observations: z.array(z.record(z.string(), z.unknown())),
    fee: z.strictObject({
      fee_eurocents: z.int(),
      platform_fee_pct: z.number(),
      platform_fee_eurocents: z.string(),
      fee_status: z.enum(['invoiced_separately', 'paid', 'not_applicable']).meta({
        description: 'invoiced_separately: to the agent whose key was sent. Without a key nobody is invoiced.',
      }),
      rail: z.literal('x402'),
      currency: z.literal('USDC'),
      payout_address: z.string().nullable(),
      reference: z.string(),
    }),
    entry: base64.meta({ description: 'The bytes that the log hashes.' }),
    leaf_hash: hex,
    inclusion: Inclusion,
    checkpoint: z.string(),
    proof: z.string().meta({ description: "A .tlog-proof file. It verifies offline with the log's public key." }),
    verify_url: z.url(),
    promise: z.string(),
    not_promised: z.string(),
  })
  .meta({ id: 'Seal' });

/** Without what the caller sent, what stands in the proof too, and what every seal of the schema says. */
export const MinimalSeal = Seal.omit({
  claim: true,
  entry: true,
  leaf_hash: true,
  inclusion: true,
  checkpoint: true,
  promise: true,
  not_promised: true,
}).meta({ id: 'MinimalSeal', description: 'With `Prefer: return=minimal`. Its proof holds the entry.' });

type SealBody = z.output<typeof Seal>;
type MinimalBody = z.output<typeof MinimalSeal>;

/** What an answer shows of a seal, whether it was made now or before. */
export interface ShownSeal {
  readonly schema: AttestationSchema;
  readonly attestationId: string;
  readonly verdict: 'ACCEPT' | 'REJECT';
  readonly code: string | null;
  readonly sealedAt: string;
  readonly claim: Claim;
  /** The same in canonical JSON. */
  readonly claimText: string;
  readonly claimCommitment: string | null;
  readonly observations: string;
  readonly feeEurocents: number;
  readonly feeStatus: typeof INVOICED | typeof PAID;
  readonly leafText: string;
  readonly leafHashHex: string;
  readonly proof: EntryProof;
  readonly replayed: boolean;
  /** Null for who did not seal the claim. */
  readonly seed: string | null;
}

interface Installation {
  readonly baseUrl: () => string;
  readonly sandbox: boolean;
}

export function minimalSeal(seal: ShownSeal, { baseUrl, sandbox }: Installation): MinimalBody {
  const { schema, attestationId, proof, seed } = seal;
  return {
    attestation_id: attestationId,
    schema_id: schema.id,
    evidence_class: schema.document.evidence_class,
    verdict: seal.verdict,
    code: seal.code,
    sandbox,
    replayed: seal.replayed,
    sealed_at: seal.sealedAt,
    seq: proof.seq,
    claim_sha256: sha256Hex(seal.claimText),
    claim_commitment: seal.claimCommitment,
    ...(seed !== null && { disclosure_seed: Buffer.from(seed, 'base64url').toString('base64') }),
    observations: seal.observations === '[]' ? [] : (JSON.parse(seal.observations) as Record<string, unknown>[]),
    fee: feeOf(seal),
    verify_url: `${baseUrl()}/api/attest/verify/${attestationId}`,
    proof: proofFile(seal.leafText, proof),
  };
}

export function wholeSeal(seal: ShownSeal, installation: Installation): SealBody {
  const { schema, proof } = seal;
  return {
    ...minimalSeal(seal, installation),
    claim: seal.claim,
    entry: Buffer.from(seal.leafText).toString('base64'),
    leaf_hash: seal.leafHashHex,
    inclusion: { tree_size: proof.treeSize, index: proof.seq, hashes: [...proof.path] },
    checkpoint: proof.checkpoint,
    promise: schema.document.promise,
    not_promised: schema.document.not_promised,
  };
}

/** A fee that a wallet pays carries no platform fee. */
function feeOf({ feeEurocents, feeStatus, attestationId }: ShownSeal): SealBody['fee'] {
  const isPaid = feeEurocents > 0 && feeStatus === PAID;
  const pct = isPaid ? 0 : PLATFORM_FEE_PCT;
  return {
    fee_eurocents: feeEurocents,
    platform_fee_pct: pct,
    platform_fee_eurocents: String((feeEurocents * pct) / 100),
    fee_status: feeEurocents === 0 ? 'not_applicable' : feeStatus,
    rail: 'x402',
    currency: 'USDC',
    payout_address: null,
    reference: attestationId,
  };
}

const BEYOND_ASCII = /[\u007f-\uffff]/g;

/**
 * The answer of a seal as JSON. The dash of a signed note would make all of it text of two bytes a character, which takes
 * twice as long to write and to send; so it is escaped, wherever the checkpoint stands.
 */
export function sealText(seal: SealBody | MinimalBody): string {
  const others = JSON.stringify({ ...seal, checkpoint: undefined, proof: undefined }).slice(0, -1);
  if (!('checkpoint' in seal)) return `${others},"proof":"${proofText(seal.proof)}"}`;
  const { entry, seq, inclusion, checkpoint } = seal;
  const note = asciiText(checkpoint);
  const lines = tlogProofLines(entry, seq, inclusion.hashes).join('\\n');
  return `${others},"checkpoint":"${note}","proof":"${lines}${note}"}`;
}

/** The inside of a JSON string, from a proof whose parts are not at hand. */
function proofText(proof: string): string {
  const end = proof.indexOf('\n\n') + 2;
  // A slice alone would keep the two bytes a character that the dash gave to the whole.
  const lines = Buffer.from(proof.slice(0, end), 'latin1').toString('latin1');
  return lines.replaceAll('\n', '\\n') + asciiText(proof.slice(end));
}

let known = '';
let knownText = '';

/** The inside of a JSON string. All seals of one commit have the same checkpoint, so the last text is kept. */
function asciiText(checkpoint: string): string {
  if (checkpoint !== known) {
    const text = JSON.stringify(checkpoint).slice(1, -1);
    knownText = text.replace(BEYOND_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    known = checkpoint;
  }
  return knownText;
}
