import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { operationPassage } from '#areas/data/retrieval/operation-passages.ts';
import { readConfig } from '#platform/config/config.ts';
import { DAY_MS } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { hasAnswerPage } from '#kernel/operation.ts';
import fc from '#properties';
import { OPERATIONS, TABLE } from '../../src/areas.ts';
import { sharedService } from '../support/shared-service.ts';
import { type Answer, expectProblem } from '../support/client.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { TestService } from '../support/service.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const NEGOTIATION: readonly (readonly [accept: string | undefined, type: string])[] = [
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  [BROWSER, 'text/html'],
  ['text/html;q=0.5, application/json;q=0.4', 'text/html'],
  ['text/html, application/json', 'application/json'],
  ['text/markdown, text/html;q=0.9, */*;q=0.1', 'text/markdown'],
  ['text/markdown, text/html', 'text/markdown'],
  ['image/png', 'application/json'],
  [';;q=x', 'application/json'],
  ['text/html;q=0, text/markdown;q=0', 'application/json'],
  ['application/json;q=0, text/html;q=0.1', 'text/html'],
  ['text/*;q=0.8, application/json;q=0.9', 'application/json'],
  ['text/*, application/json;q=0.9', 'text/markdown'],
];
/** What each document is asked for; the whole table, whose judge is the same for all of them, only one of each kind. */
const USUAL = NEGOTIATION.filter(
  ([accept]) => accept === undefined || accept === BROWSER || accept.startsWith('text/markdown, text/html;'),
);
/** The path of a document that needs something. */
function filled(path: string): string {
  const values = {
    code: 'held',
    file: 'avouch-verify.mjs',
    protocol: 'amh-0',
    name: 'coordination',
    operation: 'claim',
  };
  return Object.entries(values).reduce((made, [name, value]) => made.replace(`{${name}}`, value), path);
}

/** Documents with pages, at a path that needs nothing. */
const PAGED = OPERATIONS.filter(({ isDocument, pages }) => isDocument && pages).map(({ path }) => filled(path));
/** Headers that differ from answer to answer, and those of documents whose bytes do. */
const CHANGING = ['x-request-id', 'date'];
const CHANGING_LIVE = [...CHANGING, 'etag', 'content-length', 'x-markdown-tokens'];
const LIVE = ['/economy/manifest', '/system/status', '/'];
const DOCUMENTS = OPERATIONS.filter(({ isDocument }) => isDocument).map(({ path }) => filled(path));
/** Pages with words of their own for the names of members, and with ids in addresses only. */
const DRAWN = [
  '/docs/api',
  '/docs/api/claim',
  '/entry',
  '/entry/full',
  '/agent-discovery/onboarding',
  '/coordination/manifest',
  '/economy/manifest',
  '/api/strategy/pillars',
  '/api/rules-of-engagement',
  '/capabilities/manifest',
  '/problems/held',
  '/design',
  '/docs',
  '/protocols',
  '/protocols/amh-0',
  '/pricing',
];
/** Values that pages say in words. */
const WORDS = new Set(['true', 'false', 'null']);
/** Their page is made from Markdown, which its JSON holds as text. */
const OF_MARKDOWN = ['/docs/coordination'];
/** Endpoints of MCP are no rows of the table: two take POST alone, the other is a stream without end. */
const POST_ONLY = ['/mcp/streamable', '/mcp/coordination', '/mcp/paid'];
const ENDLESS = '/mcp/sse';

function typeOf({ headers }: Answer): string {
  return (headers['content-type'] ?? '').replace(/;.*/, '');
}

function get(service: TestService, path: string, accept?: string, headers: Record<string, string> = {}) {
  return service.call(path, { headers: { ...headers, ...(accept !== undefined && { accept }) } });
}

