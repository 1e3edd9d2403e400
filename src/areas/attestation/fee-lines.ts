import { isoTime } from '#kernel/clock.ts';
import { writeCsv } from '#kernel/csv.ts';
import { mulDiv } from '#kernel/money.ts';
import { ANONYMOUS, type SealFee } from '#kernel/task-route.ts';
import { FEE } from './sql.ts';

export const INVOICED = 'invoiced_separately';
export const PAID = 'paid';

export interface FeeLine extends SealFee {
  /** The agent that pays, or `anonymous`. */
  readonly owner: string;
  readonly feeStatus: string;
}

export const FEES_BETWEEN = FEE.select('WHERE at >= $1 AND at < $2 ORDER BY owner, at, attestation_id');

const COLUMNS = ['owner', 'attestation_id', 'schema_id', 'sealed_at', 'fee_eurocents', 'fee_status'];

/** The lines of each owner, then one with the total to invoice and 1 percent of it, rounded up once. */
export function feeCsv(lines: readonly FeeLine[]): string {
  const byOwner = Map.groupBy(lines, ({ owner }) => owner);
  const rows = [...byOwner].flatMap(([owner, ofOwner]) => [...ofOwner.map(feeRow), totalRow(owner, ofOwner)]);
  return writeCsv([COLUMNS, ...rows]);
}

function feeRow({ owner, attestationId, schemaId, sealedAtMs, feeEurocents, feeStatus }: FeeLine) {
  return [owner, attestationId, schemaId, isoTime(sealedAtMs), feeEurocents, feeStatus];
}

/** A fee that the wallet has paid is on no invoice and carries no platform fee. */
function totalRow(owner: string, lines: readonly FeeLine[]) {
  const due = lines.filter(({ feeStatus }) => feeStatus === INVOICED);
  const totalEurocents = due.reduce((sum, { feeEurocents }) => sum + feeEurocents, 0);
  const note =
    // Nobody can be sent this invoice.
    owner === ANONYMOUS ? 'not_invoiced' : `platform_fee_eurocents=${mulDiv(totalEurocents, 1, 100, 'up')}`;
  return [owner, 'total', '', '', totalEurocents, note];
}
