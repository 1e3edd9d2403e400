// Every fact of the tables is collected from every document in which it belongs, and compared.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { EXAMPLE_ABOUT } from '#areas/discovery/example-about.ts';
import { usageRules } from '#areas/discovery/usage-rules.ts';
import { CAPABILITIES } from '#areas/capabilities/table.ts';
import { TIERS } from '#areas/wallet/topup/tiers.ts';
import { type Operation, RATE_CLASSES } from '#kernel/operation.ts';
import { SCHEMAS } from '#protocol/attestation/schemas.ts';
import { MCP_PLACES, MCP_REVISIONS } from '#transport/mcp/endpoints.ts';
import { versionsOf } from '#areas/discovery/documents.ts';
import { protocolsOf } from '#areas/discovery/protocols.ts';
import { listedTools, OPERATIONS, PROTOCOLS, TABLE } from '../../src/areas.ts';
import { sharedService } from '../support/shared-service.ts';
import { ask } from '../support/mcp.ts';

const LISTED_TOOLS = listedTools();

type Row = Readonly<Record<string, unknown>>;
/** The members of all documents that are read here; each has its own. */
interface Doc {
  readonly text: string;
  readonly surfaces: readonly { readonly operations: readonly Row[]; readonly endpoints?: readonly Row[] }[];
  readonly limits: readonly Row[];
  readonly prices: readonly Row[];
  readonly verdicts: readonly Row[];
  readonly endpoints: readonly Row[];
  readonly resources: readonly string[];
  readonly rate_classes: readonly Row[];
  readonly attestation_fees: readonly Row[];
  readonly wallet: { readonly tiers: readonly Row[] };
  readonly schemas: readonly Row[];
  readonly tools: readonly Row[];
  readonly remotes: readonly (Row & { readonly supportedProtocolVersions?: readonly string[] })[];
  readonly rules: readonly Row[];
  readonly capabilities: readonly Row[];
  readonly protocols: readonly Row[];
  readonly versions: Row;
  readonly challenges: readonly (Row & { readonly accepts: readonly Row[] })[];
  readonly answered: readonly string[];
  readonly info: Row;
  readonly payment: Row;
  readonly version: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}
type Described = Row & {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: Row }[];
  readonly requestBody?: { content: Record<string, { schema: { properties: Record<string, Row> } }> };
  readonly 'x-payment-info'?: { readonly price: Row; readonly amount_atomic: string };
  readonly 'x-wallet-price'?: Row;
};
type Documents = Readonly<Record<string, Doc>>;

interface Kind {
  readonly kind: string;
  readonly table: readonly string[];
  /** What each document says of it. A text shows those of the table that it holds. */
  readonly documents: Readonly<Record<string, ((doc: Doc) => readonly string[]) | 'holds'>>;
  /** A word that, changed in any of the documents, is a drift. */
  readonly word: string;
}

const VERSIONS = versionsOf(protocolsOf(PROTOCOLS, OPERATIONS), MCP_REVISIONS);
const PAID = OPERATIONS.filter(({ price }) => price !== null);
const PRICED = OPERATIONS.filter(({ walletPrice }) => walletPrice !== undefined);
const RULES = usageRules(EXAMPLE_ABOUT).rules;
const shownIn = ({ surfaces }: Doc) => surfaces.flatMap(({ operations }) => operations);
const described = ({ paths }: Doc) =>
  Object.entries(paths).flatMap(([path, item]) => Object.entries(item).map(([method, one]) => ({ path, method, one })));
const own = (doc: Doc) => described(doc).filter(({ one }) => !one.operationId.endsWith('_by_post'));
const line = (...parts: readonly unknown[]) => parts.map((part) => JSON.stringify(part) ?? '-').join(' ');
const methodsOf = ({ method, alsoPost }: Operation) => [method, ...(alsoPost ? ['post'] : [])];
const ofPayment = ({ operation_id, amount, atomic }: Row) => line(operation_id, amount, atomic);
const priceOf = (row: Row) => ({ operation_id: row['operation_id'], ...(row['price'] as Row | null) }) as Row;

