import { canonicalJson, CanonicalJsonError } from '#kernel/canonical-json.ts';
import { parseScaled } from '#kernel/decimal.ts';
import { runningSha256 } from '#kernel/ids.ts';
import { shownStep } from '#kernel/json-pointer.ts';
import type { FieldError } from '#kernel/problem.ts';
import { isClean, UNCLEAN } from '#kernel/text-field.ts';
import type { PartOffer, PriceBreak } from '#platform/registers/suppliers/offer.ts';
import { type Bom, type BomLine, type BomPart, type BomUnit, type Make, MAX_LEVELS, MAX_LINES, UNITS } from './bom.ts';
import { explode } from './bom-explode.ts';

export interface ReadBom {
  readonly bom: Bom;
  /** Children before parents. */
  readonly order: readonly number[];
  /** SHA-256 of the canonical JSON of what was given. */
  readonly sha256: string;
}

type Json = Readonly<Record<string, unknown>>;
type Fault = (pointer: string, code: string, detail: string) => undefined;

const MAX_FAULTS = 100;
const PIECE_CHARACTERS = 65_536;
const MAX_PARTS = 200_000;
const MAX_OFFERS = 200;
const MAX_BREAKS = 20;
const MAX_ALTERNATES = 20;
const MAX_DAYS = 3_650;
const MAX_SCRAP = 1_000_000;
const QUANTITY = 'Must be a whole number, or decimal text with at most 3 decimals.';
const QUANTITY_ABOVE_0 = 'Must be above 0: a whole number, or decimal text with at most 3 decimals.';
const QUANTITY_TO_1000 = 'Must be at most 1000: a whole number, or decimal text with at most 3 decimals.';
const DAYS = `Must be a whole number of days, at most ${MAX_DAYS}.`;
const PRICE = 'Must be decimal text with at most 9 decimals, for example "0.0021".';

/** Reads by hand what a schema would take too long for; every fault is named, up to a hundred. */
export function readBom(value: unknown, nowMs: number): ReadBom | readonly FieldError[] {
  const faults: FieldError[] = [];
  const fault: Fault = (pointer, code, detail) => {
    if (faults.length < MAX_FAULTS) faults.push({ pointer, code, detail });
    return undefined;
  };
  const bom = bomOf(value, { fault, nowMs, ids: new Map() });
  if (bom === undefined || faults.length > 0) return faults;
  const explosion = explode(bom);
  if (explosion.type === 'cycle') {
    const path = JSON.stringify(explosion.path.length > 100 ? explosion.path.slice(0, 100) : explosion.path);
    return [{ pointer: '#/bom', code: 'bom_cycle', detail: `A part contains itself: ${path}.` }];
  }
  if (explosion.type === 'too_deep') {
    return [{ pointer: '#/bom', code: 'too_deep', detail: `Must have at most ${MAX_LEVELS} levels.` }];
  }
  try {
    return { bom, order: explosion.order, sha256: digestOf(value as Json) };
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return [{ pointer: '#/bom', code: 'wrong_format', detail: error.message }];
  }
}

/** SHA-256 of the canonical JSON, part by part: as one text a long bill takes ten times as long. */
function digestOf(bom: Json): string {
  const digest = runningSha256();
  let text = '';
  const write = (piece: string) => {
    text += piece;
    if (text.length < PIECE_CHARACTERS) return;
    digest.update(Buffer.from(text));
    text = '';
  };
  Object.keys(bom)
    .toSorted()
    .forEach((name, index) => {
      write(`${index === 0 ? '{' : ','}"${name}":`);
      if (name !== 'parts') return write(canonicalJson(bom[name]));
      (bom[name] as readonly unknown[]).forEach((part, at) => write(`${at === 0 ? '[' : ','}${canonicalJson(part)}`));
      write(']');
    });
  digest.update(Buffer.from(`${text}}`));
  return digest.hex();
}

/** A quantity in thousandths; null where it is none. Zero is for the caller to judge. */
export function quantityOf(value: unknown): number | null {
  if (typeof value === 'string') return parseScaled(value, 3);
  const scaled = typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value * 1_000 : null;
  return scaled !== null && Number.isSafeInteger(scaled) ? scaled : null;
}

interface Reading {
  readonly fault: Fault;
  readonly nowMs: number;
  /** Places of the parts by id. */
  readonly ids: Map<string, number>;
}

