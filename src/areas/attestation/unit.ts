import { isoTime } from '#kernel/clock.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Cell, Unit } from '#storage/store.ts';

export interface SealCommand {
  readonly draft: SealDraft;
  readonly sandbox: boolean;
  /** Who is invoiced for the fee. */
  readonly owner: string;
}

export interface SealResult {
  readonly attestationId: string;
  readonly leafText: string;
  readonly leafHashHex: string;
  readonly sealedAtMs: number;
}

interface Fees {
  readonly rows: readonly (readonly Cell[])[];
}

const FEE_INSERT = `INSERT INTO seal_fee (attestation_id, schema_id, owner, fee_eurocents, fee_status, at)
  VALUES ($1, $2, $3, $4, $5, $6)`;

/** Seals: one log entry each, and an invoice line where there is a fee. */
export const sealUnit: Unit<SealCommand, Fees, SealResult> = {
  name: 'attestation',
  reads: () => [],
  load: () => ({ rows: [] }),
  decide(fees, nowMs, _next, { draft, sandbox, owner }) {
    const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
    const { id, text, hash } = entry.leaf;
    const { feeEurocents, schemaId } = draft.prepared;
    const row = [id, schemaId, owner, feeEurocents, 'invoiced_separately', nowMs];
    return {
      state: feeEurocents === 0 ? fees : { rows: [...fees.rows, row] },
      result: {
        attestationId: id,
        leafText: text,
        leafHashHex: Buffer.from(hash).toString('hex'),
        sealedAtMs: nowMs,
      },
      entries: [entry],
    };
  },
  writes: (_before, after) => [{ sql: FEE_INSERT, rows: after.rows }],
};
