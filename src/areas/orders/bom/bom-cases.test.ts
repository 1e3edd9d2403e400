import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { sha256Hex } from '#kernel/ids.ts';
import type { PartOffer } from '#platform/registers/suppliers/offer.ts';
import { NOW_MS, run } from './_bom-run.ts';
import { csvBom } from './bom-csv.ts';

type Json = Record<string, unknown>;
/** part: [need, order, total] */
type Buys = Record<string, readonly [need: string, order: string, total: string]>;

interface Expected {
  readonly buys?: Buys;
  readonly total?: string;
  readonly unit?: string;
  readonly conversion?: string;
  readonly excess?: string;
  readonly days?: number | null;
  readonly path?: string;
  readonly flags?: string;
  readonly suppliers?: Record<string, string>;
  readonly fault?: readonly [pointer: string, code: string];
}

const offer = (breaks: readonly (readonly [number, string])[], more: Json = {}): Json => ({
  supplier: 's',
  sku: 'k',
  breaks,
  ...more,
});
/** moq 10, multiple 5, stock 1,000, lead 30 days, 1 at 0.10, 100 at 0.05. */
const O = offer([[1, '0.10'], [100, '0.05']], { moq: 10, multiple: 5, stock: 1_000, lead_days: 30 }); // biome-ignore format: a pair each
const bought = (id: string, offers: readonly Json[], more: Json = {}): Json => ({ id, offers, ...more });
const made = (id: string, lines: readonly Json[], more: Json = {}): Json => ({ id, make: { lines, ...more } });
const line = (part: string, qty: unknown, more: Json = {}): Json => ({ part, qty, ...more });
const bill = (root: string, ...parts: Json[]): Json => ({ root, parts });
/** So many of one part bought with these offers. */
const need = (quantity: unknown, offers: readonly Json[], more: Json = {}, part: Json = {}): Json => ({
  bom: bill('P', bought('P', offers, part)),
  quantity,
  ...more,
});
const flat = (unit: string, more: Json = {}): Json => offer([[1, unit]], more);

const R1 = {
  bom: bill(
    'TOP',
    made(
      'TOP',
      [line('R1', '4', { refs: 'R1-R4', scrap_pct: '2', setup_qty: '5', rounding_qty: '0', optional: false })],
      { lead_days: 3, cost_eur: '1.20' },
    ),
    bought('R1', [offer([[1, '0.0100'], [1_000, '0.0021']], { stock: 5_000, lead_days: 1 })], { mpn: 'EX-0603-10K' }), // biome-ignore format: a pair each
  ),
  quantity: '100',
};
const ABC = bill(
  'A',
  made('A', [line('B', 2), line('C', 3, { scrap_pct: '10', setup_qty: 5, rounding_qty: 50 })], {
    lead_days: 5,
    cost_eur: '1.00',
  }),
  made('B', [line('C', 4)], { lead_days: 2 }),
  bought('C', [O]),
);
const under = (lineMore: Json, childMore: Json = {}, quantity: unknown = 10): Json => ({
  bom: bill('A', made('A', [line('P', 1, lineMore)]), bought('P', [flat('1')], childMore)),
  quantity,
});

