import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { tlogProofLines } from '#protocol/tlog-proof.ts';
import { base64, hex, Inclusion, seqField } from './fields.ts';

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

const BEYOND_ASCII = /[\u007f-\uffff]/g;

/**
 * The answer of a seal as JSON. The dash of a signed note would make all of it text of two bytes a character, which takes
 * twice as long to write and to send; so it is escaped, in the two members that hold the checkpoint.
 */
export function sealText(seal: z.output<typeof Seal>): string {
  const { entry, seq, inclusion, checkpoint } = seal;
  const note = asciiText(checkpoint);
  const others = JSON.stringify({ ...seal, checkpoint: undefined, proof: undefined }).slice(0, -1);
  const lines = tlogProofLines(entry, seq, inclusion.hashes).join('\\n');
  return `${others},"checkpoint":"${note}","proof":"${lines}${note}"}`;
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
