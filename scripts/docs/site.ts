import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { TestService } from '../../test/support/service.ts';

/** The address that examples on the pages name. */
const BASE_URL = 'https://avouch.example';
/** Whom examples of prices name, instead of the account that a sandbox makes at its first start. */
const PAY_TO = `0x${'402'.padStart(40, '0')}`;
const PAID_TO = /(?<="payTo":")0x[0-9a-f]{40}/g;
const EXPORTED =
  /^\/(?:docs|problems|protocols)(?:\/[\w.-]+)*$|^\/openapi\.json$|^\/assets\/[\w.-]+\.css$|^\/logo\.svg$/;
/** What only makes sense where the service runs: menus, search, scripts, and other forms of the same page. */
const OF_SERVICE =
  /<header class="site-header">.*?<\/header>|<footer.*?<\/footer>|<p class="sandbox-strip".*?<\/p>|<script\b.*?<\/script>|<form\b.*?<\/form>|<link rel="(?:alternate|canonical)"[^>]*>/gs;
const ADDRESS = /(?<= (?:href|src)=")[^"]*(?=")/g;
const LINK = / (href|src)="([^"]*)"/g;

/** Writes the documentation as files that need no service, and gives their names. */
export async function exportDocs(out: string): Promise<string[]> {
  await using service = await TestService.start({ env: { AVOUCH_TRUSTED_PROXIES: '127.0.0.1' } });
  const pages = new Map<string, string | null>();
  const waiting = ['/docs', '/protocols', '/openapi.json'];
  for (const path of waiting) {
    if (pages.has(path)) continue;
    const text = await read(service, path, pages.size);
    pages.set(path, text);
    if (text !== null && isPage(path)) waiting.push(...(text.match(ADDRESS) ?? []).map(pathOf).filter(isExported));
  }
  const files = [...pages].filter((page): page is [string, string] => page[1] !== null);
  const known = new Set(files.map(([path]) => path));
  for (const [path, text] of files) {
    const file = join(out, nameOf(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, isPage(path) ? relinked(text, path, known) : text);
  }
  return files.map(([path]) => nameOf(path)).toSorted();
}

/** Each from another address: no limit is meant for this. Null where there is none. */
async function read(service: TestService, path: string, count: number): Promise<string | null> {
  const headers = isPage(path) ? { accept: 'text/html' } : {};
  const address = `10.0.${count >> 8}.${count & 255}`;
  const answer = await service.from(address).call(path, { headers });
  if (answer.status === 404) return null;
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  const text = answer.text.replaceAll(service.url, BASE_URL).replaceAll(PAID_TO, PAY_TO);
  return isPage(path) ? text.replaceAll(OF_SERVICE, '') : text;
}

function isPage(path: string): boolean {
  return !/\.\w+$/.test(path);
}

function isExported(path: string): boolean {
  return EXPORTED.test(path) && !path.endsWith('.md');
}

function pathOf(address: string): string {
  return address.replace(BASE_URL, '').replace(/#.*$/, '');
}

/** The file of an address. */
function nameOf(path: string): string {
  if (path === '/docs') return 'index.html';
  return isPage(path) ? `${path.slice(1)}.html` : path.slice(1);
}

/** Links to other files are relative; one that needs the service is left as its text. */
function relinked(text: string, from: string, known: ReadonlySet<string>): string {
  return text.replaceAll(LINK, (link, attribute: string, address: string) => {
    const path = pathOf(address);
    if (path === '' && address.startsWith('#')) return link;
    if (!path.startsWith('/')) return link;
    if (!known.has(path)) return '';
    const anchor = /#.*$/.exec(address)?.[0] ?? '';
    return ` ${attribute}="${posix.relative(posix.dirname(nameOf(from)), nameOf(path))}${anchor}"`;
  });
}