const CASES: readonly (readonly [name: string, body: Json, expected: Expected])[] = [
  ['a price break above the need that costs less is bought', need(60, [O]), { buys: { P: ['60', '100', '5.00'] }, flags: 'buy_up single_source', excess: '2.00' }],
  ['the least quantity of the offer holds', need(3, [O]), { buys: { P: ['3', '10', '1.00'] }, flags: 'moq_excess single_source' }],
  ['the quantity is a multiple', need(11, [O]), { buys: { P: ['11', '15', '1.50'] }, flags: 'moq_excess single_source' }],
  ['a need that is legal is bought as it is', need(25, [O]), { buys: { P: ['25', '25', '2.50'] }, flags: 'single_source' }],
  ['49 cost less than the 100 of the break', need(49, [O]), { buys: { P: ['49', '50', '5.00'] }, flags: 'single_source' }],
  ['the bill of the handbook: 130 C by two ways', { bom: ABC, quantity: 10 }, { buys: { C: ['130', '130', '6.50'] }, conversion: '10.00', total: '16.50', unit: '1.65', days: 8, path: 'A B C', flags: 'single_source' }],
  ['the request of the handbook', R1, { buys: { R1: ['413', '1000', '2.10'] }, conversion: '120.00', total: '122.10', unit: '1.221', days: 4, path: 'TOP R1', flags: 'buy_up single_source' }],
  ['buying up within a bound', { ...R1, max_buyup_factor: 2 }, { buys: { R1: ['413', '413', '4.13'] }, total: '124.13' }],
  ['a bound that just allows the break', need(50, [O], { max_buyup_factor: '2' }), { buys: { P: ['50', '50', '5.00'] } }],
  ['a bound that allows the break where it saves', need(51, [O], { max_buyup_factor: '1.819' }), { buys: { P: ['51', '100', '5.00'] } }],
  ['a bound a hair too low', need(51, [O], { max_buyup_factor: '1.818' }), { buys: { P: ['51', '55', '5.50'] } }],
  ['scrap is rounded up to whole pieces once', under({ scrap_pct: '1' }), { buys: { P: ['11', '11', '11.00'] } }],
  ['no scrap, no piece more', under({ scrap_pct: '0' }), { buys: { P: ['10', '10', '10.00'] } }],
  ['a thousandth of a percent counts', under({ scrap_pct: '0.001' }, {}, 100_000), { buys: { P: ['100001', '100001', '100001.00'] } }],
  ['setup is added before rounding', under({ setup_qty: 3 }), { buys: { P: ['13', '13', '13.00'] } }],
  ['rounding goes up to the multiple', under({ setup_qty: 3, rounding_qty: 10 }), { buys: { P: ['20', '20', '20.00'] } }],
  ['metres are counted to the millimetre', under({ scrap_pct: '3.333' }, { unit: 'm', offers: [flat('2')] }, 1), { buys: { P: ['1.034', '1.034', '2.068'] } }],
  ['half a piece is a piece', { bom: bill('A', made('A', [line('P', '0.5')]), bought('P', [flat('1')])), quantity: 3 }, { buys: { P: ['2', '2', '2.00'] } }],
  ['half a metre is half a metre', { bom: bill('A', made('A', [line('P', '0.5')]), bought('P', [flat('1')], { unit: 'm' })), quantity: 3 }, { buys: { P: ['1.5', '1.5', '1.50'] } }],
  ['own stock comes first', under({}, { stock: 4 }), { buys: { P: ['6', '6', '6.00'] } }],
  ['what is in stock is not bought and takes no time', under({}, { stock: 10 }), { buys: {}, total: '0.00', days: 0 }],
  ['stock of an assembly saves its parts', { bom: bill('A', { ...made('A', [line('P', 2)], { cost_eur: '1' }), stock: 7 }, bought('P', [flat('1')])), quantity: 10 }, { buys: { P: ['6', '6', '6.00'] }, conversion: '3.00', total: '9.00' }],
  ['optional lines are left out', under({ optional: true }), { buys: {}, total: '0.00', days: 0, path: 'A' }],
  ['optional lines are counted on demand', { ...under({ optional: true }), include_optional: true }, { buys: { P: ['10', '10', '10.00'] }, days: 1 }],
  ['two lines of one part add up before the price break', { bom: bill('A', made('A', [line('P', 30), line('P', 70)]), bought('P', [O])), quantity: 1 }, { buys: { P: ['100', '100', '5.00'] } }],
  ['each of two lines is rounded by itself', { bom: bill('A', made('A', [line('P', 1, { rounding_qty: 10 }), line('P', 1, { rounding_qty: 10 })]), bought('P', [flat('1')])), quantity: 1 }, { buys: { P: ['20', '20', '20.00'] } }],
  ['a fraction of a micro-euro is rounded up once', need(3, [flat('0.000000001')]), { buys: { P: ['3', '3', '0.000001'] } }],
  ['a unit price of nine decimals', need(7, [flat('0.333333333')]), { buys: { P: ['7', '7', '2.333334'] } }],
  ['quantities and prices whose product passes 2^53', need('9000000', [flat('1.000000001')]), { buys: { P: ['9000000', '9000000', '9000000.009'] } }],
  ['a first break above the need is a minimum order', need(3, [offer([[10, '1.00']])]), { buys: { P: ['3', '10', '10.00'] }, excess: '7.00', flags: 'below_first_break moq_excess single_source' }],
  ['a first break is rounded up to the multiple as well', need(3, [offer([[10, '1']], { multiple: 4 })]), { buys: { P: ['3', '12', '12.00'] }, flags: 'below_first_break moq_excess single_source' }],
  ['a first break that the least quantity reaches anyway is not told', need(3, [offer([[10, '1']], { moq: 10 })]), { buys: { P: ['3', '10', '10.00'] }, flags: 'moq_excess single_source' }],
  ['a higher break is bought up from the first one', need(3, [offer([[10, '1'], [20, '0.10']])]), { buys: { P: ['3', '20', '2.00'] }, flags: 'buy_up single_source' }],
  ['a stock below the first break is short', need(3, [offer([[10, '1']], { stock: 5, lead_days: 9 })]), { days: 9, flags: 'below_first_break moq_excess single_source stock_short' }],
  ['an alternate stands in where the stock is below the first break', { bom: bill('A', made('A', [line('P', 3, { alternates: ['Q'] })]), bought('P', [offer([[10, '1']], { stock: 5 })]), bought('Q', [flat('2', { stock: 5 })])), quantity: 1 }, { buys: { P: ['3', '3', '6.00'] }, flags: 'alternate_used single_source' }],
  ['without a stock figure the lead that is stated counts', need(3, [flat('1', { lead_days: 40 })]), { days: 40, flags: 'single_source' }],
  ['without a stock figure and a lead it takes a day', need(3, [flat('1')]), { days: 1 }],
  ['for the fast order an offer in stock comes before one that says nothing of its stock', need(10, [flat('1', { supplier: 'a', lead_days: 9 }), flat('5', { supplier: 'b', stock: 10 })], { strategy: 'lead' }), { suppliers: { P: 'b' }, days: 1 }],
  ['the cheaper of two suppliers', need(10, [flat('2', { supplier: 'a' }), flat('1', { supplier: 'b' })]), { suppliers: { P: 'b' }, flags: '' }],
  ['of equal prices the one in stock', need(10, [flat('1', { supplier: 'a', stock: 1, lead_days: 9 }), flat('1', { supplier: 'b', stock: 10 })]), { suppliers: { P: 'b' }, days: 1 }],
  ['of equal prices and stock the shorter lead', need(10, [flat('1', { supplier: 'a', stock: 1, lead_days: 9 }), flat('1', { supplier: 'b', stock: 1, lead_days: 8 })]), { suppliers: { P: 'b' }, days: 8, flags: 'stock_short' }],
  ['of equals the first by name', need(10, [flat('1', { supplier: 'b' }), flat('1', { supplier: 'a' })]), { suppliers: { P: 'a' } }],
  ['lead before cost', need(10, [flat('1', { supplier: 'a', stock: 1, lead_days: 9 }), flat('5', { supplier: 'b', stock: 10 })], { strategy: 'lead' }), { suppliers: { P: 'b' }, total: '50.00', days: 1 }],
  ['the fast order does not buy up beyond the stock', need(60, [{ ...O, stock: 60 }], { strategy: 'lead' }), { buys: { P: ['60', '60', '6.00'] }, days: 1 }],
  ['the cheap order does', need(60, [{ ...O, stock: 60 }]), { buys: { P: ['60', '100', '5.00'] }, days: 30, flags: 'buy_up single_source stock_short' }],
  ['the fast order does not buy up to be short of an offer that takes no time', need(60, [offer([[1, '0.10'], [1_000, '0.05']], { stock: 100, lead_days: 0 })], { strategy: 'lead' }), { buys: { P: ['60', '60', '6.00'] }, days: 1, flags: 'single_source' }],
  ['the fast order buys up where that costs less and takes no longer', need(60, [O], { strategy: 'lead' }), { buys: { P: ['60', '100', '5.00'] }, days: 1 }],
  ['short without a known lead has no lead', need(10, [flat('1', { stock: 1 })]), { days: null, path: 'P' }],
  ['a part without offer makes the lead unknown and is told', { bom: bill('A', made('A', [line('P', 1), line('Q', 1)]), bought('P', [flat('1')]), { id: 'Q', mpn: 'Q' }), quantity: 2 }, { buys: { P: ['2', '2', '2.00'] }, total: '2.00', days: null, path: 'A Q', flags: 'single_source no_offer' }],
  ['few suppliers: one that has both, and what it costs more', { bom: bill('A', made('A', [line('P', 1), line('Q', 1)]), bought('P', [flat('1', { supplier: 'a' }), flat('3', { supplier: 'c' })]), bought('Q', [flat('1', { supplier: 'b' }), flat('2', { supplier: 'c' })])), quantity: 1, strategy: 'fewest_suppliers' }, { suppliers: { P: 'c', Q: 'c' }, total: '5.00' }],
  ['few suppliers: of equals the cheaper', { bom: bill('A', made('A', [line('P', 1), line('Q', 1)]), bought('P', [flat('1', { supplier: 'b' }), flat('1', { supplier: 'a' })]), bought('Q', [flat('1', { supplier: 'b' }), flat('2', { supplier: 'a' })])), quantity: 1, strategy: 'fewest_suppliers' }, { suppliers: { P: 'b', Q: 'b' }, total: '2.00' }],
  ['an alternate where the part has no offer', { bom: bill('A', made('A', [line('P', 1, { alternates: ['Q'] })]), { id: 'P', mpn: 'P' }, bought('Q', [flat('2')])), quantity: 1 }, { buys: { P: ['1', '1', '2.00'] }, flags: 'alternate_used single_source' }],
  ['an alternate in stock before a part that is short', { bom: bill('A', made('A', [line('P', 5, { alternates: ['Q'] })]), bought('P', [flat('1', { stock: 1 })]), bought('Q', [flat('2', { stock: 5 })])), quantity: 1 }, { buys: { P: ['5', '5', '10.00'] }, flags: 'alternate_used single_source' }],
  ['of two alternates the one that is named first', { bom: bill('A', made('A', [line('P', 1, { alternates: ['R', 'Q'] })]), { id: 'P', mpn: 'P' }, bought('Q', [flat('1')]), bought('R', [flat('2')])), quantity: 1 }, { buys: { P: ['1', '1', '2.00'] } }],
  ['no alternate beside a part in stock', { bom: bill('A', made('A', [line('P', 1, { alternates: ['Q'] })]), bought('P', [flat('3')]), bought('Q', [flat('2')])), quantity: 1 }, { buys: { P: ['1', '1', '3.00'] }, flags: 'single_source' }],
  ['no alternate that one of the lines does not allow', { bom: bill('A', made('A', [line('P', 1, { alternates: ['Q'] }), line('P', 1)]), { id: 'P', mpn: 'P' }, bought('Q', [flat('2')])), quantity: 1 }, { buys: {}, flags: 'no_offer' }],
  ['dollars by the rate of the caller', need(10, [flat('1', { currency: 'USD' })], { fx: { USD: '0.925' } }), { total: '9.25' }],
  ['without a rate an offer cannot be used', need(10, [flat('1', { currency: 'USD' }), flat('9', { supplier: 't' })]), { total: '90.00', flags: 'fx_missing single_source' }],
  ['a part on its way out is told', need(1, [flat('1', { lifecycle: 'NRND' })]), { flags: 'lifecycle single_source' }],
  ['a build that is ready too late is told', { ...R1, need_by: '2026-11-18' }, { flags: 'buy_up single_source late' }],
  ['a build that is ready on the day is not late', { ...R1, need_by: '2026-11-19' }, { flags: 'buy_up single_source' }],
  ['a part that contains itself by another', { bom: bill('A', made('A', [line('B', 1)]), made('B', [line('A', 1)])), quantity: 1 }, { fault: ['#/bom', 'bom_cycle'] }],
  ['a root that nobody knows', { bom: { root: 'Z', parts: [] }, quantity: 1 }, { fault: ['#/bom/root', 'part_unknown'] }],
  ['a line of a part that nobody knows', { bom: bill('A', made('A', [line('Z', 1)])), quantity: 1 }, { fault: ['#/bom/parts/0/make/lines/0/part', 'part_unknown'] }],
  ['two parts of one id', { bom: bill('A', bought('A', [O]), bought('A', [O])), quantity: 1 }, { fault: ['#/bom/parts/1/id', 'part_duplicate'] }],
  ['a part neither made nor bought', { bom: bill('A', { id: 'A' }), quantity: 1 }, { fault: ['#/bom/parts/0', 'part_make_and_buy_missing'] }],
  ['a part both made and bought', { bom: bill('A', { ...made('A', [line('P', 1)]), offers: [O] }, bought('P', [O])), quantity: 1 }, { fault: ['#/bom/parts/0', 'part_make_and_buy'] }],
  ['nothing to build', need(0, [O]), { fault: ['#/quantity', 'quantity_invalid'] }],
  ['four decimals', need('1.0001', [O]), { fault: ['#/quantity', 'quantity_invalid'] }],
  ['a fraction as a number', need(1.5, [O]), { fault: ['#/quantity', 'quantity_invalid'] }],
  ['a line of nothing', { bom: bill('A', made('A', [line('P', 0)]), bought('P', [O])), quantity: 1 }, { fault: ['#/bom/parts/0/make/lines/0/qty', 'quantity_invalid'] }],
  ['breaks out of order', need(1, [offer([[10, '1'], [10, '2']])]), { fault: ['#/bom/parts/0/offers/0/breaks/1/0', 'breaks_unordered'] }],
  ['no breaks', need(1, [offer([])]), { fault: ['#/bom/parts/0/offers/0/breaks', 'wrong_type'] }],
  ['more than can be counted', need('9007199254740', [flat('9000000')]), { fault: ['#/bom/parts/0', 'amount_overflow'] }],
  ['a price that is beyond what can be counted in euros', need(1, [flat('9000000', { currency: 'USD' })], { fx: { USD: '1000' } }), { fault: ['#/bom/parts/0', 'amount_overflow'] }],
  ['beside a price that cannot be counted in euros another offer is taken', need(1, [flat('9000000', { currency: 'USD' }), flat('9', { supplier: 't' })], { fx: { USD: '1000' } }), { suppliers: { P: 't' }, total: '9.00' }],
  ['a price per unit of a small part of a unit is exact', { bom: bill('A', made('A', [line('P', '1000000000', { setup_qty: 1 })]), bought('P', [flat('999.999999')])), quantity: '0.007' }, { total: '7000000992.999999', unit: '1000000141857.142714' }],
  ['a need beyond what can be counted', { bom: bill('A', made('A', [line('P', '9007199254740')]), bought('P', [O])), quantity: 9_000 }, { fault: ['#/bom/parts/1', 'amount_overflow'] }],
  ['a chain of 51 levels', { bom: chain(51), quantity: 1 }, { fault: ['#/bom', 'too_deep'] }],
  ['a chain of 50 levels', { bom: chain(50), quantity: 1 }, { buys: { p49: ['1', '1', '1.00'] } }],
  ['a chain of 10,000 levels', { bom: chain(10_000), quantity: 1 }, { fault: ['#/bom', 'too_deep'] }],
  ['an unknown member', { bom: { ...bill('A', bought('A', [O])), colour: 'red' }, quantity: 1 }, { fault: ['#/bom/colour', 'unknown_parameter'] }],
  ['an alternate that is made', { bom: bill('A', made('A', [line('P', 1, { alternates: ['B'] })]), bought('P', [O]), made('B', [line('P', 1)])), quantity: 1 }, { fault: ['#/bom/parts/0/make/lines/0/alternates', 'alternate_unfit'] }],
  ['a number with a character that no database keeps', need(1, [flat('1')], {}, { mpn: 'A\u0000B' }), { fault: ['#/bom/parts/0/mpn', 'unclean_text'] }],
  ['an order code of two lines', need(1, [flat('1', { sku: 'A\nTotal: 0' })]), { fault: ['#/bom/parts/0/offers/0/sku', 'unclean_text'] }],
  ['a supplier that no order can name', need(1, [flat('1', { supplier: 'A\u0000' })]), { fault: ['#/bom/parts/0/offers/0/supplier', 'unclean_text'] }],
  ['half a character', need(1, [flat('1')], {}, { description: '\ud800' }), { fault: ['#/bom', 'wrong_format'] }],
]; // biome-ignore format: a table

