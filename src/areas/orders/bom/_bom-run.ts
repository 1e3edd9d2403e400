// One calculation from JSON, as the operation runs it.
import type { FieldError } from '#kernel/problem.ts';
import { decode } from '#kernel/query-decoder.ts';
import type { OffersByMpn } from './bom-choice.ts';
import { BomBody, type TermsInput } from './bom-fields.ts';
import { type CalculationHead, finish, linesText, prepareBom } from './bom-job.ts';

export const NOW_MS = Date.UTC(2026, 10, 15, 12);

export type BuyRow = Readonly<Record<string, string | number | null>>;

export type Ran =
  | { readonly head: CalculationHead; readonly buys: readonly BuyRow[]; readonly flags: readonly BuyRow[] }
  | { readonly faults: readonly FieldError[] };

export function run(body: object, offers: OffersByMpn = new Map()): Ran {
  const decoded = decode(BomBody, body);
  if (!decoded.ok) return { faults: decoded.errors };
  const { bom, ...terms } = decoded.input as TermsInput & { bom: unknown };
  const prepared = prepareBom({ type: 'decoded', bom, terms }, { nowMs: NOW_MS, serviceRates: new Map() });
  if ('faults' in prepared) return prepared;
  const finished = finish(prepared, offers, NOW_MS);
  if ('faults' in finished) return finished;
  return { head: finished.head, ...(JSON.parse(linesText(finished.lines)) as { buys: BuyRow[]; flags: BuyRow[] }) };
}
