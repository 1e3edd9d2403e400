import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc, { runs } from '#properties';
import type { Option } from './bom-buy.ts';
import { fewestSuppliers } from './bom-suppliers.ts';
import { type BuyRow, type Ran, run } from './_bom-run.ts';

interface GivenOffer {
  readonly supplier: string;
  readonly moq: number;
  readonly multiple: number;
  readonly stock: number | null;
  readonly lead_days: number;
  readonly breaks: readonly (readonly [number, string])[];
}

interface GivenLine {
  readonly part: string;
  readonly qty: string;
  readonly scrap_pct: string;
  readonly setup_qty: string;
  readonly rounding_qty: string;
  readonly optional: boolean;
}

interface GivenPart {
  readonly id: string;
  readonly unit: string;
  readonly stock: string;
  readonly make?: { readonly lead_days: number; readonly cost_eur: string; readonly lines: readonly GivenLine[] };
  readonly offers?: readonly GivenOffer[];
}

const thousandths = (most: number) => fc.integer({ min: 0, max: most }).map((n) => (n / 1_000).toFixed(3));
const money = fc.integer({ min: 0, max: 3_000_000_000 }).map((n) => (n / 1e9).toFixed(9));
const breaks = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 300 }), money), {
    selector: ([from]) => from,
    minLength: 1,
    maxLength: 4,
  })
  .map((list) => list.toSorted(([a], [b]) => a - b));
const offer: fc.Arbitrary<GivenOffer> = fc.record({
  supplier: fc.constantFrom('a', 'b', 'c', 'd'),
  moq: fc.integer({ min: 0, max: 60 }),
  multiple: fc.integer({ min: 1, max: 25 }),
  stock: fc.option(fc.integer({ min: 0, max: 400 })),
  lead_days: fc.integer({ min: 0, max: 60 }),
  breaks,
});

const PARTS = 7;
const lineTo = (least: number): fc.Arbitrary<GivenLine> =>
  fc.record({
    part: fc.integer({ min: least, max: PARTS - 1 }).map((at) => `p${at}`),
    qty: fc.integer({ min: 1, max: 4_000 }).map((n) => (n / 1_000).toFixed(3)),
    scrap_pct: fc.oneof(fc.constant('0'), thousandths(20_000)),
    setup_qty: fc.oneof(fc.constant('0'), thousandths(9_000)),
    rounding_qty: fc.constantFrom('0', '0', '5', '2.5'),
    optional: fc.boolean(),
  });
/** Lines point to later parts only, so that no bill contains itself; the last parts are bought. */
const parts: fc.Arbitrary<readonly GivenPart[]> = fc.tuple(
  ...Array.from({ length: PARTS }, (_, at) => {
    const shared = {
      id: fc.constant(`p${at}`),
      unit: at < 4 ? fc.constant('each') : fc.constantFrom('each', 'm'),
      stock: fc.oneof(fc.constant('0'), thousandths(5_000)),
    };
    const lines = fc.array(lineTo(Math.min(at + 1, PARTS - 1)), { minLength: 1, maxLength: 4 });
    return at < 4
      ? fc.record({ ...shared, make: fc.record({ lead_days: fc.nat(20), cost_eur: money, lines }) })
      : fc.record({ ...shared, offers: fc.array(offer, { minLength: 1, maxLength: 4 }) });
  }),
);
const quantity = fc.integer({ min: 1, max: 60 });

function calculated(given: readonly GivenPart[], more: object): Exclude<Ran, { faults: unknown }> {
  const ran = run({ bom: { root: 'p0', parts: given }, quantity: 1, ...more });
  if ('faults' in ran) throw new Error(JSON.stringify(ran.faults));
  return ran;
}

/** Fractions as pairs; slow, plain and recursive. */
type Fraction = readonly [numerator: bigint, denominator: bigint];
const fraction = (text: string): Fraction => {
  const [units = '0', decimals = ''] = text.split('.');
  return [BigInt(units + decimals), 10n ** BigInt(decimals.length)];
};
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const up = ([a, b]: Fraction): bigint => -(-a / b) + (-a % b < 0n ? 1n : 0n);

function ceilTo(value: Fraction, step: Fraction): Fraction {
  return times([up(times(value, [step[1], step[0]])), 1n], step);
}