function chain(levels: number): Json {
  const parts = Array.from({ length: levels - 1 }, (_, at) => made(`p${at}`, [line(`p${at + 1}`, 1)]));
  return bill('p0', ...parts, bought(`p${levels - 1}`, [flat('1')]));
}

for (const [name, body, expected] of CASES) {
  test(name, () => {
    const ran = run(body);
    if ('faults' in ran) {
      const [fault] = ran.faults;
      return assert.deepEqual([fault?.pointer, fault?.code], expected.fault, JSON.stringify(ran.faults));
    }
    const { head, buys, flags } = ran;
    const seen: Record<keyof Expected, unknown> = {
      buys: Object.fromEntries(buys.map((buy) => [buy['part'], [buy['need'], buy['order_qty'], buy['total_eur']]])),
      total: head.totals.total_eur,
      unit: head.totals.unit_eur,
      conversion: head.totals.conversion_eur,
      excess: head.totals.excess_eur,
      days: head.lead.days,
      path: head.lead.critical_path.join(' '),
      flags: flags.map(({ code }) => code).join(' '),
      suppliers: Object.fromEntries(buys.map((buy) => [buy['part'], buy['supplier']])),
      fault: undefined,
    };
    for (const [key, value] of Object.entries(expected)) assert.deepEqual(seen[key as keyof Expected], value, key);
  });
}

