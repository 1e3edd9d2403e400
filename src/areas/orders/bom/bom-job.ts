import { canonicalJson } from '#kernel/canonical-json.ts';
import { isoTime } from '#kernel/clock.ts';
import { parseExactJson, valuesIn } from '#kernel/exact-json.ts';
import { formatScaled } from '#kernel/decimal.ts';
import { sha256Hex } from '#kernel/ids.ts';
import type { FieldError } from '#kernel/problem.ts';
import { decode } from '#kernel/query-decoder.ts';
import { AmountOverflow, type BomTerms, type ExchangeRate, OFFER_LIFE_MS } from './bom.ts';
import { amount, type Buy, calculate, type Calculation, euros, mpnsOf } from './bom-calculate.ts';
import type { OffersByMpn } from './bom-choice.ts';
import { csvBom } from './bom-csv.ts';
import { BomBody, bomTerms, type TermsInput } from './bom-fields.ts';
import { type ReadBom, readBom } from './bom-input.ts';

/** A request as it came: decoded, or bytes that are still to be read. */
export type BomRequest =
  | { readonly type: 'decoded'; readonly bom: unknown; readonly terms: TermsInput }
  | { readonly type: 'json'; readonly bytes: Uint8Array }
  | { readonly type: 'csv'; readonly bytes: Uint8Array; readonly terms: TermsInput };

export interface BomMoment {
  readonly nowMs: number;
  readonly serviceRates: ReadonlyMap<string, ExchangeRate>;
}

export interface Prepared {
  readonly read: ReadBom;
  readonly terms: BomTerms;
  /** Of the bill and the terms together: what an Idempotency-Key stands for. */
  readonly requestSha256: string;
  readonly mpns: readonly string[];
}

export type Faulty = { readonly faults: readonly FieldError[] };