const BOM_NAMES = new Set(['id', 'revision', 'root', 'parts']);
const PART_NAMES = new Set(['id', 'unit', 'mpn', 'manufacturer', 'description', 'stock', 'make', 'offers']);
const MAKE_NAMES = new Set(['lead_days', 'cost_eur', 'lines']);
const LINE_NAMES = new Set(
  ['part', 'qty', 'refs', 'scrap_pct', 'setup_qty'].concat('rounding_qty', 'alternates', 'optional'),
);
const OFFER_NAMES = new Set(
  ['supplier', 'sku', 'moq', 'multiple', 'stock', 'lead_days'].concat('currency', 'breaks', 'lifecycle'),
);

function bomOf(value: unknown, reading: Reading): Bom | undefined {
  const { fault, ids } = reading;
  if (!isObject(value)) return fault('#/bom', 'wrong_type', 'Must be an object.');
  strict(value, BOM_NAMES, '#/bom', fault);
  optionalText(value['id'], '#/bom/id', fault);
  optionalText(value['revision'], '#/bom/revision', fault);
  const { parts: given, root } = value;
  if (!Array.isArray(given)) return fault('#/bom/parts', 'wrong_type', 'Must be a list.');
  if (given.length > MAX_PARTS) return fault('#/bom/parts', 'too_long', `Must have at most ${MAX_PARTS} items.`);
  given.forEach((part: unknown, at) => {
    const id = isObject(part) ? part['id'] : undefined;
    if (!isText(id, 1, 128)) fault(`#/bom/parts/${at}/id`, 'wrong_format', 'Must have 1 to 128 characters.');
    else if (ids.has(id)) fault(`#/bom/parts/${at}/id`, 'part_duplicate', 'Another part has this id.');
    else ids.set(id, at);
  });
  let lineCount = 0;
  for (const part of given as unknown[]) {
    const lines = isObject(part) && isObject(part['make']) ? part['make']['lines'] : undefined;
    if (Array.isArray(lines)) lineCount += lines.length;
  }
  if (lineCount > MAX_LINES) return fault('#/bom/parts', 'too_many_lines', `Must have at most ${MAX_LINES} lines.`);
  const parts = given.map((part: unknown, at) => partOf(isObject(part) ? part : {}, `#/bom/parts/${at}`, reading));
  const rootAt = ids.get(root as string);
  if (rootAt === undefined) return fault('#/bom/root', 'part_unknown', 'Must be the id of a part.');
  parts.forEach((part, at) => alternateFaults(part, at, parts, fault));
  return { root: rootAt, parts, lineCount };
}

function alternateFaults({ make }: BomPart, at: number, parts: readonly BomPart[], fault: Fault): void {
  make?.lines.forEach(({ part, alternates }, line) => {
    const isFit = (one: number) => parts[one]?.make === null && parts[one]?.unit === parts[part]?.unit;
    if (alternates.every(isFit)) return;
    const pointer = `#/bom/parts/${at}/make/lines/${line}/alternates`;
    fault(pointer, 'alternate_unfit', 'Alternates must be bought parts with the same unit.');
  });
}

function partOf(value: Json, at: string, reading: Reading): BomPart {
  const { fault } = reading;
  strict(value, PART_NAMES, at, fault);
  const { unit = 'each', stock = 0, make = null, offers = null } = value;
  if (!(UNITS as readonly unknown[]).includes(unit)) {
    fault(`${at}/unit`, 'not_allowed', `Must be one of ${UNITS.join(', ')}.`);
  }
  optionalText(value['description'], `${at}/description`, fault);
  const mpn = optionalText(value['mpn'], `${at}/mpn`, fault);
  uncleanFault(mpn, `${at}/mpn`, fault);
  const hasOffers = Array.isArray(offers) && offers.length > 0;
  if (make === null && mpn === null && !hasOffers) {
    fault(at, 'part_make_and_buy_missing', 'The part needs make, offers or mpn.');
  }
  const own = quantityOf(stock);
  if (own === null) fault(`${at}/stock`, 'quantity_invalid', QUANTITY);
  if (make !== null && hasOffers)
    fault(at, 'part_make_and_buy', 'A part is either made or bought: give make or offers, not both.');
  return {
    id: value['id'] as string,
    unit: unit as BomUnit,
    mpn,
    manufacturer: optionalText(value['manufacturer'], `${at}/manufacturer`, fault),
    stock: own ?? 0,
    make: make === null ? null : makeOf(make, `${at}/make`, reading),
    offers: offers === null ? [] : offersOf(offers, `${at}/offers`, reading, unit as BomUnit),
  };
}

