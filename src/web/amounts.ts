import { formatMicro } from '#kernel/money.ts';

const CENTS = 2;
const MINUS = '−';

/** `€9.76` of a decimal text; at least two places, more only where they say something. */
export function eur(decimal: string): string {
  const isNegative = decimal.startsWith('-');
  const [units = '0', fraction = ''] = decimal.replace(/^[-+]/, '').split('.');
  const places = fraction.replace(/0+$/, '').padEnd(CENTS, '0');
  return `${isNegative ? MINUS : ''}€${grouped(units)}.${places}`;
}

/** Money in has a plus, money out a minus, nothing has neither. */
export function eurSigned(decimal: string): string {
  const shown = eur(decimal);
  return decimal.startsWith('-') || /^[+]?0*(\.0*)?$/.test(decimal) ? shown : `+${shown}`;
}

export function eurOfMicro(amountMicro: number): string {
  return eur(formatMicro(amountMicro));
}

export function usdc(decimal: string): string {
  return `${decimal} USDC`;
}

function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
