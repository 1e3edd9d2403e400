import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdapterState, OfferAdapter } from '#platform/registers/suppliers/adapter.ts';
import type { PartOffer } from '#platform/registers/suppliers/offer.ts';
import { ComponentBook, FREE_LOOKS_PER_MINUTE } from './component-book.ts';
import { OfferBook } from './offer-book.ts';

const NOW_MS = Date.UTC(2026, 10, 15, 10);
const OFFER: PartOffer = {
  supplier: 'Mouser',
  sku: '1',
  moqThousandths: 1_000,
  multipleThousandths: 1_000,
  stockThousandths: 5_000,
  leadDays: 3,
  currency: 'EUR',
  breaks: [{ fromThousandths: 1_000, priceNano: 20_000_000 }],
  lifecycle: 'Active',
  manufacturer: 'EXAMPLE',
  source: 'mouser',
  asOfMs: NOW_MS,
};

interface World {
  readonly adapter?: { readonly state?: AdapterState; readonly offers?: readonly PartOffer[] };
  readonly catalogue?: ReadonlyMap<string, readonly PartOffer[]>;
}

function bookOf({ adapter, catalogue = new Map() }: World) {
  const asked: string[] = [];
  const clock = { now: () => NOW_MS };
  const mouser: OfferAdapter = {
    name: 'mouser',
    async lookup(mpns) {
      asked.push(...mpns);
      const { state = 'ok', offers = [] } = adapter ?? {};
      return { state, offers: new Map(state === 'ok' ? mpns.map((mpn) => [mpn, offers]) : []) };
    },
  };
  const adapters = adapter === undefined ? [] : [mouser];
  const store = { read: async () => [], runAll: async () => [] as never };
  const offers = new OfferBook({ store, clock, catalogue, adapters });
  return { asked, book: new ComponentBook({ clock, catalogue, offers, hasSuppliers: adapters.length > 0 }) };
}

test('a part that no supplier has is not there, and one whose supplier is silent is not called missing', async () => {
  const none = await bookOf({ adapter: {} }).book.look('NE 555');
  assert.partialDeepStrictEqual(none, { mpn: 'NE 555', found: false, state: 'fresh' });
  assert.equal(none?.note, undefined);
  const silent = await bookOf({ adapter: { state: 'down' } }).book.look('NE555P');
  assert.partialDeepStrictEqual(silent, { mpn: 'NE555P', found: false, state: 'stale' });
  assert.match(silent?.note ?? '', /mouser/);
});

test('suppliers are asked for the number as the catalogue writes it, and both are counted', async () => {
  const catalogue = new Map([['Ne-555', [{ ...OFFER, source: 'embedded', supplier: 'SHELF' }]]]);
  const { book, asked } = bookOf({ adapter: { offers: [OFFER] }, catalogue });
  assert.partialDeepStrictEqual(await book.look(' ne555 '), { mpn: 'Ne-555', found: true, offers_count: 2 });
  assert.deepEqual(asked, ['NE-555']);
});

test('makers that share a number are named, and none is chosen', async () => {
  const offers = [OFFER, { ...OFFER, manufacturer: 'OTHER' }, { ...OFFER, manufacturer: 'Example' }];
  const found = await bookOf({ adapter: { offers } }).book.look('NE555P');
  assert.partialDeepStrictEqual(found, { manufacturer: null, alternates: ['NE555P (EXAMPLE)', 'NE555P (OTHER)'] });
});

test('free looks leave the suppliers to those who pay: above some a minute only what is known is answered', async () => {
  const { book, asked } = bookOf({ adapter: { offers: [OFFER] } });
  for (let n = 0; n < FREE_LOOKS_PER_MINUTE; n += 1) assert.equal((await book.look(`P${n}`))?.found, true);
  const refused = await book.look('P-ONE-MORE');
  assert.partialDeepStrictEqual(refused, { found: false, state: 'stale' });
  assert.equal(asked.length, FREE_LOOKS_PER_MINUTE);
});

test('without a supplier and a catalogue there is nothing to look in', async () => {
  assert.equal(await bookOf({}).book.look('NE555P'), null);
});
