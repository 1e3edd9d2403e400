// What hostile callers send. Each kind says what one of its requests is; none needs to be answered well.
import { MAX_SHARED_LEASES } from '#areas/crossing/lease/lease.ts';
import { hugePng, runLengthPdf, twicePackedPdf } from '../test/support/hostile-files.ts';

export interface HostileRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface HostileKind {
  readonly name: string;
  /** The key is that of an agent with money; the number makes requests differ. */
  readonly request: (key: string, n: number) => HostileRequest;
  /** What one of its answers must say: that it came as far as it was meant to. */
  readonly reaches: number;
  /** How many are under way at once; 4 unless said otherwise. */
  readonly atOnce?: number;
  /** How many are sent before anything is measured, and answered with 200: they make what the others meet. */
  readonly ahead?: number;
}

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
/** Made once, and as bytes: neither making nor encoding them may slow their sender, and with it the machine. */
const kept = new Map<string, Buffer>();
function once(name: string, make: () => string): Buffer {
  const known = kept.get(name) ?? Buffer.from(make());
  kept.set(name, known);
  return known;
}

function execute(key: string, body: string | Buffer): HostileRequest {
  return { path: '/capabilities/execute', body, headers: { ...JSON_TYPE, 'x-agent-key': key } };
}

function capability(key: string, name: string, input: () => object): HostileRequest {
  return execute(
    key,
    once(name, () => JSON.stringify({ capability: name.split(' ', 1)[0], input: input() })),
  );
}

function members(bytes: number): string {
  const parts: string[] = [];
  for (let at = 0, length = 0; length < bytes; at += 1)
    length += parts.push(`"m${at}":1`) && (parts.at(-1)?.length ?? 0) + 1;
  return parts.join(',');
}

function xmlBomb(): string {
  const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('');
  return `<?xml version="1.0"?><!DOCTYPE i [<!ENTITY e0 "x">${entities}]><Invoice>&e9;</Invoice>`;
}

function tool(name: string, args: object): HostileRequest {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  const accept = 'application/json, text/event-stream';
  return { path: '/mcp', body, headers: { ...JSON_TYPE, accept } };
}

const CROWDED_KEYS = Array.from({ length: 16 }, (_, n) => `crowded-${n}`);

