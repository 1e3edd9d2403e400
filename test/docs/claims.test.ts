// What documents say of the product, compared with the product.
import assert from 'node:assert/strict';
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROUTE_IDS } from '#areas/tasks/route-table.ts';
import { MARK_KINDS, RELEASE_OUTCOMES } from '#protocol/attestation/leaf-entry.ts';
import { listedTools } from '../../src/areas.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { ROOT } from '../support/child-service.ts';
import { toolsAt } from '../support/mcp.ts';
import { sharedService } from '../support/shared-service.ts';

const LISTED_TOOLS = listedTools();

const read = (path: string) => readFile(join(ROOT, path), 'utf8');

/** The cells of every row of every table of a text. */
function cells(text: string): string[][] {
  return [...text.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));
}

interface Lane {
  readonly lane: string;
  readonly how: string;
  readonly release_outcomes: readonly string[];
  readonly mark_kinds: readonly string[];
}

test('every lane of the coordination manifest names outcomes and marks that the calls take', async () => {
  const service = await sharedService();
  const { lanes } = (await service.call('/coordination/manifest')).json as { lanes: Lane[] };
  for (const { lane, how, release_outcomes, mark_kinds } of lanes) {
    assert.deepEqual(release_outcomes, RELEASE_OUTCOMES, lane);
    assert.ok(mark_kinds.length > 0 && mark_kinds.every((kind) => MARK_KINDS.some((one) => one === kind)), lane);
    const [, said = ''] = /release with ([^.;]+)/.exec(how) ?? [];
    assert.deepEqual(said.split(/, | or /), [...RELEASE_OUTCOMES], how);
    const claim = await service.call(`/v1/claim?key=lane-${lane}&agent=lane-reader`);
    const { lease, token } = claim.json as { lease: string; token: string };
    const released = await service.call(`/v1/release?lease=${lease}&token=${token}&outcome=${release_outcomes[0]}`);
    assert.equal(released.status, 200, released.text);
    const marked = await service.call(`/v1/mark?key=lane-${lane}&agent=lane-reader&kind=${mark_kinds[0]}`);
    assert.equal(marked.status, 200, marked.text);
  }
});

test('documents count the tools of MCP as the endpoints without payment list them, and never call them the same operations', async () => {
  const service = await sharedService();
  const { tools } = (await service.call('/mcp/tools.json')).json as { tools: object[] };
  assert.equal(tools.length, LISTED_TOOLS.length);
  const count = tools.length + (await toolsAt(service, '/mcp/coordination')).length;
  const { is, surfaces } = (await service.call('/entry')).json as {
    is: string[];
    surfaces: { id: string; what: string }[];
  };
  const said = [...is.filter((text) => text.includes('MCP')), surfaces.find(({ id }) => id === 'mcp')?.what ?? ''];
  assert.equal(said.length, 2);
  for (const text of said) assert.match(text, new RegExp(`\\b${count} tools for any MCP host: coordination\\b`));
  for (const path of ['/', '/entry', '/agent-discovery/onboarding', '/llms-full.txt']) {
    assert.doesNotMatch((await service.call(path)).text, /same operations/i, path);
  }
});

test('docs/dashboard.md lists every page address in its tables, and no other', async () => {
  const paged = OPERATIONS.filter(({ pages }) => pages).map(({ path }) => path);
  const text = await read('docs/dashboard.md');
  const named = cells(text).flatMap(([first = '']) => [...first.matchAll(/`(\/[^`]*)`/g)].map(([, path = '']) => path));
  // Redirects to a page of the table.
  const redirects = ['/status'];
  assert.deepEqual(named.filter((path) => !redirects.includes(path)).toSorted(), [...new Set(paged)].toSorted());
});

test('only the verdict that carries no register data is said to carry none', async () => {
  const service = await sharedService();
  const { is_not } = (await service.call('/entry')).json as { is_not: string[] };
  const said = is_not.filter((text) => /register data/.test(text));
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /counterparty/);
});

test('docs/tasks.md has every route of the router in its table and calls none of them missing', async () => {
  const text = await read('docs/tasks.md');
  const named = cells(text).flatMap(([first = '']) => [...first.matchAll(/`([^`]+)`/g)].map(([, id = '']) => id));
  assert.deepEqual(
    ROUTE_IDS.filter((id) => !named.includes(id)),
    [],
  );
  assert.doesNotMatch(text, /not offered\./);
});

