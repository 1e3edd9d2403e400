import { parseScaled } from '#kernel/decimal.ts';
import type { PartOffer, PriceBreak } from './offer.ts';

/** Currencies whose texts part thousands by commas; elsewhere the comma stands before the decimals. */
const COMMA_PARTS_THOUSANDS = new Set(['USD', 'GBP', 'CNY', 'JPY']);

/** The plain decimal text of a price as suppliers write it: `$0.52`, `0,52 €`, `1.234,56`, or a number. */
export function priceText(price: string | number | null | undefined, currency: string): string | null {
  if (typeof price === 'number') return Number.isFinite(price) && price >= 0 ? price.toFixed(9) : null;
  const digits = (price ?? '').replaceAll(/[^\d.,]/g, ''); // attacker-controlled
  const point = digits.lastIndexOf('.');
  const comma = digits.lastIndexOf(',');
  const isCommaDecimal = point === -1 ? !COMMA_PARTS_THOUSANDS.has(currency) : comma > point;
  const text = isCommaDecimal ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '');
  return /^\d+(?:\.\d+)?$/.test(text) ? text : null;
}

/** The first whole number in a text such as `12,345 In Stock` or `61 Days`; null where there is none. */
export function wholeNumber(given: string | number | null | undefined): number | null {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? given : null;
  const [digits] = /\d[\d,.]*/.exec(given ?? '') ?? [];
  const count = digits === undefined ? null : Number(digits.replaceAll(/[,.]/g, ''));
  return count !== null && Number.isSafeInteger(count * 1_000) ? count : null;
}

export interface WireOffer {
  readonly supplier: string;
  readonly sku: string;
  readonly moq: number | null;
  readonly multiple: number | null;
  readonly stock: number | null;
  readonly leadDays: number | null;
  readonly currency: string;
  readonly breaks: readonly { readonly quantity: number; readonly price: string | number | null | undefined }[];
  readonly lifecycle: string | null;
  readonly manufacturer: string | null;
  readonly source: string;
  readonly asOfMs: number;
}

const MAX_BREAKS = 20;
const MAX_TEXT = 128;

/** The offer as it is counted with; null where it has no price that can be. */
export function offerOf({ moq, multiple, stock, breaks, ...wire }: WireOffer): PartOffer | null {
  const priced = new Map<number, PriceBreak>();
  for (const { quantity, price } of breaks) {
    const text = priceText(price, wire.currency);
    const priceNano = text === null ? null : parseScaled(text.replace(/(\.\d{9})\d+$/, '$1'), 9);
    const fromThousandths = quantity * 1_000;
    if (priceNano === null || !Number.isSafeInteger(fromThousandths) || fromThousandths < 0) continue;
    priced.set(fromThousandths, { fromThousandths, priceNano });
  }
  const ascending = [...priced.values()].toSorted((a, b) => a.fromThousandths - b.fromThousandths).slice(0, MAX_BREAKS);
  if (ascending.length === 0 || !/^[A-Z]{3}$/.test(wire.currency)) return null;
  const short = (text: string) => text.slice(0, MAX_TEXT).toWellFormed();
  return {
    ...wire,
    supplier: short(wire.supplier),
    sku: short(wire.sku),
    lifecycle: wire.lifecycle === null || wire.lifecycle === '' ? null : short(wire.lifecycle),
    manufacturer: wire.manufacturer === null ? null : short(wire.manufacturer),
    moqThousandths: Math.max(moq ?? 1, 1) * 1_000,
    multipleThousandths: Math.max(multiple ?? 1, 1) * 1_000,
    stockThousandths: stock === null ? null : stock * 1_000,
    breaks: ascending,
  };
}