function makeOf(value: unknown, at: string, reading: Reading): Make {
  const { fault } = reading;
  const nothing = { leadDays: 0, costNano: 0, lines: [] };
  if (!isObject(value)) return fault(at, 'wrong_type', 'Must be an object.'), nothing;
  strict(value, MAKE_NAMES, at, fault);
  const { lead_days = 0, cost_eur = '0', lines } = value;
  if (!Array.isArray(lines) || lines.length === 0) {
    return fault(`${at}/lines`, 'wrong_type', 'Must be a list of at least one line.'), nothing;
  }
  if (!isDays(lead_days)) fault(`${at}/lead_days`, 'quantity_invalid', DAYS);
  const costNano = typeof cost_eur === 'string' ? parseScaled(cost_eur, 9) : null;
  if (costNano === null) fault(`${at}/cost_eur`, 'amount_invalid', PRICE);
  return {
    leadDays: lead_days as number,
    costNano: costNano ?? 0,
    lines: lines.map((line: unknown, index) => lineOf(line, at, index, reading)),
  };
}

function lineOf(value: unknown, make: string, index: number, { fault, ids }: Reading): BomLine {
  // Built only where there is a fault: a hundred thousand pointers would take longer than the lines.
  const at = (name?: string) => `${make}/lines/${index}${name === undefined ? '' : `/${name}`}`;
  const line = isObject(value) ? value : {};
  if (line !== value) fault(at(), 'wrong_type', 'Must be an object.');
  for (const name in line) if (!LINE_NAMES.has(name)) unknownName(at(), name, fault);
  const { part: id, scrap_pct = '0', setup_qty = '0', rounding_qty = '0', optional = false, alternates } = line;
  const part = ids.get(id as string);
  if (part === undefined) fault(at('part'), 'part_unknown', 'Must be the id of a part.');
  const qty = quantityOf(line['qty']);
  if (qty === null || qty === 0) fault(at('qty'), 'quantity_invalid', QUANTITY_ABOVE_0);
  const scrap = scrap_pct === '0' ? 0 : quantityOf(scrap_pct);
  if (scrap === null || scrap > MAX_SCRAP) fault(at('scrap_pct'), 'quantity_invalid', QUANTITY_TO_1000);
  const setup = setup_qty === '0' ? 0 : quantityOf(setup_qty);
  if (setup === null) fault(at('setup_qty'), 'quantity_invalid', QUANTITY);
  const rounding = rounding_qty === '0' ? 0 : quantityOf(rounding_qty);
  if (rounding === null) fault(at('rounding_qty'), 'quantity_invalid', QUANTITY);
  if (typeof optional !== 'boolean') fault(at('optional'), 'wrong_type', 'Must be true or false.');
  if (line['refs'] !== undefined && !isText(line['refs'], 0, 4_000)) {
    fault(at('refs'), 'too_long', 'Must be text of at most 4000 characters.');
  }
  return {
    part: part ?? 0,
    qty: qty ?? 0,
    scrap: scrap ?? 0,
    setup: setup ?? 0,
    rounding: rounding ?? 0,
    optional: optional === true,
    alternates: alternates === undefined ? NONE : alternatesOf(alternates, at('alternates'), { fault, ids }),
  };
}

const NONE: readonly number[] = [];

function alternatesOf(value: unknown, at: string, { fault, ids }: Pick<Reading, 'fault' | 'ids'>): number[] {
  if (!Array.isArray(value) || value.length > MAX_ALTERNATES) {
    return fault(at, 'wrong_type', `Must be a list of at most ${MAX_ALTERNATES} ids.`), [];
  }
  return [...new Set(value)].flatMap((id: unknown, index) => {
    const place = ids.get(id as string);
    if (place === undefined) fault(`${at}/${index}`, 'part_unknown', 'Must be the id of a part.');
    return place ?? [];
  });
}

