import { readFileSync } from 'node:fs';

/** The prices of models that come with the service, as text. */
export function shippedPrices(): string {
  return readFileSync(new URL('../prices.json', import.meta.url), 'utf8');
}