/** Reads a request and finds what has to be looked up for it. */
export function prepareBom(request: BomRequest, { nowMs, serviceRates }: BomMoment): Prepared | Faulty {
  const given = givenOf(request);
  if ('faults' in given) return given;
  const read = readBom(given.bom, nowMs);
  if (!('bom' in read)) return { faults: read };
  const terms = bomTerms(given.terms, serviceRates);
  const requestSha256 = sha256Hex(canonicalJson({ bom_sha256: read.sha256, terms: plain(given.terms) }));
  return { read, terms, requestSha256, mpns: mpnsOf(read.bom) };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** More than a bill of 100,000 lines has, with offers and their breaks. */
const MAX_VALUES = 4_000_000;

function givenOf(request: BomRequest): { bom: unknown; terms: TermsInput } | Faulty {
  if (request.type === 'decoded') return request;
  if (request.type === 'json' && valuesIn(request.bytes, MAX_VALUES) > MAX_VALUES) {
    const detail = `The body has more than ${MAX_VALUES} members and items.`;
    return { faults: [{ pointer: '#', code: 'too_many_values', detail }] };
  }
  let text: string;
  try {
    text = utf8.decode(request.bytes);
  } catch {
    return { faults: [{ pointer: '#', code: 'wrong_format', detail: 'The body is not UTF-8.' }] };
  }
  if (request.type === 'csv') {
    const read = csvBom(text);
    return 'faults' in read ? read : { bom: read.bom, terms: request.terms };
  }
  let read: ReturnType<typeof parseExactJson>;
  try {
    read = parseExactJson(text);
  } catch {
    return { faults: [{ pointer: '#', code: 'wrong_format', detail: 'The body is not JSON.' }] };
  }
  if (read.faults.length > 0) return { faults: read.faults };
  const decoded = decode(BomBody, read.value);
  if (!decoded.ok) return { faults: decoded.errors };
  const { bom, ...terms } = decoded.input as TermsInput & { bom: unknown };
  return { bom, terms };
}

function plain(terms: TermsInput): unknown {
  return JSON.parse(JSON.stringify(terms));
}

/** Canonical JSON of buys and of flags, which may be megabytes: written once, where it was computed. */
export type BomLines = Readonly<Record<'buys' | 'flags', string>>;

/** Both in one object. */
export function linesText({ buys, flags }: BomLines): string {
  return `{"buys":${buys},"flags":${flags}}`;
}

/** A calculation in the form of its answer. */
export interface Finished {
  readonly head: CalculationHead;
  readonly lines: BomLines;
  readonly priced: number;
}

export interface CalculationHead {
  readonly bom_sha256: string;
  readonly lines_sha256: string;
  readonly quantity: string;
  readonly strategy: string;
  readonly totals: Readonly<
    Record<'material_eur' | 'conversion_eur' | 'excess_eur' | 'total_eur' | 'unit_eur', string>
  > & {
    readonly fewest_suppliers_extra_eur?: string;
  };
  readonly lead: { readonly days: number | null; readonly critical_path: readonly string[] };
  readonly coverage: { readonly priced: number; readonly unpriced: number };
  readonly fx: Readonly<Record<string, string | null>>;
  readonly valid_until: string | null;
}

/** Computes and writes the answer; an amount that cannot be counted exactly is a fault of the input. */
export function finish({ read, terms }: Prepared, offers: OffersByMpn, nowMs: number): Finished | Faulty {
  try {
    const calculation = calculate({ bom: read.bom, order: read.order, terms, offers, nowMs });
    return written(calculation, read, terms);
  } catch (error) {
    if (!(error instanceof AmountOverflow)) throw error;
    const pointer = `#/bom/parts/${error.part}`;
    return {
      faults: [
        {
          pointer,
          code: 'amount_overflow',
          detail: 'The quantity or cost of this part is too large to compute exactly.',
        },
      ],
    };
  }
}

function written(calculation: Calculation, read: ReadBom, terms: BomTerms): Finished {
  const { materialMicro, conversionMicro, excessMicro, totalMicro, extraMicro, buys, flags } = calculation;
  // Names in order: this is their canonical text, and five times faster than writing it by hand.
  const lines = { buys: JSON.stringify(buys.map(buyRow)), flags: JSON.stringify(flags) };
  const totals = {
    material_eur: euros(materialMicro),
    conversion_eur: euros(conversionMicro),
    excess_eur: euros(excessMicro),
    total_eur: euros(totalMicro),
    unit_eur: euros(perUnit(totalMicro, terms.quantity)),
    ...(terms.strategy === 'fewest_suppliers' && { fewest_suppliers_extra_eur: euros(extraMicro) }),
  };
  const head: CalculationHead = {
    bom_sha256: read.sha256,
    lines_sha256: sha256Hex(linesText(lines)),
    quantity: amount(terms.quantity),
    strategy: terms.strategy,
    totals,
    lead: { days: calculation.leadDays, critical_path: calculation.criticalPath },
    coverage: { priced: buys.length, unpriced: calculation.unpriced },
    fx: ratesUsed(buys, terms.fx),
    valid_until: calculation.oldestOfferMs === null ? null : isoTime(calculation.oldestOfferMs + OFFER_LIFE_MS),
  };
  return { head, lines, priced: buys.length };
}

function perUnit(totalMicro: number, quantity: number): bigint {
  return (BigInt(totalMicro) * 1_000n + BigInt(quantity) / 2n) / BigInt(quantity);
}

function buyRow({ part, alternate, need, option }: Buy): object {
  const { offer, order, unitNano, totalMicro, leadDays } = option;
  return {
    ...(alternate !== null && { alternate: alternate.id }),
    excess_qty: amount(order - need),
    lead_days: leadDays,
    mpn: (alternate ?? part).mpn,
    need: amount(need),
    offer_as_of: isoTime(offer.asOfMs),
    order_qty: amount(order),
    part: part.id,
    sku: offer.sku,
    source: offer.source,
    supplier: offer.supplier,
    total_eur: euros(totalMicro),
    unit_price_eur: formatScaled(unitNano, 9, 2),
  };
}

/** The rates that stand behind prices of the answer. */
function ratesUsed(buys: readonly Buy[], fx: ReadonlyMap<string, ExchangeRate>): Record<string, string | null> {
  const used = new Set(buys.map(({ option }) => option.offer.currency));
  const rates = [...fx].filter(([currency]) => used.has(currency)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (rates.length === 0) return {};
  const from = new Set(rates.map(([, rate]) => rate.from));
  const dated = rates.find(([, { asOf }]) => asOf !== null);
  return {
    ...Object.fromEntries(rates.map(([currency, { nano }]) => [currency, formatScaled(nano, 9, 6)])),
    as_of: dated?.[1].asOf ?? null,
    from: [...from].toSorted().join(' and '),
  };
}
