import { z } from 'zod';
import { allNamed, readXml, textOf, type XmlElement } from '#kernel/xml.ts';
import { Unworkable } from './capability.ts';

const MICRO = 1_000_000n;
const AMOUNT = /^-?\d{1,12}(?:\.\d{1,6})?$/;

/** Decimal text or a JSON number; its micro units, which may be negative on a credit note. */
const amount = z
  .union([z.string(), z.number()])
  .refine((value) => AMOUNT.test(String(value)), 'must be a decimal number with at most six decimals')
  .meta({ description: 'A decimal number' });
const party = z.strictObject({
  name: z.string().max(300).optional(),
  vat_number: z.string().max(40).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters')
    .optional(),
});

export const Invoice = z.strictObject({
  number: z.string().min(1).max(100),
  issue_date: z.iso.date(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be three capital letters')
    .default('EUR'),
  supplier: party,
  customer: party.optional(),
  iban: z.string().max(60).optional(),
  lines: z
    .array(
      z.strictObject({
        description: z.string().max(1_000).optional(),
        quantity: amount,
        unit_price: amount,
        net: amount.optional(),
        vat_rate: amount.meta({ description: 'In percent' }),
      }),
    )
    .min(1)
    .max(2_000),
  net_total: amount,
  vat_total: amount,
  gross_total: amount,
});
export type Invoice = z.output<typeof Invoice>;

export function micro(value: string | number): bigint {
  const [, sign = '', units = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  const size = BigInt(units) * MICRO + BigInt(fraction.padEnd(6, '0'));
  return sign === '-' ? -size : size;
}

/** The product of two amounts, rounded half away from zero. */
export function times(a: bigint, b: bigint, per: bigint = MICRO): bigint {
  const product = a * b;
  const half = product < 0n ? -per / 2n : per / 2n;
  return (product + half) / per;
}

const child = (element: XmlElement | undefined, name: string) => element?.children.find((one) => one.name === name);
const childText = (element: XmlElement | undefined, name: string) => child(element, name)?.text.trim();

/** What a UBL 2.1 invoice says of the members above; undefined members are left to the schema to miss. */
export function readUbl(xml: string): Invoice | Unworkable {
  const refuse = (detail: string) => new Unworkable('input', 'ubl_invalid', detail, 'ubl_xml');
  const root = readXml(xml);
  if (root === undefined) return refuse('is not well-formed XML without a document type');
  if (root.name !== 'Invoice') return refuse('is no UBL invoice');
  const total = child(root, 'LegalMonetaryTotal');
  const read = Invoice.safeParse({
    number: childText(root, 'ID'),
    issue_date: childText(root, 'IssueDate'),
    currency: childText(root, 'DocumentCurrencyCode'),
    supplier: partyOf(child(root, 'AccountingSupplierParty')),
    customer: partyOf(child(root, 'AccountingCustomerParty')),
    iban: given(childText(allNamed(root, 'PayeeFinancialAccount')[0], 'ID')),
    lines: root.children.filter(({ name }) => name === 'InvoiceLine').map(lineOf),
    net_total: childText(total, 'TaxExclusiveAmount'),
    vat_total: childText(child(root, 'TaxTotal'), 'TaxAmount') ?? '0',
    gross_total: childText(total, 'TaxInclusiveAmount'),
  });
  if (read.success) return read.data;
  const places = read.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('/')}: ${message}`);
  return refuse(`lacks or misstates ${places.join('; ')}`);
}

function lineOf(line: XmlElement): object {
  const price = child(line, 'Price');
  return {
    description: given(textOf(line, 'Name')?.slice(0, 1_000)),
    quantity: childText(line, 'InvoicedQuantity'),
    unit_price: childText(price, 'PriceAmount'),
    net: childText(line, 'LineExtensionAmount'),
    vat_rate: allNamed(line, 'Percent')[0]?.text.trim() ?? '0',
  };
}

function partyOf(element: XmlElement | undefined): object {
  if (element === undefined) return {};
  return {
    name: given((textOf(element, 'RegistrationName') ?? textOf(element, 'Name'))?.slice(0, 300)),
    vat_number: given(textOf(element, 'CompanyID')),
    country: given(textOf(element, 'IdentificationCode')),
  };
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