test('each document with pages follows the table of negotiation, .md and format, with the headers of a document', async () => {
  const service = await sharedService();
  assert.ok(PAGED.length >= 8 && PAGED.includes('/entry'));
  assert.equal(USUAL.length, 3);
  for (const path of PAGED) {
    for (const [accept, type] of path === '/entry' ? NEGOTIATION : USUAL) {
      const answer = await get(service, path, accept);
      assert.deepEqual([answer.status, typeOf(answer)], [200, type], `${path} ${accept}`);
      assert.equal(answer.headers.vary, LIVE.includes(path) ? 'Accept' : 'Accept, Accept-Encoding');
      assert.match(answer.headers.etag ?? '', /^"[0-9a-f]{32}"$/);
      assert.match(answer.headers['cache-control'] ?? '', /^public, max-age=(2|10|60|300)$/);
      assert.match(String(answer.headers['link']), /service-desc.*describedby.*terms-of-service/);
      assert.equal(answer.headers['access-control-allow-origin'], '*');
      assert.match(String(answer.headers['access-control-expose-headers']), /ETag, Link/);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      const isMarkdown = type === 'text/markdown';
      const tokens = String(Math.ceil(Buffer.byteLength(answer.text) / 4));
      assert.equal(answer.headers['x-markdown-tokens'], isMarkdown ? tokens : undefined);
      assert.equal(answer.headers['content-signal'], isMarkdown ? 'search=yes, ai-input=yes, ai-train=yes' : undefined);
    }
    for (const [suffix, type] of [
      ['.md', 'text/markdown'],
      ['?format=md', 'text/markdown'],
      ['?format=html', 'text/html'],
      ['?format=json', 'application/json'],
    ] as const) {
      assert.equal(typeOf(await get(service, path + suffix, 'text/html')), type, path + suffix);
    }
    for (const query of ['?format=pdf', '?format=', '?format=json&format=md', '?format=constructor']) {
      const { errors } = expectProblem(await get(service, path + query), 400, 'invalid_parameters');
      assert.equal((errors as { pointer: string }[])[0]?.pointer, '#/format', path + query);
    }
  }
});

test('a document without pages has its own media type unless a browser asks for it as a page, or another that it names where that is preferred', async () => {
  const service = await sharedService();
  const others = OPERATIONS.filter(({ isDocument, pages }) => isDocument && pages === undefined);
  assert.ok(others.length > 8);
  for (const row of others) {
    const { path, mediaType, jsonMediaType = 'application/json', extraMediaTypes = [] } = row;
    const hasPage = hasAnswerPage(row);
    const own = (mediaType ?? jsonMediaType).replace(/;.*/, '');
    for (const [accept, type] of path === others[0]?.path || extraMediaTypes.length > 0 ? NEGOTIATION : USUAL) {
      const answer = await get(service, path.replace('{file}', 'avouch-verify.mjs'), accept);
      const isNamed = accept?.includes(type) === true && extraMediaTypes.some((other) => other.startsWith(type));
      const expected = isNamed || (hasPage && type === 'text/html') ? type : own;
      assert.deepEqual([answer.status, typeOf(answer)], [200, expected], `${path} ${accept}`);
      assert.equal(
        answer.headers.vary,
        hasPage || extraMediaTypes.length > 0 ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
        path,
      );
      assert.match(String(answer.headers['link']), /service-desc.*describedby.*terms-of-service/);
    }
  }
});

test('every document answers HEAD as GET without a body, and 304 to who knows it', async () => {
  const service = await sharedService();
  for (const path of DOCUMENTS) {
    for (const accept of ['application/json', BROWSER, 'text/markdown']) {
      const whole = await get(service, path, accept);
      assert.equal(whole.status, 200, path);
      const head = await service.call(path, { method: 'HEAD', headers: { accept } });
      const lasting = ({ headers }: Answer) =>
        Object.entries(headers).filter(([name]) => !(LIVE.includes(path) ? CHANGING_LIVE : CHANGING).includes(name));
      assert.deepEqual([head.status, head.text, lasting(head)], [200, '', lasting(whole)], path);
      if (LIVE.includes(path)) continue;
      const known = await get(service, path, accept, { 'if-none-match': String(whole.headers.etag) });
      assert.deepEqual([known.status, known.text, known.headers.etag], [304, '', whole.headers.etag], path);
    }
  }
});