function referenceNeed(given: readonly GivenPart[], id: string, built: number, includeOptional: boolean): Fraction {
  const part = given.find((one) => one.id === id) as GivenPart;
  let gross: Fraction = id === 'p0' ? [BigInt(built), 1n] : [0n, 1n];
  for (const parent of given) {
    const lines = parent.make?.lines.filter((line) => line.part === id && (includeOptional || !line.optional)) ?? [];
    const net = lines.length === 0 ? ([0n, 1n] as const) : referenceNeed(given, parent.id, built, includeOptional);
    if (net[0] === 0n) continue;
    for (const line of lines) {
      const scrapped = times(
        times(fraction(line.qty), net),
        plus([1n, 1n], times(fraction(line.scrap_pct), [1n, 100n])),
      );
      let need = ceilTo(plus(scrapped, fraction(line.setup_qty)), part.unit === 'each' ? [1n, 1n] : [1n, 1_000n]);
      const rounding = fraction(line.rounding_qty);
      if (rounding[0] > 0n) need = ceilTo(need, rounding);
      gross = plus(gross, need);
    }
  }
  const left = plus(gross, times(fraction(part.stock), [-1n, 1n]));
  return left[0] < 0n ? [0n, 1n] : left;
}

const inThousandths = (text: unknown) => Math.round(Number(text) * 1_000);
const micro = (text: unknown) => Math.round(Number(text) * 1e6);

test('the need of every part is that of a slow recursive reckoning in fractions', () => {
  fc.assert(
    fc.property(parts, quantity, fc.boolean(), (given, built, include_optional) => {
      const { buys } = calculated(given, { quantity: built, include_optional });
      for (const part of given.filter(({ offers }) => offers !== undefined)) {
        const [numerator, denominator] = referenceNeed(given, part.id, built, include_optional);
        const bought = buys.find((buy) => buy['part'] === part.id);
        assert.equal(inThousandths(bought?.['need'] ?? '0'), Number((numerator * 1_000n) / denominator), part.id);
      }
    }),
    { numRuns: runs(150) },
  );
});

test('the order of parts, lines and offers never changes the answer', () => {
  const strategies = fc.constantFrom('cost', 'lead', 'fewest_suppliers');
  fc.assert(
    fc.property(parts, quantity, strategies, (given, built, strategy) => {
      const turned = given.toReversed().map(({ make, offers, ...part }) => ({
        ...part,
        ...(make !== undefined && { make: { ...make, lines: make.lines.toReversed() } }),
        ...(offers !== undefined && { offers: offers.toReversed() }),
      }));
      const one = calculated(given, { quantity: built, strategy });
      const other = calculated(turned, { quantity: built, strategy });
      assert.deepEqual({ ...other.head, bom_sha256: '' }, { ...one.head, bom_sha256: '' });
      assert.deepEqual([other.buys, other.flags], [one.buys, one.flags]);
    }),
    { numRuns: runs(150) },
  );
});

const nano = (price: string) => BigInt(price.replace('.', ''));
const priceOf = (given: GivenOffer, order: number) =>
  nano(given.breaks.findLast(([from]) => from * 1_000 <= order)?.[1] as string);
const leastOf = ({ moq, breaks: [first] }: GivenOffer) => Math.max(moq, first?.[0] ?? 0);
const totalOf = (given: GivenOffer, order: number) => Number(up([priceOf(given, order) * BigInt(order), 1_000_000n]));

test('what is bought is legal, and no legal quantity of any offer costs less', () => {
  fc.assert(
    fc.property(fc.array(offer, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 500 }), (offers, need) => {
      const [buy] = calculated([{ id: 'p0', unit: 'each', stock: '0', offers }], { quantity: need }).buys as [BuyRow];
      const order = inThousandths(buy['order_qty']);
      const total = micro(buy['total_eur']);
      const isFrom = (one: GivenOffer) =>
        one.supplier === buy['supplier'] && order >= need * 1_000 && order >= leastOf(one) * 1_000
        && order % (one.multiple * 1_000) === 0 && totalOf(one, order) === total; // biome-ignore format: one condition
      assert.ok(offers.some(isFrom), JSON.stringify(buy));
      for (const one of offers) {
        for (let pieces = one.multiple; pieces <= 1_200; pieces += one.multiple) {
          if (pieces >= need && pieces >= leastOf(one)) assert.ok(totalOf(one, pieces * 1_000) >= total);
        }
      }
    }),
    { numRuns: runs(150) },
  );
});

