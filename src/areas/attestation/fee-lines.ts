import { isoTime } from '#kernel/clock.ts';
import { mulDiv } from '#kernel/money.ts';
import { FEE } from './sql.ts';

export interface FeeLine {
  readonly owner: string;
  readonly attestationId: string;
  readonly schemaId: string;
  readonly sealedAtMs: number;
  readonly feeEurocents: number;
  readonly feeStatus: string;
}

export const FEES_BETWEEN = FEE.select('WHERE at >= $1 AND at < $2 ORDER BY owner, at, attestation_id');

/** Nobody can be sent this invoice. */
const NOT_INVOICED = 'anonymous';
export const INVOICED = 'invoiced_separately';
const COLUMNS = 'owner,attestation_id,schema_id,sealed_at,fee_eurocents,fee_status';

/** RFC 4180: the lines of each owner, then one with the total to invoice and 1 percent of it, rounded up once. */
export function feeCsv(lines: readonly FeeLine[]): string {
  const byOwner = Map.groupBy(lines, ({ owner }) => owner);
  const rows = [...byOwner].flatMap(([owner, ofOwner]) => [...ofOwner.map(csvLine), totalLine(owner, ofOwner)]);
  return [COLUMNS, ...rows].map((line) => `${line}\r\n`).join('');
}

function csvLine({ owner, attestationId, schemaId, sealedAtMs, feeEurocents, feeStatus }: FeeLine): string {
  return [owner, attestationId, schemaId, isoTime(sealedAtMs), String(feeEurocents), feeStatus].map(cell).join(',');
}

/** A fee that the wallet has paid is on no invoice and carries no platform fee. */
function totalLine(owner: string, lines: readonly FeeLine[]): string {
  const due = lines.filter(({ feeStatus }) => feeStatus === INVOICED);
  const totalEurocents = due.reduce((sum, { feeEurocents }) => sum + feeEurocents, 0);
  const note =
    owner === NOT_INVOICED ? 'not_invoiced' : `platform_fee_eurocents=${mulDiv(totalEurocents, 1, 100, 'up')}`;
  return [owner, 'total', '', '', String(totalEurocents), note].map(cell).join(',');
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
