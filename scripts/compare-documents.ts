// node scripts/compare-documents.ts <commit> [commit]: what two commits say of themselves, from a fresh sandbox of each, the
// working tree where no second one is named. Times, keys and hashes of a start do not count. Exit code 1 where they differ.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ChildService } from '../test/support/child-service.ts';
import { checkout } from './checkout.ts';

/** Files that are written from the code. */
const FILES = ['docs/errors.md', 'client/table.ts'];
/** What shows a moment: its words are compared elsewhere. */
const LIVE =
  /^\/(?:log|cabinet|board|astralock|api\/astralock|api\/attest\/(?:ledger|lookup|stream)|v1\/(?:watch|bounties)|sandbox\/outbox|system\/status)/;
const BASE_URL = 'http://documents.example';

/** What differs from start to start. */
const PASSING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/\b(?:0x)?[0-9a-f]{16,}\b/g, '<hex>'],
  [/[A-Za-z0-9+/_-]{40,}={0,2}/g, '<bytes>'],
  [/\bplt_[a-z0-9]+\b|(?<="snapshot_id":")[^"]+/g, '<id>'],
  [/http:\/\/127\.0\.0\.1:\d+/g, '<address>'],
];

interface OpenApi {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly parameters?: readonly { required?: boolean }[] } }>
  >;
}

async function documentsOf(commit: string | undefined): Promise<Map<string, string>> {
  await using stack = new AsyncDisposableStack();
  const root = await checkout(commit, stack);
  const dataDir = stack.adopt(await mkdtemp(join(tmpdir(), 'avouch-documents-')), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  const door = join(root, 'bin/avouch.mjs');
  const child = await ChildService.start({ DATA_DIR: join(dataDir, 'data'), PORT: '0', BASE_URL }, ['serve'], door);
  stack.defer(async () => void (await child.end('SIGTERM')));
  const listening = /http:\/\/127\.0\.0\.1:\d+/.exec(child.output.stdout)?.[0] ?? child.url;
  const documents = new Map<string, string>();
  const keep = (name: string, text: string) => {
    documents.set(
      name,
      PASSING.reduce((passed, [pattern, word]) => passed.replaceAll(pattern, word), text),
    );
  };
  const get = async (path: string) => fetch(`${listening}${path}`);
  const { paths } = (await (await get('/openapi.json')).json()) as OpenApi;
  const readable = Object.entries(paths).filter(
    ([path, { get: row }]) =>
      row !== undefined && !path.includes('{') && !LIVE.test(path) && !row.parameters?.some(({ required }) => required),
  );
  for (const [path] of readable) {
    const answer = await get(path);
    keep(`GET ${path}`, `${answer.status} ${answer.headers.get('content-type')}\n${await answer.text()}`);
  }
  const metrics = (await (await get('/metrics')).text()).split('\n').filter((line) => line.startsWith('# '));
  keep('metrics', metrics.join('\n'));
  keep('avouch config', execFileSync(process.execPath, [door, 'config'], { cwd: dataDir, encoding: 'utf8' }));
  for (const file of FILES) keep(file, await readFile(join(root, file), 'utf8'));
  return documents;
}

/** The first line that differs, from both. */
function difference(before = '', after = ''): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const line = old.findIndex((text, place) => text !== now[place]);
  const at = line === -1 ? old.length : line;
  const shown = [old[at] ?? '', now[at] ?? ''];
  const [left = '', right = ''] = shown;
  let same = 0;
  while (same < left.length && left[same] === right[same]) same += 1;
  const from = Math.max(0, same - 60);
  return shown.map((text, side) => `    ${side === 0 ? '-' : '+'} ${text.slice(from, from + 200)}`).join('\n');
}

const { positionals } = parseArgs({ allowPositionals: true });
const [first, second] = positionals;
if (first === undefined) throw new Error('node scripts/compare-documents.ts <commit> [commit]');
const before = await documentsOf(first);
const after = await documentsOf(second);
const names = [...new Set([...before.keys(), ...after.keys()])];
const differing = names.filter((name) => before.get(name) !== after.get(name));
for (const name of differing) console.log(`${name}\n${difference(before.get(name), after.get(name))}`);
console.log(JSON.stringify({ documents: names.length, differing: differing.length }));
if (differing.length > 0) process.exitCode = 1;
