import { z } from 'zod';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { readVatNumber } from '#protocol/identifiers/vat-number.ts';
import { defineCapability, oneUnit, Unworkable } from '../capability.ts';
import { exactlyOne } from './given-file.ts';
import { isIban } from '../text/iban.ts';
import { Invoice, micro, times } from './invoice.ts';

/** Rates of VAT in percent by country; a rate outside is to be looked at, not wrong by itself. */
const VAT_RATES = {
  as_of: '2026-01-01',
  NL: ['21', '9', '0'],
  BE: ['21', '12', '6', '0'],
  DE: ['19', '7', '0'],
} as const;
const CENT = 10_000n;
const HUNDRED_PERCENT = 100_000_000n;

const finding = z.strictObject({
  code: z.string(),
  severity: z.enum(['fail', 'review']),
  pointer: z.string(),
  detail: z.string(),
});
type Finding = z.output<typeof finding>;
type Say = (severity: Finding['severity'], code: string, pointer: string, detail: string) => void;

const decimal = (value: bigint) => (Number(value) / 1_000_000).toFixed(2);
const differs = (a: bigint, b: bigint, tolerance: bigint) => a - b > tolerance || b - a > tolerance;

function netOf({ quantity, unit_price, base_quantity = 1, adjustments = [] }: Invoice['lines'][number]): bigint {
  const price = times(micro(quantity), micro(unit_price), micro(base_quantity));
  return adjustments.reduce((sum, one) => sum + micro(one), price);
}

function checkTotals({ lines, net_total, vat_total, gross_total }: Invoice, say: Say): void {
  let [net, vat] = [0n, 0n];
  for (const [index, line] of lines.entries()) {
    const computed = netOf(line);
    const stated = line.net === undefined ? computed : micro(line.net);
    if (differs(computed, stated, CENT)) {
      say(
        'fail',
        'line_total_wrong',
        `/lines/${index}/net`,
        `quantity times unit_price, with base_quantity and adjustments, is ${decimal(computed)}, not this amount.`,
      );
    }
    net += stated;
    vat += times(stated, micro(line.vat_rate), HUNDRED_PERCENT);
  }
  // Each line may have been rounded to the cent.
  const tolerance = CENT * BigInt(Math.max(1, Math.ceil(lines.length / 2)));
  const [netTotal, vatTotal, grossTotal] = [micro(net_total), micro(vat_total), micro(gross_total)];
  if (differs(net, netTotal, tolerance))
    say('fail', 'net_total_wrong', '/net_total', `The lines add up to ${decimal(net)}.`);
  if (differs(vat, vatTotal, tolerance))
    say('fail', 'vat_total_wrong', '/vat_total', `The VAT rates add up to ${decimal(vat)}.`);
  if (differs(netTotal + vatTotal, grossTotal, CENT)) {
    say('fail', 'gross_total_wrong', '/gross_total', `Net total plus VAT is ${decimal(netTotal + vatTotal)}.`);
  }
}

function checkParties({ supplier, customer, iban, lines }: Invoice, say: Say): void {
  for (const [name, party] of Object.entries({ supplier, customer })) {
    if (party?.vat_number === undefined) continue;
    const vat = readVatNumber(party.vat_number);
    const pointer = `/${name}/vat_number`;
    if ('impossible' in vat) say('fail', 'vat_number_impossible', pointer, vat.impossible);
    else if (vat.checkDigits === 'failed') say('review', 'vat_check_digits', pointer, 'The check digits are wrong.');
  }
  if (supplier.vat_number === undefined)
    say('review', 'vat_number_missing', '/supplier/vat_number', 'The supplier VAT number is missing.');
  const compact = iban?.toUpperCase().replace(/\s/g, '');
  if (compact !== undefined && !isIban(compact)) {
    say('fail', 'iban_invalid', '/iban', 'The IBAN has a wrong length or wrong check digits.');
  }
  const country = supplier.country ?? supplier.vat_number?.slice(0, 2).toUpperCase() ?? '';
  const rates: readonly string[] | undefined = { NL: VAT_RATES.NL, BE: VAT_RATES.BE, DE: VAT_RATES.DE }[country];
  if (rates === undefined) return;
  const known = new Set(rates.map((rate) => micro(rate)));
  for (const [index, { vat_rate: rate }] of lines.entries()) {
    if (known.has(micro(rate))) continue;
    say(
      'review',
      'vat_rate_unusual',
      `/lines/${index}/vat_rate`,
      `The VAT rates in ${country} are ${rates.join(', ')} percent (as of ${VAT_RATES.as_of}).`,
    );
  }
}

/** Names an invoice by what makes it the same one, whoever wrote it down. */
function hashOf({ number, issue_date, currency, supplier, gross_total }: Invoice): string {
  const who = (supplier.vat_number ?? supplier.name ?? '').toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
  const what = number.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
  return sha256Hex(canonicalJson([who, what, issue_date, currency, String(micro(gross_total))]));
}

const output = z.strictObject({
  verdict: z.enum(['PASS', 'REVIEW', 'FAIL']),
  findings: z.array(finding),
  duplicate_hash: z.string().meta({ description: 'Keep this hash and send it in known_hashes with later invoices.' }),
});

export const invoiceCheck = defineCapability({
  id: 'invoice.check',
  title: 'Check an invoice',
  what: 'Recomputes lines, VAT and totals. Checks VAT numbers, the IBAN and the VAT rates of NL, BE and DE, and compares the invoice with hashes of invoices that you already have.',
  input: z
    .strictObject({
      invoice: Invoice.optional(),
      ubl_xml: z.string().min(1).max(2_000_000).optional(),
      known_hashes: z
        .array(z.string().regex(/^[0-9a-f]{64}$/))
        .max(10_000)
        .default([]),
    })
    .refine(exactlyOne('invoice', 'ubl_xml'), 'Give either invoice or ubl_xml.'),
  output,
  unit: 'invoice',
  units: oneUnit,
  embedded: {
    async run(
      { invoice: given, ubl_xml: xml = '', known_hashes: known },
      tools,
    ): Promise<z.output<typeof output> | Unworkable> {
      const invoice = given ?? (await tools.heavy('invoice', { xml }));
      if (invoice instanceof Unworkable) return invoice.at('ubl_xml');
      const findings: Finding[] = [];
      const say: Say = (severity, code, pointer, detail) => findings.push({ code, severity, pointer, detail });
      checkTotals(invoice, say);
      checkParties(invoice, say);
      const duplicate_hash = hashOf(invoice);
      if (known.includes(duplicate_hash))
        say('fail', 'duplicate', '/number', 'This invoice is a duplicate: its hash is in known_hashes.');
      const isFailed = findings.some(({ severity }) => severity === 'fail');
      return { verdict: isFailed ? 'FAIL' : findings.length > 0 ? 'REVIEW' : 'PASS', findings, duplicate_hash };
    },
  },
  provider: null,
  example: {
    input: {
      invoice: {
        number: '2026-001',
        issue_date: '2026-11-15',
        supplier: { vat_number: 'NL123456782B12', country: 'NL' },
        lines: [{ quantity: '2', unit_price: '50.00', vat_rate: '21' }],
        net_total: '100.00',
        vat_total: '21.00',
        gross_total: '121.00',
      },
    },
    output: {
      verdict: 'PASS',
      findings: [],
      duplicate_hash: 'f8ba04af454989957af823e861c42e7f744534e5028eb997453ef7b1dabf8471',
    },
  },
});