const weight = fc.integer({ min: 0, max: 1_000 }).map((q) => (q / 1_000).toFixed(3));

test('property: whatever the weights, a page comes only where it is wanted strictly more than JSON', async () => {
  const service = await sharedService();
  const types = ['application/json', 'text/html', 'text/markdown', 'text/*', '*/*', 'image/png'];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PAGED),
      fc.dictionary(fc.constantFrom(...types), weight),
      async (path, wanted) => {
        const accept = Object.entries(wanted).map(([type, q]) => `${type};q=${q}`);
        const answer = await get(service, path, accept.join(', '));
        assert.equal(answer.status, 200);
        assert.match(String(answer.headers.vary), /^Accept(?:, Accept-Encoding)?$/);
        const of = (...names: string[]) => Number(names.map((name) => wanted[name]).find((q) => q !== undefined) ?? 0);
        const json = of('application/json', '*/*');
        const got = typeOf(answer);
        if (got !== 'application/json') assert.ok(of(got, 'text/*', '*/*') > json, `${got} for ${accept.join(', ')}`);
        else assert.ok(of('text/html', 'text/*', '*/*') <= json && of('text/markdown', 'text/*', '*/*') <= json);
      },
    ),
    { numRuns: 100 },
  );
});

/** Every scalar of a document as text. */
function factsOf(value: unknown, withNames = true): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, item]) => [
    ...(Array.isArray(value) || !withNames ? [] : [name]),
    ...factsOf(item, withNames),
  ]);
}

function withoutMarkup(page: string): string {
  const escapes: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
  return page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (escape) => escapes[escape] as string);
}

/** A drawn page may set them apart. */
const sentences = (text: string) => text.split(/(?<=[.!?]) (?=[A-Z])/);

