const ADDRESS = 'https://shop.example.com/terms';
const PAGE =
  '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"></head>' +
  '<body><h1>Terms of sale</h1><p>Fictional shop of the sandbox.</p></body></html>\n';

interface ShopPage {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** The one page that the sandbox has to fetch, under a name that is nobody's; undefined for every other address. */
export function shopPage(url: string): ShopPage | undefined {
  if (url !== ADDRESS) return undefined;
  return { status: 200, contentType: 'text/html; charset=utf-8', body: new TextEncoder().encode(PAGE) };
}