test('CONTRIBUTING gives the retrieval evaluation its command, number of questions and goals, and no other figure', async () => {
  const { questions } = JSON.parse(await read('test/evals/retrieval-questions.json')) as { questions: object[] };
  const text = await read('CONTRIBUTING.md');
  const [, quality = ''] = /### Evaluate search and answers\n([\s\S]*?)\n##+ /.exec(text) ?? [];
  assert.match(quality, /npm run -s eval:retrieval/);
  assert.ok(quality.includes(`${questions.length} questions`));
  const figures = [...quality.matchAll(/\b0\.\d+\b/g)].map(([figure]) => Number(figure));
  assert.deepEqual(new Set(figures), new Set([0.9, 0.02]));
});

test('docs/dependencies.md has each package of each manifest with its version, and no other', async () => {
  const manifests = [
    'package.json',
    ...(await readdir(join(ROOT, 'extras'))).map((name) => `extras/${name}/package.json`),
  ];
  const packages = new Map<string, string>();
  for (const path of manifests) {
    const manifest = JSON.parse(await read(path)) as Record<string, Record<string, string> | undefined>;
    for (const kind of ['dependencies', 'optionalDependencies', 'devDependencies']) {
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        packages.set(name, version.replace(/^npm:.*@/, ''));
      }
    }
  }
  const said = new Map<string, string>();
  for (const [first = ''] of cells(await read('docs/dependencies.md'))) {
    // Names of one maker share the version that stands after the last of them.
    if (/^(?:Run time|Extra|Development|-+)/.test(first)) continue;
    const plain = first.replace(/^`\w+`: /, '').replace(/ \(.*\)$/, '');
    const pieces = plain.split(/, | and | \+ /).map((piece) => piece.split(' '));
    let version = '';
    for (const [name = '', own] of pieces.toReversed()) {
      version = own ?? version;
      said.set(name, version);
    }
  }
  const isLocal = (version: string) => version.startsWith('file:');
  assert.deepEqual(
    Object.fromEntries(said),
    Object.fromEntries([...packages].map(([name, version]) => [name, isLocal(version) ? '' : version])),
  );
});

/** Files that a text names in code, without those that its examples would make. */
function namedFiles(text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '');
  const named = [...prose.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|md|sql|json))`/g)].map(([, path = '']) => path);
  return named.filter((path) => !/NNN|hello/.test(path));
}

async function missingFiles(text: string): Promise<string[]> {
  const isThere = (path: string) =>
    access(join(ROOT, path)).then(
      () => true,
      () => false,
    );
  const missing = await Promise.all(
    namedFiles(text).map(async (path) => ((await isThere(path)) || (await isThere(`src/${path}`)) ? [] : [path])),
  );
  return missing.flat();
}

test('CONTRIBUTING names files that exist, and the one where an operation is bound', async () => {
  const text = await read('CONTRIBUTING.md');
  assert.ok(namedFiles(text).length > 20);
  assert.deepEqual(await missingFiles(text), []);
  const [, way = ''] = /### An operation\n([\s\S]*?)\n### /.exec(text) ?? [];
  assert.match(way, /`operations` of the area's `area\.ts`/);
  assert.match(await read('src/areas/audits/area.ts'), /operations: \[/);
});

test('docs/architecture.md names files that exist, each once on the way of a request', async () => {
  const text = await read('docs/architecture.md');
  assert.deepEqual(await missingFiles(text), []);
  const [, ways = ''] = /## Three requests, file by file\n([\s\S]*?)\n## /.exec(text) ?? [];
  const requests = ways.split('\n### ').slice(1);
  assert.equal(requests.length, 3);
  for (const request of requests) {
    const [title = ''] = request.split('\n', 1);
    const rows = cells(request).filter(([number = '']) => /^\d+$/.test(number));
    const files = rows.map(([, file = '']) => file);
    assert.deepEqual(
      rows.map(([number]) => Number(number)),
      rows.map((_row, index) => index + 1),
    );
    assert.equal(new Set(files).size, files.length, title);
    assert.ok(rows.length >= 20 && rows.length <= 30, title);
  }
});

test('SECURITY.md says of each of the ten OWASP risks what holds, and names tests of it', async () => {
  const rows = cells(await read('SECURITY.md')).filter(([risk = '']) => risk.startsWith('API'));
  assert.deepEqual(
    rows.map(([risk = '']) => risk.split(' ')[0]),
    Array.from({ length: 10 }, (_, at) => `API${at + 1}`),
  );
  for (const [risk = '', said = '', tests = ''] of rows) {
    assert.match(said, /^[A-Z].*\.$/, risk);
    const files = [...tests.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file);
    assert.ok(files.length > 0 && files.every((file) => file.endsWith('.test.ts')), risk);
    await Promise.all(files.map((file) => access(join(ROOT, file))));
  }
});
