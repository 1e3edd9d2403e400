import { isoTime } from '#kernel/clock.ts';
import { newCommandId, newToken } from '#kernel/ids.ts';
import type { SealFee } from '#kernel/task-route.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import { type DraftedEntry, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { WorkDone } from './work.ts';

const SEAL_SCHEMA = 'record.integrity.v1';
const MICRO_PER_CENT = 10_000;

/** What one seal of an output costs. */
export function sealFeeMicro(): number {
  return (schemaById(SEAL_SCHEMA)?.document.fee_eurocents ?? 0) * MICRO_PER_CENT;
}

interface SealedOutput {
  readonly entry: DraftedEntry;
  readonly fee: SealFee;
}

interface Moment {
  readonly sandbox: boolean;
  readonly atMs: number;
}

/** The log entries of what work is to be sealed, for the transaction that keeps its outputs: their ids are in these. */
export function sealedOutputs({ seals }: Pick<WorkDone, 'seals'>, moment: Moment) {
  const sealed = seals.flatMap(({ of, claim }) => sealedOutput(of, claim, moment));
  return { entries: sealed.map(({ entry }) => entry), fees: sealed.map(({ fee }) => fee) };
}

/** The entry of a claim, and its id and seed in the output that it is about. Its moment is ours, not the commit's. */
function sealedOutput(of: object, claim: object, { sandbox, atMs }: Moment): SealedOutput[] {
  const schema = schemaById(SEAL_SCHEMA);
  if (schema === undefined) throw new Error(`no schema ${SEAL_SCHEMA}`);
  const seed = newToken();
  const given = claim as Parameters<typeof prepareSeal>[0]['claim'];
  const prepared = prepareSeal({ schema, claim: given, observations: [], seed: Buffer.from(seed, 'base64url') });
  if (prepared.verdict !== 'ACCEPT') return [];
  const draft = {
    prepared,
    claim: given,
    observations: [],
    seed,
    disclosure: 'holder',
    nonce: newCommandId(),
  } as const;
  const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(atMs) });
  const disclosure_seed = Buffer.from(seed, 'base64url').toString('base64');
  Object.assign(of, { attestation_id: entry.leaf.id, disclosure_seed });
  const { schemaId, feeEurocents } = prepared;
  return [{ entry, fee: { attestationId: entry.leaf.id, schemaId, sealedAtMs: atMs, feeEurocents } }];
}