test('totals are the sums of their lines to the last micro-euro', () => {
  fc.assert(
    fc.property(parts, quantity, (given, built) => {
      const { head, buys } = calculated(given, { quantity: built });
      const { material_eur, conversion_eur, total_eur } = head.totals;
      const sum = buys.reduce((all, buy) => all + micro(buy['total_eur']), 0);
      assert.deepEqual([micro(material_eur), micro(total_eur)], [sum, sum + micro(conversion_eur)]);
      for (const { unit_price_eur: unit, order_qty: order, total_eur: total } of buys) {
        const exact: Fraction = times(fraction(unit as string), fraction(order as string));
        assert.equal(BigInt(micro(total)), up(times(exact, [1_000_000n, 1n])));
      }
    }),
    { numRuns: runs(100) },
  );
});

test('one more offer, a lower price, more own stock and a smaller build never cost more', () => {
  const kinds = fc.constantFrom('offer', 'price', 'stock', 'quantity');
  fc.assert(
    fc.property(parts, quantity, kinds, offer, (given, built, kind, extra) => {
      const more: Record<string, (part: GivenPart) => GivenPart> = {
        offer: (part) => (part.offers === undefined ? part : { ...part, offers: [...part.offers, extra] }),
        price: (part) => (part.offers === undefined ? part : { ...part, offers: part.offers.map(cheaper) }),
        stock: (part) => ({ ...part, stock: (Number(part.stock) + 1).toFixed(3) }),
      };
      const before = calculated(given, { quantity: built + 1 });
      const after = calculated(given.map(more[kind] ?? ((part) => part)), {
        quantity: kind === 'quantity' ? built : built + 1,
      });
      assert.ok(micro(after.head.totals.total_eur) <= micro(before.head.totals.total_eur), kind);
    }),
    { numRuns: runs(300) },
  );
});

function cheaper(given: GivenOffer): GivenOffer {
  const less = (price: string) => (Number(nano(price) / 2n) / 1e9).toFixed(9);
  return { ...given, breaks: given.breaks.map(([from, price], at) => [from, at === 0 ? less(price) : price] as const) };
}

/** The greedy cover as it is told, without any memory. */
function plainCover(given: readonly ReadonlyMap<string, number>[]): string[] {
  const chosen: string[] = [];
  while (given.some((_, part) => chosen[part] === undefined)) {
    const left = [...given.entries()].filter(([part]) => chosen[part] === undefined);
    const names = [...new Set(left.flatMap(([, options]) => [...options.keys()]))].toSorted();
    const weight = (name: string) => {
      const totals = left.flatMap(([, options]) => options.get(name) ?? []);
      return [-totals.length, totals.reduce((sum, one) => sum + one, 0)] as const;
    };
    const best = names.toSorted((a, b) => weight(a)[0] - weight(b)[0] || weight(a)[1] - weight(b)[1])[0] as string;
    for (const [part, options] of left) if (options.has(best)) chosen[part] = best;
  }
  return chosen;
}

test('few suppliers are chosen as a plain greedy cover chooses them', () => {
  const options = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.integer({ min: 1, max: 9 }), {
    minKeys: 1,
  });
  fc.assert(
    fc.property(fc.array(options, { minLength: 1, maxLength: 12 }), (given) => {
      const totals = given.map((one) => new Map(Object.entries(one)));
      const offered = totals.map(
        (one) =>
          new Map([...one].map(([supplier, totalMicro]) => [supplier, { offer: { supplier }, totalMicro } as Option])),
      );
      assert.deepEqual(
        fewestSuppliers(offered).map(({ offer: { supplier } }) => supplier),
        plainCover(totals),
      );
    }),
    { numRuns: runs(500) },
  );
});

test('the same input gives the same answer, whatever it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (bom) => {
      const body = { bom, quantity: 1 };
      assert.deepEqual(run(body), run(structuredClone(body)));
    }),
  );
});

test('a hundred thousand lines are answered', () => {
  const lines = Array.from({ length: 100_000 }, (_, at) => ({ part: `q${at % 500}`, qty: 1 }));
  const bought = Array.from({ length: 500 }, (_, at) => ({
    id: `q${at}`,
    offers: [{ supplier: 's', breaks: [[1, '1']] }],
  }));
  const ran = run({ bom: { root: 'A', parts: [{ id: 'A', make: { lines } }, ...bought] }, quantity: 2 });
  assert.equal('head' in ran && ran.head.totals.total_eur, '200000.00');
  const tooMany = [...lines, { part: 'q0', qty: 1 }];
  const refused = run({ bom: { root: 'A', parts: [{ id: 'A', make: { lines: tooMany } }, ...bought] }, quantity: 2 });
  assert.equal('faults' in refused && refused.faults[0]?.code, 'too_many_lines');
});