const KINDS: readonly Kind[] = [
  {
    kind: 'operations',
    word: 'coordination_audit',
    table: OPERATIONS.map(({ operationId, method, path }) => line(operationId, method.toUpperCase(), path)),
    documents: {
      '/entry/full': (doc) => shownIn(doc).map((row) => line(row['operation_id'], row['method'], row['path'])),
      '/openapi.json': (doc) =>
        own(doc).map(({ path, method, one }) => line(one.operationId, method.toUpperCase(), path)),
    },
  },
  {
    kind: 'places of operations',
    word: '/v1/claim',
    table: OPERATIONS.flatMap((row) => methodsOf(row).map((method) => line(method.toUpperCase(), row.path))),
    documents: {
      '/entry/full': (doc) =>
        shownIn(doc).flatMap(({ method, also, path }) => [method, also ?? []].flat().map((name) => line(name, path))),
      '/openapi.json': (doc) => described(doc).map(({ path, method }) => line(method.toUpperCase(), path)),
    },
  },
  {
    kind: 'names of operations',
    word: 'agent_coordination_audit',
    table: OPERATIONS.map(({ operationId }) => operationId),
    documents: { '/llms-full.txt': 'holds' },
  },
  {
    kind: 'rate classes of operations',
    word: 'crossing-write',
    table: OPERATIONS.map(({ operationId, rate }) => line(operationId, rate)),
    documents: {
      '/entry/full': (doc) => shownIn(doc).map((row) => line(row['operation_id'], row['rate_class'])),
      '/openapi.json': (doc) => own(doc).map(({ one }) => line(one.operationId, one['x-rate-class'])),
    },
  },
  {
    kind: 'rate classes',
    word: 'attest-seal',
    table: RATE_CLASSES,
    documents: {
      '/economy/manifest': ({ rate_classes }) => rate_classes.map((row) => String(row['class'])),
      '/coordination/manifest': ({ rate_classes }) => rate_classes.map((row) => String(row['class'])),
    },
  },
  {
    kind: 'problem codes',
    word: 'sunset_passed',
    table: TABLE.problems().map(({ code }) => code),
    documents: { '/llms-full.txt': 'holds' },
  },
  {
    kind: 'paid calls',
    word: '/v1/spend-fuse',
    table: PAID.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
    documents: {
      '/.well-known/x402': ({ resources }) => resources,
      '/economy/manifest': ({ verdicts }) => verdicts.map(({ path }) => `GET ${String(path)}`),
    },
  },
  {
    kind: 'prices',
    word: '30000',
    table: PAID.map(({ operationId, price }) => line(operationId, price?.usdc, price?.atomic)),
    documents: {
      '/entry/full': (doc) =>
        shownIn(doc)
          .map(priceOf)
          .filter(({ currency }) => currency === 'USDC')
          .map(ofPayment),
      '/economy/manifest': ({ verdicts }) =>
        verdicts.map((row) => line(row['operation_id'], row['price_usdc'], row['price_atomic'])),
      '/openapi.json': (doc) =>
        own(doc).flatMap(({ one: { operationId, 'x-payment-info': info } }) =>
          info === undefined ? [] : line(operationId, info.price['amount'], info.amount_atomic),
        ),
    },
  },
  {
    kind: 'prices in short',
    word: '0.002',
    table: OPERATIONS.flatMap(({ operationId, price, walletPrice }) => {
      if (price !== null) return line(operationId, price.usdc, 'USDC', undefined);
      return walletPrice === undefined ? [] : line(operationId, walletPrice.eur, 'EUR', walletPrice.rule);
    }),
    documents: {
      '/entry': ({ prices }) =>
        prices.map(({ operation_id, amount, currency, rule }) => line(operation_id, amount, currency, rule)),
    },
  },
  {
    kind: 'prices that are asked',
    word: '30000',
    table: PAID.map(({ path, price }) => line(path, price?.atomic)),
    documents: {
      challenges: ({ challenges }) => challenges.map(({ path, accepts }) => line(path, accepts[0]?.['amount'])),
    },
  },
  {
    kind: 'prices of wallets',
    word: '0.02',
    table: PRICED.map(({ operationId, walletPrice }) => line(operationId, walletPrice?.eur, walletPrice?.rule)),
    documents: {
      '/entry/full': (doc) =>
        shownIn(doc)
          .map(priceOf)
          .filter(({ currency }) => currency === 'EUR')
          .map(({ operation_id, amount, rule }) => line(operation_id, amount, rule)),
      '/openapi.json': (doc) =>
        own(doc).flatMap(({ one: { operationId, 'x-wallet-price': price } }) =>
          price === undefined ? [] : line(operationId, price['eur'], price['rule']),
        ),
    },
  },
  {
    kind: 'tiers of wallets',
    word: 'starter',
    table: TIERS.map((tier) => line(tier)),
    documents: { '/economy/manifest': ({ wallet }) => wallet.tiers.map((tier) => line(tier)) },
  },
  {
    kind: 'fees of seals',
    word: 'vat.vies.v1',
    table: SCHEMAS.map(({ id, document }) => line(id, document.fee_eurocents)),
    documents: {
      '/economy/manifest': ({ attestation_fees }) =>
        attestation_fees.map((row) => line(row['schema_id'], row['fee_eurocents'])),
      '/api/attest/schemas': ({ schemas }) => schemas.map((row) => line(row['schema_id'], row['fee_eurocents'])),
    },
  },
  {
    kind: 'tools',
    word: 'check_counterparty_nl',
    table: LISTED_TOOLS.map(({ name }) => name),
    documents: {
      '/mcp/tools.json': ({ tools }) => tools.map(({ name }) => String(name)),
      '/mcp/streamable': ({ tools }) => tools.map(({ name }) => String(name)),
      '/llms-full.txt': 'holds',
    },
  },
  {
    kind: 'paid tools',
    word: 'eu_vat_check',
    table: PAID.map(({ operationId }) => operationId),
    documents: { '/mcp/paid': ({ tools }) => tools.map(({ name }) => String(name)) },
  },
  {
    kind: 'places of MCP',
    word: '/mcp/sse',
    table: MCP_PLACES.map(({ path, deprecated }) => line(path, deprecated)),
    documents: {
      '/entry/full': ({ surfaces }) =>
        surfaces.flatMap(({ endpoints = [] }) => endpoints.map(({ path, deprecated }) => line(path, deprecated))),
    },
  },
  {
    kind: 'remotes of MCP',
    word: '/mcp/paid',
    table: MCP_PLACES.map(({ path, transport }) => line(path, transport, transport === 'sse' ? [] : MCP_REVISIONS)),
    documents: {
      '/mcp/streamable/server-card': ({ remotes }) =>
        remotes.map(({ url, type, supportedProtocolVersions = [] }) =>
          line(new URL(String(url)).pathname, type, supportedProtocolVersions),
        ),
    },
  },
  {
    kind: 'revisions of MCP that are answered',
    word: '2025-06-18',
    table: MCP_REVISIONS,
    documents: { revisions: ({ answered }) => answered },
  },
  {
    kind: 'capabilities',
    word: 'text.summarise',
    table: CAPABILITIES.map(({ id }) => id),
    documents: {
      '/capabilities/manifest': ({ capabilities }) => capabilities.map(({ id }) => String(id)),
      '/llms-full.txt': 'holds',
    },
  },
  {
    kind: 'rules',
    word: 'quota_evasion',
    table: RULES.map((rule) => line(rule)),
    documents: { '/api/rules-of-engagement': ({ rules }) => rules.map((rule) => line(rule)) },
  },
  {
    kind: 'names of rules',
    word: 'quota_evasion',
    table: RULES.map(({ key }) => key),
    documents: { '/llms-full.txt': 'holds' },
  },
  {
    kind: 'versions',
    word: 'ABA-1.0',
    table: Object.entries(VERSIONS).map(([name, version]) => line(name, version)),
    documents: {
      '/entry/full': ({ versions }) => Object.entries(versions).map((entry) => line(...entry)),
      '/entry': ({ versions }) => Object.entries(versions).map((entry) => line(...entry)),
      '/system/status': ({ versions }) => Object.entries(versions).map((entry) => line(...entry)),
    },
  },
  {
    kind: 'versions of protocols',
    word: 'ACB-1',
    table: [VERSIONS.brief, VERSIONS.coordination_audit, VERSIONS.budget_audit],
    documents: { '/coordination/manifest': ({ protocols }) => protocols.map(({ version }) => String(version)) },
  },
  {
    kind: 'version of the interface',
    word: VERSIONS.openapi,
    table: [VERSIONS.openapi],
    documents: { '/openapi.json': ({ info }) => [String(info['version'])] },
  },
  {
    kind: 'version of the rules',
    word: VERSIONS.usage_rules,
    table: [VERSIONS.usage_rules],
    documents: {
      '/api/rules-of-engagement': ({ version }) => [version],
      '/llms.txt': 'holds',
      '/llms-full.txt': 'holds',
    },
  },
  {
    kind: 'version of payments',
    word: 'x402Version',
    table: [String(VERSIONS.x402)],
    documents: { challenges: ({ challenges }) => [...new Set(challenges.map((one) => String(one['x402Version'])))] },
  },
];