test('the cycle is shown, few suppliers say what they cost more, and rates where they come from', () => {
  const cycle = run({ bom: bill('A', made('A', [line('B', 1)]), made('B', [line('A', 1)])), quantity: 1 });
  assert.match('faults' in cycle ? (cycle.faults[0]?.detail ?? '') : '', /\["A","B","A"\]/);
  const [, few] = CASES.find(([name]) => name.startsWith('few suppliers: one')) ?? [];
  const ran = run(few as Json);
  assert.equal('head' in ran && ran.head.totals.fewest_suppliers_extra_eur, '3.00');
  const dollars = run(need(1, [flat('1', { currency: 'USD' })], { fx: { USD: '0.925', GBP: '1.1' } }));
  assert.deepEqual('head' in dollars && dollars.head.fx, { USD: '0.925000', as_of: null, from: 'caller' });
});

test('digests are those of the canonical JSON of bill, buys and flags', () => {
  const { bom, quantity } = R1;
  const ran = run({ bom: { id: 'pcb [0]', revision: 'B', ...bom }, quantity });
  assert.ok('head' in ran);
  assert.equal(ran.head.bom_sha256, sha256Hex(canonicalJson({ id: 'pcb [0]', revision: 'B', ...bom })));
  for (const [, body] of CASES) {
    const one = run(body);
    if ('faults' in one) continue;
    assert.equal(one.head.lines_sha256, sha256Hex(canonicalJson({ buys: one.buys, flags: one.flags })));
  }
});