function offersOf(value: unknown, at: string, { fault, nowMs }: Reading, unit: BomUnit): PartOffer[] {
  if (!Array.isArray(value) || value.length > MAX_OFFERS) {
    return fault(at, 'wrong_type', `Must be a list of at most ${MAX_OFFERS} offers.`), [];
  }
  return value.map((given: unknown, index) => {
    const wrong = (name: string, code: string, detail: string) => fault(`${at}/${index}${name}`, code, detail);
    const offer = isObject(given) ? given : {};
    if (offer !== given) wrong('', 'wrong_type', 'Must be an object.');
    for (const name in offer) if (!OFFER_NAMES.has(name)) unknownName(`${at}/${index}`, name, fault);
    const { supplier, sku = '', moq = 0, multiple = unit === 'each' ? 1 : '0.001', stock = null } = offer;
    const { lead_days: lead = null, currency = 'EUR', lifecycle = null } = offer;
    if (!isText(supplier, 1, 128)) wrong('/supplier', 'wrong_format', 'Must have 1 to 128 characters.');
    else uncleanFault(supplier, '/supplier', wrong);
    if (!isText(sku, 0, 128)) wrong('/sku', 'wrong_format', 'Must have at most 128 characters.');
    else uncleanFault(sku, '/sku', wrong);
    if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
      wrong('/currency', 'wrong_format', 'Must be an ISO 4217 code.');
    }
    const moqThousandths = quantityOf(moq);
    if (moqThousandths === null) wrong('/moq', 'quantity_invalid', QUANTITY);
    const multipleThousandths = quantityOf(multiple);
    if (!multipleThousandths) wrong('/multiple', 'quantity_invalid', QUANTITY_ABOVE_0);
    const stockThousandths = stock === null ? null : quantityOf(stock);
    if (stock !== null && stockThousandths === null) wrong('/stock', 'quantity_invalid', QUANTITY);
    if (lead !== null && !isDays(lead)) wrong('/lead_days', 'quantity_invalid', DAYS);
    if (lifecycle !== null && !isText(lifecycle, 1, 128))
      wrong('/lifecycle', 'wrong_format', 'Must have 1 to 128 characters.');
    return {
      supplier: supplier as string,
      sku: sku as string,
      moqThousandths: moqThousandths ?? 0,
      multipleThousandths: multipleThousandths || 1,
      stockThousandths,
      leadDays: lead as number | null,
      currency: currency as string,
      breaks: breaksOf(offer['breaks'], wrong),
      lifecycle: lifecycle as string | null,
      manufacturer: null,
      source: 'inline',
      asOfMs: nowMs,
    };
  });
}

function breaksOf(value: unknown, wrong: Fault): PriceBreak[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_BREAKS) {
    wrong('/breaks', 'wrong_type', `Must be a list of 1 to ${MAX_BREAKS} pairs of quantity and price.`);
    return [];
  }
  const breaks: PriceBreak[] = [];
  let before = -1;
  for (let index = 0; index < value.length; index += 1) {
    const pair: unknown = value[index];
    const [from, cost] = Array.isArray(pair) && pair.length === 2 ? (pair as unknown[]) : [];
    const fromThousandths = quantityOf(from);
    if (fromThousandths === null) wrong(`/breaks/${index}/0`, 'quantity_invalid', QUANTITY);
    else if (fromThousandths <= before) {
      wrong(`/breaks/${index}/0`, 'breaks_unordered', 'Must be above the quantity of the previous break.');
    }
    before = fromThousandths ?? before;
    const priceNano = typeof cost === 'string' ? parseScaled(cost, 9) : null;
    if (priceNano === null) wrong(`/breaks/${index}/1`, 'amount_invalid', PRICE);
    breaks.push({ fromThousandths: before, priceNano: priceNano ?? 0 });
  }
  return breaks;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown, least: number, most: number): value is string {
  return typeof value === 'string' && value.length >= least && value.length <= most;
}

function optionalText(value: unknown, at: string, fault: Fault): string | null {
  if (value === undefined || value === null) return null;
  if (isText(value, 1, 500)) return value;
  fault(at, 'wrong_format', 'Must have 1 to 500 characters.');
  return null;
}

/** Of texts that are looked up, or that a supplier reads. */
function uncleanFault(text: string | null, at: string, fault: Fault): void {
  if (text !== null && !isClean(text)) fault(at, UNCLEAN.code, UNCLEAN.detail);
}

function strict(value: Json, names: ReadonlySet<string>, at: string, fault: Fault): void {
  for (const name in value) if (!names.has(name)) unknownName(at, name, fault);
}

function unknownName(at: string, name: string, fault: Fault): void {
  fault(`${at}${shownStep(name)}`, 'unknown_parameter', 'Unknown member of a bill of materials.');
}

function isDays(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_DAYS;
}
