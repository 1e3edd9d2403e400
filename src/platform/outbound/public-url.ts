import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export type UrlError =
  | 'not_a_url'
  | 'url_too_long'
  | 'not_https'
  | 'port'
  | 'credentials_in_url'
  | 'host'
  | 'address_not_public';

const MAX_URL_CHARACTERS = 2_048;
/** Names that resolve inside a network, if at all. */
const INNER_NAMES = /\.(?:local|internal|localhost|home|lan|corp|intranet|onion|test|invalid|example|arpa)$/;

/** The address in a text that a caller chose, or why nothing may be sent there. */
export function publicUrl(text: string, isPublic: (address: string) => boolean = isPublicAddress): URL | UrlError {
  if (text.length > MAX_URL_CHARACTERS) return 'url_too_long'; // attacker-controlled
  // The parser first: it turns 0x7f000001, 127.1 and full-width digits into the address that they mean.
  const url = URL.parse(text);
  if (url === null) return 'not_a_url';
  if (url.protocol !== 'https:') return 'not_https';
  if (url.port !== '') return 'port';
  if (url.username !== '' || url.password !== '') return 'credentials_in_url';
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0) return isPublic(literal) ? url : 'address_not_public';
  const name = url.hostname.replace(/\.$/, '');
  return name.includes('.') && !INNER_NAMES.test(name) ? url : 'host';
}