/** Where the bounds of a limit stand in the schema of a parameter. */
const BOUNDS = { minLength: 'min_characters', maxLength: 'max_characters', minimum: 'min', maximum: 'max' };

let documents: Documents;
before(async () => {
  const service = await sharedService();
  const paths = new Set(
    KINDS.flatMap((kind) => Object.keys(kind.documents)).filter((path) => /^\/(?!mcp\/[sp]\w+$)/.test(path)),
  );
  const read = async (path: string) => {
    const { json, text } = await service.call(path);
    return [path, (json ?? { text }) as unknown as Doc] as const;
  };
  const tools = async (path: string) => {
    const { rpc } = await ask(service, 'legacy', 'tools/list', {}, { path });
    return [path, rpc.result as unknown as Doc] as const;
  };
  const challenges = PAID.map(async ({ path }) => ({ path, ...(await service.call(path)).json }));
  const answered = MCP_REVISIONS.map(async (revision, index) => {
    const hello = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'drift', version: '1' } };
    const { rpc } = await (index === 0
      ? ask(service, 'modern', 'server/discover')
      : ask(service, 'legacy', 'initialize', hello));
    const { protocolVersion, supportedVersions } = (rpc.result ?? {}) as {
      protocolVersion?: string;
      supportedVersions?: string[];
    };
    return protocolVersion ?? supportedVersions?.find((one) => one === revision) ?? JSON.stringify(rpc);
  });
  documents = Object.fromEntries([
    ...(await Promise.all([...paths].map(read))),
    await tools('/mcp/streamable'),
    await tools('/mcp/paid'),
    ['challenges', { challenges: await Promise.all(challenges) } as unknown as Doc],
    ['revisions', { answered: await Promise.all(answered) } as unknown as Doc],
  ]);
});

