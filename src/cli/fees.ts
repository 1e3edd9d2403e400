import { feeCsv, FEES_BETWEEN } from '#areas/attestation/fee-lines.ts';
import { DAY_MS, isoTime } from '#kernel/clock.ts';
import { type Run, UsageError } from './line/spec.ts';
import { openStore } from './operator-store.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const exportFees: Run = async ({ values: { from = '', to = '' } }, output) => {
  const fromMs = startOf('--from', from);
  // Both days are included, in UTC.
  const untilMs = startOf('--to', to) + DAY_MS;
  if (untilMs <= fromMs) throw new UsageError('--from is after --to.');
  await using opened = await openStore(output);
  const lines = await opened.foundation.store.read(FEES_BETWEEN, [fromMs, untilMs]);
  const fees = lines.map(({ owner, attestationId, schemaId, sealedAtMs, feeEurocents, feeStatus }) => ({
    owner,
    attestation_id: attestationId,
    schema_id: schemaId,
    sealed_at: isoTime(sealedAtMs),
    fee_eurocents: feeEurocents,
    fee_status: feeStatus,
  }));
  output.result({ from, to, fees }, feeCsv(lines));
  return 0;
};

function startOf(option: string, day: string): number {
  const ms = Date.parse(`${day}T00:00:00.000Z`);
  // The way back finds a day that its month does not have.
  const isDay = DAY.test(day) && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
  if (!isDay) throw new UsageError(`${option} must be a day such as 2026-11-01.`);
  return ms;
}
