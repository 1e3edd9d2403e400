/** The one form of a part number: upper case, no spaces, no dashes. */
export function partForm(mpn: string): string {
  return mpn.toUpperCase().replace(/[\s-]+/g, '');
}
