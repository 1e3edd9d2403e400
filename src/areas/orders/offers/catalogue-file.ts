import { readCsv } from '#kernel/csv.ts';
import type { PartOffer } from '#platform/registers/suppliers/offer.ts';
import type { OffersByMpn } from '../bom/bom-choice.ts';
import { quantityOf } from '../bom/bom-input.ts';
import { parseScaled } from '#kernel/decimal.ts';

const COLUMNS =
  'mpn,manufacturer,description,supplier,sku,moq,multiple,stock,lead_days,currency,break_qty,unit_price,as_of,source_url,licence';
const names = COLUMNS.split(',');

/** Offers of a catalogue file, one row per price break. Without a date an offer is taken to be of now. */
export function readCatalogue(text: string, nowMs: () => number): OffersByMpn {
  const {
    rows: [header = [], ...rows],
    isWhole,
  } = readCsv(text);
  if (!isWhole) throw new Error('A quoted cell is not closed.');
  if (header.join(',') !== COLUMNS) throw new Error(`A catalogue must begin with the line ${COLUMNS}`);
  const offers = new Map<string, Map<string, PartOffer>>();
  rows.forEach((row, index) => {
    const cell = (name: string) => (row[names.indexOf(name)] ?? '').trim();
    const wrong = (name: string): never => {
      throw new Error(`Row ${index + 2} of the catalogue: ${name} is missing or invalid`);
    };
    const needed = (name: string) => cell(name) || wrong(name);
    const quantity = (name: string, empty: number | null) =>
      cell(name) === '' ? empty : (quantityOf(cell(name)) ?? wrong(name));
    const asOf = cell('as_of') === '' ? null : Date.parse(cell('as_of'));
    if (Number.isNaN(asOf)) wrong('as_of');
    const days = cell('lead_days') === '' ? null : Number(cell('lead_days'));
    if (days !== null && !(Number.isInteger(days) && days >= 0)) wrong('lead_days');
    const mpn = needed('mpn');
    const ofMpn = offers.get(mpn) ?? new Map<string, PartOffer>();
    const key = `${needed('supplier')}\n${cell('sku')}`;
    const before = ofMpn.get(key)?.breaks ?? [];
    const fromThousandths = quantity('break_qty', null) ?? wrong('break_qty');
    if (fromThousandths <= (before.at(-1)?.fromThousandths ?? -1)) wrong('break_qty');
    if (!/^[A-Z]{3}$/.test(cell('currency'))) wrong('currency');
    ofMpn.set(key, {
      supplier: cell('supplier'),
      sku: cell('sku'),
      moqThousandths: quantity('moq', 0) as number,
      multipleThousandths: quantity('multiple', 1_000) || wrong('multiple'),
      stockThousandths: quantity('stock', null),
      leadDays: days,
      currency: cell('currency'),
      breaks: [...before, { fromThousandths, priceNano: parseScaled(cell('unit_price'), 9) ?? wrong('unit_price') }],
      lifecycle: null,
      manufacturer: cell('manufacturer') || null,
      source: 'embedded',
      // Asked for when it is used: a list without a date is the one in force.
      get asOfMs() {
        return asOf ?? nowMs();
      },
    });
    offers.set(mpn, ofMpn);
  });
  return new Map([...offers].map(([mpn, ofMpn]) => [mpn, [...ofMpn.values()]]));
}