test('offers that others have are found by number and maker, and old ones are told', () => {
  const listed: PartOffer = {
    supplier: 'EXAMPLE-SUPPLY',
    sku: 'EX-1',
    moqThousandths: 1_000,
    multipleThousandths: 1_000,
    stockThousandths: null,
    leadDays: null,
    currency: 'EUR',
    breaks: [{ fromThousandths: 1_000, priceNano: 500_000_000 }],
    lifecycle: 'Active',
    manufacturer: 'EXAMPLE',
    source: 'embedded',
    asOfMs: NOW_MS - 86_400_001,
  };
  const offers = new Map([['X-1', [listed]]]);
  const asked = (maker: string) =>
    run({ bom: bill('P', { id: 'P', mpn: 'X-1', manufacturer: maker }), quantity: 4 }, offers);
  const ours = asked('example');
  assert.deepEqual('buys' in ours && ours.buys.map((buy) => [buy['source'], buy['total_eur']]), [['embedded', '2.00']]);
  assert.deepEqual('flags' in ours && ours.flags.map(({ code }) => code), ['offer_stale', 'single_source']);
  assert.equal('head' in ours && ours.head.valid_until, '2026-11-15T11:59:59.999Z');
  const other = asked('SOMEBODY');
  assert.deepEqual('flags' in other && other.flags.map(({ code }) => code), ['no_offer']);
});