test('HTML and Markdown carry every fact of the JSON, and no page runs anything', async () => {
  const service = await sharedService();
  for (const path of PAGED.filter((one) => !LIVE.includes(one) && !OF_MARKDOWN.includes(one))) {
    const [json, page, markdown] = [
      await get(service, path),
      await get(service, path, BROWSER),
      await get(service, path, 'text/markdown'),
    ];
    const [ofPage, ofMarkdown] = [withoutMarkup(page.text), markdown.text.replaceAll('\\|', '|')];
    const isDrawn = DRAWN.includes(path);
    const ofLine = ofPage.replaceAll(/\s+/g, ' ').replaceAll(/ (?=[.,:;])/g, '');
    for (const fact of new Set(factsOf(json.json, !isDrawn))) {
      // Addresses and ids of a drawn page stand in its links and anchors.
      const isSaid = (text: string) => ofLine.includes(text) || page.text.includes(text);
      const isJson = ofPage.includes(JSON.stringify(fact).slice(1, -1));
      assert.ok(
        isJson || ofPage.includes(fact) || (isDrawn && (WORDS.has(fact) || sentences(fact).every(isSaid))),
        `${path} as HTML lacks ${fact}`,
      );
      assert.ok(ofMarkdown.includes(fact.replaceAll('\n', ' ')), `${path} as Markdown lacks ${fact}`);
    }
    assert.doesNotMatch(page.text, /<script(?![^>]* src="\/assets\/)|<style|\son\w+=|javascript:/i, path);
    if (path !== '/design') assert.doesNotMatch(page.text, /<form(?! action="\/search")/, path);
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'/);
    for (const type of ['text/markdown', 'application/json']) {
      const href = new RegExp(`<link rel="alternate" type="${type}" href="([^"]+)">`).exec(page.text)?.[1];
      assert.equal(typeOf(await get(service, String(href), BROWSER)), type, path);
    }
  }
});

test('a problem that is negotiated to HTML is a page with the same status and code', async () => {
  const service = await sharedService();
  for (const [path, status, code] of [
    ['/nowhere', 404, 'not_found'],
    ['/v1/look', 400, 'invalid_parameters'],
    ['/v1/eu-vat-check?vat_number=NL1', 402, 'payment_required'],
    ['/v1/claim?key=<b>&agent=', 400, 'invalid_parameters'],
    ['/entry?format=x', 400, 'invalid_parameters'],
  ] as const) {
    const page = await get(service, path, BROWSER);
    assert.deepEqual([page.status, typeOf(page), page.headers.vary], [status, 'text/html', 'Accept'], path);
    assert.ok(withoutMarkup(page.text).includes(` ${code} `), path);
    assert.doesNotMatch(page.text, /<b>|<script(?![^>]* src="\/assets\/)/);
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'/);
    for (const accept of [undefined, 'application/json', 'text/markdown']) {
      expectProblem(await get(service, path, accept), status, code);
    }
  }
  assert.ok((await get(service, '/v1/eu-vat-check', BROWSER)).headers['payment-required'] !== undefined);
});

interface Surface {
  readonly id: string;
  readonly operations: readonly Record<string, unknown>[];
}

test('every operation is shown with what it asks of a caller and where it is described, and every limit as it is held', async () => {
  const service = await sharedService();
  const entry = (await service.call('/entry/full')).json;
  const openapi = (await service.call('/openapi.json')).json;
  const shown = (entry['surfaces'] as Surface[]).flatMap(({ operations }) => operations);
  for (const row of OPERATIONS) {
    const found = shown.find(({ operation_id }) => operation_id === row.operationId) as Record<string, unknown>;
    const [, pointer = ''] = String(found['schema_ref']).split('#');
    const target = pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part.replaceAll('~1', '/')], openapi);
    assert.partialDeepStrictEqual(target, { operationId: row.operationId });
    const canDoWithout = ['none', 'agent_if_sent', 'agent_or_none', 'task_owner'].includes(row.access);
    assert.equal(found['auth'] === 'none', row.price === null && canDoWithout, row.operationId);
  }
  assert.deepEqual(entry['limits'], LIMITS);
  assert.match(String(entry['platform_id']), /^plt_/);
  const { rate_classes: classes } = (await service.call('/economy/manifest')).json;
  for (const { class: name, rate, burst, counted_by } of classes as Record<string, unknown>[]) {
    assert.ok(rate === '1000000/s' && burst === 1_000_000, `${String(name)} as this service has it`);
    assert.deepEqual(counted_by, COUNTED_BY[String(name)] ?? ['address'], `what ${String(name)} counts by`);
  }
  const { rules } = (await service.call('/api/rules-of-engagement')).json;
  const codes = TABLE.problems().map(({ code }) => code);
  for (const { code } of rules as { code: string | null }[]) {
    assert.ok(code === null || codes.includes(code) || code === 'suspended', String(code));
  }
});

/** Classes that do not count by address alone, as `order-of-refusals` and the operations' own tests find them to. */
const COUNTED_BY: Readonly<Record<string, readonly string[]>> = {
  tasks: ['agent_key', 'session', 'address'],
  wallet: ['agent_key', 'session', 'address'],
  'attest-seal': ['platform_key', 'address'],
};

test('the passage of an operation says by which key its calls are counted, where it is not by address alone', () => {
  const { rates } = readConfig({});
  const kinds = new Map(Object.entries(COUNTED_BY).map(([name, keys]) => [name, keys.join(', ').replaceAll('_', ' ')]));
  for (const row of OPERATIONS.filter(({ rate }) => rate !== 'none')) {
    const [said = ''] = /^Limit of .*$/m.exec(operationPassage(row, TABLE, rates).body) ?? [];
    const keys = kinds.get(row.rate);
    const expected =
      keys === undefined ? 'from one address' : `per ${keys.replace(/, address$/, ' or address')} (the first`;
    assert.ok(said.includes(expected), `${row.operationId}: ${said}`);
  }
});

/** The limits that callers are told; each is what the service holds them to. */
const LIMITS = [
  { area: 'counterparty_check', limit: 'company_name', min_characters: 1, max_characters: 120 },
  { area: 'sanctions_screen', limit: 'name', min_characters: 2, max_characters: 120 },
  { area: 'claim', limit: 'agent', min_characters: 2, max_characters: 80 },
  { area: 'claim', limit: 'ttl', min: 30, max: 3600, default: 600 },
  { area: 'look', limit: 'slots', min: 1, max: 128 },
  { area: 'brief', limit: 'slots', min: 1, max: 100 },
  { area: 'mark', limit: 'note', min_characters: 0, max_characters: 280 },
  { area: 'brief_lint', limit: 'text', min_characters: 1, max_characters: 8000 },
  { area: 'bounties', limit: 'limit', min: 1, max: 200, default: 60 },
  { area: 'agent_budget_audit', limit: 'period_days', pattern: '^(?:[1-9]\\d?|[12]\\d\\d|3[0-5]\\d|36[0-6])$' },
  { area: 'spend_fuse', limit: 'probe_amount_usd', pattern: '^(0|[1-9]\\d{0,8})(\\.\\d{1,6})?$' },
  { area: 'record.integrity.v1', limit: 'statement', min_characters: 1, max_characters: 4000 },
  { area: 'record.integrity.v1', limit: 'evidence_digests', max_items: 32 },
  { area: 'registry.snapshot.v1', limit: 'sources', min_items: 1, max_items: 6 },
  { area: 'vat.vies.v1', limit: 'vat_number', pattern: '^[0-9A-Za-z]{2,14}$' },
  { area: 'kvk.liveness.v1', limit: 'kvk_number', pattern: '^[0-9]{8}$' },
  { area: 'look', limit: 'memory_s', value: 900 },
  { area: 'claim', limit: 'once_days', value: 30 },
  { area: 'claim', limit: 'shared_leases_per_key', value: 128 },
  { area: 'mark', limit: 'per_key_and_address_and_day', value: 3 },
  { area: 'brief', limit: 'questions', value: 3 },
  { area: 'bounties', limit: 'read_every_s', value: 3600 },
  { area: 'agent_budget_audit', limit: 'period_days_default', value: 30 },
  { area: 'spend_fuse', limit: 'probe_share_of_period_budget', value: 0.01 },
  { area: 'public manifests', limit: 'quota', value: null },
];

function needsKey({ headerOnly = {}, tag, path }: (typeof OPERATIONS)[number]): boolean {
  if (tag === 'cabinet') return path !== '/cabinet/login';
  return 'x-agent-key' in headerOnly || 'x-amh-key' in headerOnly;
}

test('every address of every document answers with the status that it promises', async () => {
  const service = await sharedService();
  const addresses = new Set<string>();
  for (const path of DOCUMENTS) {
    // Calls that are printed as commands may be refused on purpose: examples.test.ts runs them.
    const text = (await service.call(path)).text.replaceAll(/^curl .*/gm, '');
    for (const [found] of text.matchAll(new RegExp(`${RegExp.escape(service.url)}[^\\s"'\`)>\\\\|]*`, 'g'))) {
      addresses.add(
        found
          .slice(service.url.length)
          .replace(/[.,;]+$/, '')
          .replace(/#.*/, ''),
      );
    }
  }
  assert.ok(addresses.size > 20);
  for (const address of addresses) {
    const [path = ''] = address.split('?');
    // Three dots stand for an id that only its owner has.
    if (path === '' || address.includes('…') || path === ENDLESS) continue;
    const row = OPERATIONS.find((one) =>
      new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\.md)?$`).test(path),
    );
    const answer = await service.call(address);
    const expected =
      row === undefined
        ? POST_ONLY.includes(path)
          ? 405
          : 404
        : row.method === 'post'
          ? 405
          : row.price !== null
            ? 402
            : needsKey(row)
              ? 401
              : 200;

    assert.equal(answer.status, expected, address);
    assert.notEqual(answer.status, 404, `${address} is no path of the service`);
  }
});

test('every step of onboarding runs as printed, with what the steps before it gave', async () => {
  const service = await sharedService();
  const { goals } = (await service.call('/agent-discovery/onboarding')).json as { goals: Goal[] };
  assert.deepEqual(goals.map(({ id }) => id).slice(0, 4), ['verify_counterparty', 'coordinate', 'attest', 'mandate']);
  for (const { id, steps } of goals) {
    const kept = new Map<string, unknown>([['in_30_days', new Date(service.now() + 30 * DAY_MS).toISOString()]]);
    const fill = <T>(value: T) =>
      JSON.parse(JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (_, name: string) => String(kept.get(name)))) as T;
    for (const step of steps) {
      const query = new URLSearchParams(fill(step.query)).toString();
      const answer = await service.call(fill(step.path) + (query === '' ? '' : `?${query}`), {
        method: step.method,
        headers: fill(step.headers),
        ...(step.body !== null && { body: JSON.stringify(fill(step.body)) }),
      });
      assert.equal(answer.status, step.expect.status, `${id} ${step.n}: ${answer.text}`);
      for (const field of step.expect.fields) assert.ok(field in answer.json, `${id} ${step.n} has no ${field}`);
      for (const name of step.keep) kept.set(name, answer.json[name]);
    }
  }
});

interface Goal {
  readonly id: string;
  readonly steps: readonly {
    readonly n: number;
    readonly method: string;
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly query: Record<string, string>;
    readonly body: Record<string, unknown> | null;
    readonly expect: { readonly status: number; readonly fields: readonly string[] };
    readonly keep: readonly string[];
  }[];
}

test('two starts with one configuration give the same bytes, and the full text names the digest of each part', async () => {
  const dataDir = await temporaryDirectory();
  const env = { BASE_URL: 'http://documents.example' };
  const paths = DOCUMENTS.filter((path) => !LIVE.includes(path));
  const read = async () => {
    await using service = await TestService.start({ dataDir, env });
    const client = new Map<string, string>();
    const { port } = new URL(service.service.listening);
    for (const path of [...paths, ...PAGED.filter((one) => !LIVE.includes(one)).map((one) => `${one}.md`)]) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      client.set(path, `${answer.headers.get('etag')} ${await answer.text()}`);
    }
    return client;
  };
  const [first, second] = [await read(), await read()];
  assert.deepEqual(second, first);
  assert.ok([...first.values()].every((text) => !text.includes('127.0.0.1:')));
  const full = first.get('/llms-full.txt') ?? '';
  const rules = (first.get('/api/rules-of-engagement.md') ?? '').replace(/^\S+ /, '');
  assert.ok(full.includes(`/api/rules-of-engagement.md sha256:${sha256Hex(rules)}\n`));
  assert.ok(full.includes(rules));
  await rm(dataDir, { recursive: true });
});

test('no document names a file, a secret or an address of the machine, and every manifest says that it is a sandbox', async () => {
  const service = await sharedService();
  for (const path of DOCUMENTS) {
    const { text, json } = await service.call(path);
    assert.ok(!text.includes(service.dataDir) && !/\/home\/|\/root\/|\/tmp\/|BEGIN [A-Z ]*PRIVATE/.test(text), path);
    if (json?.['manifest'] !== undefined) assert.equal(json['sandbox'], true, path);
  }
});
