import { allNamed, readXml, textOf, type XmlElement } from '#kernel/xml.ts';
import { Impossible } from '../heavy/heavy-tasks.ts';
import { Invoice } from './invoice.ts';

const child = (element: XmlElement | undefined, name: string) => element?.children.find((one) => one.name === name);
const children = (element: XmlElement, name: string) => element.children.filter((one) => one.name === name);
const childText = (element: XmlElement | undefined, name: string) => child(element, name)?.text.trim();

/** What a UBL 2.1 invoice says of the members of an invoice; undefined members are left to the schema to miss. */
export function readUbl(xml: string): Invoice | Impossible {
  const refuse = (detail: string) => new Impossible('ubl_invalid', detail);
  const root = readXml(xml);
  if (root === undefined) return refuse('The text is not well-formed XML without a document type.');
  if (root.name !== 'Invoice') return refuse('The document is not a UBL invoice.');
  const total = child(root, 'LegalMonetaryTotal');
  const read = Invoice.safeParse({
    number: childText(root, 'ID'),
    issue_date: childText(root, 'IssueDate'),
    currency: childText(root, 'DocumentCurrencyCode'),
    supplier: partyOf(child(root, 'AccountingSupplierParty')),
    customer: partyOf(child(root, 'AccountingCustomerParty')),
    iban: given(childText(allNamed(root, 'PayeeFinancialAccount')[0], 'ID')),
    lines: [...children(root, 'InvoiceLine').map(lineOf), ...children(root, 'AllowanceCharge').map(chargeLineOf)],
    net_total: childText(total, 'TaxExclusiveAmount'),
    vat_total: childText(vatTotalOf(root), 'TaxAmount') ?? '0',
    gross_total: childText(total, 'TaxInclusiveAmount'),
  });
  if (read.success) return read.data;
  const places = read.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('/')}: ${message}`);
  return refuse(`The invoice has missing or invalid members: ${places.join('; ')}`);
}

/** An invoice may repeat its VAT in the currency of the tax office: that total has no parts. */
function vatTotalOf(root: XmlElement): XmlElement | undefined {
  const totals = children(root, 'TaxTotal');
  return totals.find((total) => child(total, 'TaxSubtotal') !== undefined) ?? totals[0];
}

function lineOf(line: XmlElement): object {
  const price = child(line, 'Price');
  // An allowance of the line may come before its item and have a rate and a name too.
  const item = child(line, 'Item') ?? line;
  return {
    description: given(textOf(item, 'Name')?.slice(0, 1_000)),
    quantity: childText(line, 'InvoicedQuantity'),
    unit_price: childText(price, 'PriceAmount'),
    base_quantity: childText(price, 'BaseQuantity'),
    adjustments: children(line, 'AllowanceCharge').map(signedAmount),
    net: childText(line, 'LineExtensionAmount'),
    vat_rate: textOf(item, 'Percent') ?? textOf(line, 'Percent') ?? '0',
  };
}

/** A charge or allowance of the whole invoice counts as a line. */
function chargeLineOf(charge: XmlElement): object {
  return {
    description: given(childText(charge, 'AllowanceChargeReason')?.slice(0, 1_000)),
    quantity: '1',
    unit_price: signedAmount(charge),
    vat_rate: textOf(charge, 'Percent') ?? '0',
  };
}

/** Charges are added, allowances taken off. */
function signedAmount(charge: XmlElement): string | undefined {
  const amount = childText(charge, 'Amount');
  if (amount === undefined || childText(charge, 'ChargeIndicator') === 'true') return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
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