test('a list in CSV is the same bill, flat or indented', () => {
  const flatBill = csvBom('part,qty,refs,scrap_pct\nR1,4,"R1,R2",2\nC1,1,,\n');
  assert.deepEqual(flatBill, {
    bom: {
      root: 'BOM',
      parts: [
        { id: 'BOM', make: { lines: [{ part: 'R1', qty: '4', refs: 'R1,R2', scrap_pct: '2' }, { part: 'C1', qty: '1' }] } },
        { id: 'R1', mpn: 'R1' },
        { id: 'C1', mpn: 'C1' },
      ],
    },
  }); // biome-ignore format: as it reads
  const nested = csvBom('level,part,mpn,qty\r\n0,A,,\r\n1,B,,2\r\n2,C,X-1,4\r\n1,C,X-1,3\r\n');
  assert.deepEqual(nested, {
    bom: {
      root: 'A',
      parts: [
        { id: 'A', make: { lines: [{ part: 'B', qty: '2' }, { part: 'C', qty: '3' }] } },
        { id: 'B', make: { lines: [{ part: 'C', qty: '4' }] } },
        { id: 'C', mpn: 'X-1' },
      ],
    },
  }); // biome-ignore format: as it reads
  const faults: readonly (readonly [text: string, pointer: string, code: string])[] = [
    ['', '#/rows/0', 'missing'],
    ['part,qty\n', '#/rows', 'too_short'],
    ['part,qty,colour\nA,1,red\n', '#/rows/0/2', 'unknown_parameter'],
    ['part,qty\nA,x\n', '#/rows/1/qty', 'quantity_invalid'],
    ['part,qty,scrap_pct\nA,1,x\n', '#/rows/1/scrap_pct', 'quantity_invalid'],
    ['part,qty\n,1\n', '#/rows/1/part', 'missing'],
    ['part,qty\nA\u0000,1\n', '#/rows/1/part', 'unclean_text'],
    ['part,mpn,qty\nA,B  C,1\n', '#/rows/1/mpn', 'unclean_text'],
    ['level,part,qty\n1,A,1\n', '#/rows/1/level', 'level_invalid'],
    ['level,part,qty\n0,A,1\n2,B,1\n', '#/rows/2/level', 'level_invalid'],
    ['level,part,qty\n0,A,1\n0,B,1\n', '#/rows/2/level', 'level_invalid'],
    ['part,qty\n"A,1\n', '#', 'wrong_format'],
    ['level,part,qty\n0,A,1\n1,B,1\n2,C,1\n1,B,1\n2,C,2\n', '#/rows', 'part_duplicate'],
  ];
  for (const [text, pointer, code] of faults) {
    const read = csvBom(text);
    const [fault] = 'faults' in read ? read.faults : [];
    assert.deepEqual([fault?.pointer, fault?.code], [pointer, code], text);
  }
});