export const HOSTILE: readonly HostileKind[] = [
  {
    name: 'wide JSON, 16 MB, no key',
    reaches: 401,
    request: () => ({
      path: '/capabilities/execute',
      headers: JSON_TYPE,
      body: once('wide', () => `{${members(16 * MIB - 20)}}`),
    }),
  },
  {
    name: 'wide JSON, 16 MB',
    reaches: 400,
    request: (key) =>
      execute(
        key,
        once('wide', () => `{${members(16 * MIB - 20)}}`),
      ),
  },
  {
    name: 'deep JSON, 16 MB',
    reaches: 400,
    request: (key) =>
      execute(
        key,
        once('deep', () => `{"input":${'['.repeat(8 * MIB - 99)}${']'.repeat(8 * MIB - 99)}}`),
      ),
  },
  {
    name: 'long JSON, one text of 16 MB',
    reaches: 400,
    request: (key) =>
      execute(
        key,
        once('long', () => `{"capability":"text.language","input":{"text":"${'a'.repeat(16 * MIB - 99)}"}}`),
      ),
  },
  {
    name: 'wide JSON, 250 KB',
    reaches: 400,
    request: (key) =>
      execute(
        key,
        once('wide short', () => `{"capability":"text.language","input":{${members(250_000)}}}`),
      ),
  },
  {
    name: 'members that are given twice, 250 KB',
    reaches: 400,
    request: (key) =>
      execute(
        key,
        once('twice', () => `{"input":{${'"a":1,'.repeat(19_900)}"b":1}}`),
      ),
  },
  {
    name: 'a receipt of 1 MB, no key',
    reaches: 400,
    request: () => ({
      path: '/v1/receipts/verify',
      headers: JSON_TYPE,
      body: once('receipt', () => `{"answer":{${members(150_000)},"t":"${'é'.repeat(400_000)}"}}`),
    }),
  },
  {
    name: 'PDF bomb, packed twice over',
    reaches: 413,
    request: (key) =>
      capability(key, 'doc.pdf_text twice', () => ({ pdf_base64: twicePackedPdf().toString('base64') })),
  },
  {
    name: 'PDF bomb of runs, which only its reader finds out',
    reaches: 413,
    request: (key) =>
      capability(key, 'doc.pdf_text runs', () => ({ pdf_base64: runLengthPdf(384 * MIB).toString('base64') })),
  },
  {
    name: 'PNG bomb',
    reaches: 413,
    request: (key) => capability(key, 'code.barcode', () => ({ image_base64: hugePng().toString('base64') })),
  },
  { name: 'XML bomb', reaches: 400, request: (key) => capability(key, 'invoice.check', () => ({ xml: xmlBomb() })) },
  {
    name: 'wide XML',
    reaches: 400,
    request: (key) =>
      capability(key, 'invoice.check wide', () => ({ xml: `<Invoice>${'<a/>'.repeat(400_000)}</Invoice>` })),
  },
  {
    name: 'regular expression',
    reaches: 200,
    request: (key) =>
      capability(key, 'data.validate', () => ({
        data: `${'a'.repeat(40)}!`,
        schema: { type: 'string', pattern: '^(a+)+$' },
      })),
  },
  {
    name: 'regular expression, long',
    reaches: 200,
    request: (key) =>
      capability(key, 'data.validate long', () => ({
        data: 'a'.repeat(100_000),
        schema: { type: 'string', pattern: '(.*a){20}b' },
      })),
  },
  {
    name: 'schema of many branches',
    reaches: 200,
    request: (key) => {
      const nested = (depth: number): object =>
        depth === 0 ? { type: 'string' } : { anyOf: [nested(depth - 1), nested(depth - 1)] };
      return capability(key, 'data.validate branches', () => ({ data: 1, schema: nested(11) }));
    },
  },
  {
    name: 'text to redact, all digits',
    reaches: 200,
    request: (key) => capability(key, 'text.redact', () => ({ text: '4 '.repeat(100_000) })),
  },
  {
    name: 'hostile names, particles',
    reaches: 200,
    request: (_key, n) => tool('check_counterparty_nl', { company_name: `${'al abu bin '.repeat(10)}${n}` }),
  },
  {
    name: 'hostile names, words',
    reaches: 200,
    request: (_key, n) =>
      tool('check_counterparty_nl', { company_name: `${'muhammad ahmad ali hassan '.repeat(4)}${n}` }),
  },
  {
    name: 'huge headers',
    reaches: 200,
    request: () => ({ method: 'GET', path: '/v1/look?key=k&agent=a7', headers: { 'x-long': 'x'.repeat(120_000) } }),
    atOnce: 16,
  },
  {
    name: 'a query of 120 KB',
    reaches: 400,
    request: () => ({ method: 'GET', path: `/v1/look?key=${encodeURIComponent('é'.repeat(18_000))}&agent=a7` }),
    atOnce: 16,
  },
  {
    name: 'a query of many parameters',
    reaches: 400,
    request: () => ({ method: 'GET', path: `/v1/look?${'a=1&'.repeat(30_000)}` }),
    atOnce: 16,
  },
  { name: 'audit storm', reaches: 200, request: () => ({ method: 'GET', path: '/api/astralock/audit' }), atOnce: 16 },
  {
    name: 'search storm',
    reaches: 200,
    request: (_key, n) => ({
      method: 'GET',
      path: `/api/data/search?query=${encodeURIComponent(`bridge ${n} permit tender water `.repeat(6))}`,
    }),
    atOnce: 16,
  },
  {
    name: 'question storm',
    reaches: 200,
    request: (_key, n) => ({
      method: 'GET',
      path: `/api/data/ask?question=${encodeURIComponent(`how long do permits take ${n}`)}`,
    }),
    atOnce: 16,
  },
  {
    name: 'crowded_batch, claims of 16 full work keys',
    reaches: 409,
    ahead: MAX_SHARED_LEASES,
    request: (_key, n) => ({
      path: '/v1/claim',
      // A claim counts for each of its keys: so many come only from many addresses.
      headers: { ...JSON_TYPE, 'x-forwarded-for': `10.10.${(n >> 8) & 255}.${n & 255}` },
      body: JSON.stringify({ key: CROWDED_KEYS, agent: `crowd-${n}`, ttl: 3_600 }),
    }),
  },
  {
    name: 'ledger export',
    reaches: 200,
    request: () => ({ method: 'GET', path: '/api/attest/ledger', headers: { accept: 'application/x-ndjson' } }),
    atOnce: 16,
  },
  {
    name: 'OpenAPI, uncompressed',
    reaches: 200,
    request: () => ({ method: 'GET', path: '/openapi.json' }),
    atOnce: 16,
  },
  {
    name: 'texts of 60 KB to lint',
    reaches: 200,
    request: (_key, n) => ({
      path: '/v1/brief/lint',
      headers: JSON_TYPE,
      // As long as it may be: so many characters, most of them spelled by twelve bytes.
      body: `{"text":"${n} ${'TODO fix it asap etc. '.repeat(130)}${String.raw`\ud83d\ude00`.repeat(5_000)}"}`,
    }),
  },
  {
    name: 'a batch of MCP messages, 1 MB',
    reaches: 200,
    request: () => ({
      path: '/mcp',
      headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream' },
      body: once(
        'batch',
        () =>
          `[${'{"jsonrpc":"2.0","id":1,"method":"tools/list"},'.repeat(19)}{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"${'x'.repeat(900_000)}"}}]`,
      ),
    }),
  },
  {
    name: 'a bill of 30 MB',
    reaches: 400,
    request: (key) => ({
      path: '/api/v1/calculate',
      headers: { ...JSON_TYPE, 'x-agent-key': key },
      body: once(
        'bill',
        () => `{"quantity":1,"bom":{"root":"P","parts":[${'{"id":"P"},'.repeat(2_700_000)}{"id":"P"}]}}`,
      ),
    }),
    atOnce: 2,
  },
];