/** What one document lacks, or says beyond the table. */
function drift({ table, documents: readers }: Kind, path: string, doc: Doc): string[] {
  const read = readers[path];
  const holds = read === 'holds';
  const said = holds ? table.filter((fact) => doc.text.includes(fact)) : (read?.(doc) ?? []);
  const [expected, found] = [new Set(table), new Set(said)];
  return [...expected.symmetricDifference(found)].concat(said.length === table.length ? [] : [`${said.length} facts`]);
}

for (const kind of KINDS) {
  test(`${kind.kind} are the same in their table and in ${Object.keys(kind.documents).join(', ')}`, () => {
    assert.ok(kind.table.length > 0);
    for (const path of Object.keys(kind.documents)) {
      assert.deepEqual(drift(kind, path, documents[path] as Doc), [], path);
      const text = JSON.stringify(documents[path]);
      assert.ok(text.includes(kind.word), `${path} has no ${kind.word}`);
      const changed = JSON.parse(text.replaceAll(kind.word, `${kind.word}9`.replace('x402Version9', 'other'))) as Doc;
      const broken = kind.documents[path] === 'holds' ? { text: changed.text.replaceAll(kind.word, '') } : changed;
      assert.notDeepEqual(drift(kind, path, broken as Doc), [], `${path} may say ${kind.word} otherwise unnoticed`);
    }
  });
}

test('the bounds of the limits are those of the parameters in the interface document', () => {
  const { limits } = documents['/entry/full'] as Doc;
  const fields = new Map(
    own(documents['/openapi.json'] as Doc).flatMap(({ one }) => [
      ...(one.parameters ?? []).map(({ name, schema }) => [`${one.operationId} ${name}`, schema] as const),
    ]),
  );
  const compared = limits.flatMap((limit) => {
    const schema = fields.get(`${String(limit['area'])} ${String(limit['limit'])}`);
    if (schema === undefined) return [];
    for (const [from, to] of Object.entries(BOUNDS)) assert.deepEqual(limit[to], schema[from], JSON.stringify(limit));
    return [limit];
  });
  assert.ok(compared.length >= 9, String(compared.length));
});
