import { z } from 'zod';
import { DAY_MS, isoTime } from '#kernel/clock.ts';
import type { Operation, Site } from '#kernel/operation.ts';
import type { FindRowTool } from '#kernel/row-tool.ts';
import { commandOf, curlOf, fetchOf, mcpConfig, postOf, toolCallOf, typescriptOf } from '#web/call-code.ts';
import { type About, rowOf } from '../about.ts';
import { type Figures, PRODUCT_IDS, type ProductId, PRODUCTS, type Said } from './product-texts.ts';

const Example = z.strictObject({
  status: z.int(),
  curl: z.string(),
  typescript: z.string().nullable(),
  mcp: z.string().nullable(),
  cli: z.string().nullable(),
  response: z.record(z.string(), z.unknown()).meta({ description: 'Some members of a recorded response.' }),
  note: z.string().nullable(),
});

export const Product = z
  .strictObject({
    id: z.enum(PRODUCT_IDS),
    title: z.string(),
    tagline: z.string(),
    problem: z.string(),
    steps: z.array(z.strictObject({ name: z.string(), what: z.string() })),
    example: Example.meta({ description: 'A call that runs as printed.' }),
    gives: z.array(z.string()),
    limits: z.array(z.string()),
    price: z.string(),
    links: z.array(z.strictObject({ path: z.string(), label: z.string() })),
  })
  .meta({ id: 'Product' });

export type ProductAnswer = z.output<typeof Product>;
type ExampleCall = ProductAnswer['example'];

interface Made {
  readonly about: About;
  readonly nowMs: number;
  /** The names of the public MCP tools. */
  readonly tools: readonly string[];
  readonly rowTool: FindRowTool;
}

/** What agents and people read of one product; the call in it is new each time, so that it can be run as it is. */
export function productOf(id: ProductId, figures: Figures, made: Made): ProductAnswer {
  const { title, tagline, problem, steps, gives, limits, price, docs, seeAlso } = PRODUCTS[id];
  return {
    id,
    title,
    tagline,
    problem,
    steps: steps.flatMap(([name, said]) => saidBy(made.about, [said]).map((what) => ({ name, what }))),
    example: EXAMPLES[id](made),
    gives: saidBy(made.about, gives),
    limits: [...limits],
    price: price(figures),
    links: [[docs, `${title}: the guide`] as const, ...seeAlso].map(([path, label]) => ({ path, label })),
  };
}

function saidBy(about: About, list: readonly Said[]): string[] {
  return list.flatMap((said) => {
    const [text, row] = typeof said === 'string' ? [said] : said;
    return row === undefined || rowOf(about, row) !== undefined ? [text] : [];
  });
}

/** The call that the page of each product shows. */
const CALLS: Readonly<Record<ProductId, string>> = {
  coordination: 'claim',
  proof: 'attest_seal',
  checks: 'eu_vat_check',
  mandates: 'amh_mandate',
  wallet: 'register_agent',
  mcp: 'mcp_tools',
};

export function offersProduct(operations: readonly Operation[], id: ProductId): boolean {
  return rowOf({ operations }, CALLS[id]) !== undefined;
}

const MAX_TOOLS = 3;

/** A work key that nobody has claimed yet, the same for a second: an answer without effects is the same when it is repeated. */
export function newDemoKey(nowMs: number): string {
  return `demo/${Math.floor(nowMs / 1_000).toString(36)}`;
}

const CLAIM = { operationId: 'claim', method: 'get', alsoPost: true, path: '/v1/claim' } as const;

/** The claim that the home page and the page about coordination print. */
export function claimCode(baseUrl: string, key: string, rowTool: Site['rowTool']) {
  const input = { key, agent: 'scout-1', mode: 'exclusive' };
  const tool = rowTool?.('claim');
  return {
    curl: curlOf(CLAIM, input, baseUrl),
    typescript: typescriptOf(CLAIM, input, baseUrl),
    mcp: toolCallOf(CLAIM, input, { baseUrl, tool }) ?? null,
    cli: `./avouch claim ${key} --agent scout-1 \\\n  --mode exclusive --url ${baseUrl}`,
  };
}

const EXAMPLES: Readonly<Record<ProductId, (made: Made) => ExampleCall>> = {
  coordination: ({ about, nowMs, rowTool }) => ({
    status: 200,
    ...claimCode(about.baseUrl, newDemoKey(nowMs), rowTool),
    response: recordedMembers(about, 'claim', ['lease', 'fence', 'mode', 'expires_in_s', 'refresh_by_s']),
    note: 'Run it again as scout-2: the response is 409, with the time to wait.',
  }),
  proof: (made) => {
    const input = { schema_id: 'record.integrity.v1', claim: { statement: 'Order 17 was delivered on 3 May.' } };
    return {
      ...callOf(made, CALLS.proof, input),
      response: recordedMembers(made.about, 'attest_seal', ['attestation_id', 'verdict', 'seq', 'sealed_at']),
      note: 'The whole response is the proof. Keep its disclosure seed: it is shown once.',
    };
  },
  checks: (made) => {
    const { about } = made;
    const row = rowOf(about, CALLS.checks) as Operation;
    const input = { vat_number: 'NL000099998B57' };
    const { baseUrl, payment } = about;
    const url = `${baseUrl}${row.path}?vat_number=${input.vat_number}`;
    return {
      ...callOf(made, CALLS.checks, input),
      status: 402,
      cli: `./avouch pay '${url}' \\\n  --max 0.01`,
      response: {
        code: 'payment_required',
        accepts: [{ scheme: 'exact', network: payment['network'], amount: row.price?.atomic }],
      },
      note: `402 is the price: ${row.price?.usdc} USDC. The command pays it, with test money in the sandbox, and gets 200 with the verdict and its receipt.`,
    };
  },
  mandates: (made) => {
    const until = isoTime(made.nowMs + 180 * DAY_MS).slice(0, 10);
    const input = { agent_id: 'agent:shopper-7', principal: 'Acme BV', max_commit_cents: 50_000, valid_until: until };
    return {
      ...callOf(made, CALLS.mandates, input),
      response: recordedMembers(made.about, 'amh_mandate', [
        'mandate_id',
        'status',
        'assurance',
        'open_to',
        'remaining',
      ]),
      note: 'This mandate is unsigned and open to every platform: good for a first try only. The guide shows how to sign it.',
    };
  },
  wallet: (made) => ({
    ...callOf(made, CALLS.wallet, { name: 'buyer-7', owner_email: 'ops@example.org' }),
    response: recordedMembers(made.about, 'register_agent', ['agent_id', 'scopes', 'wallet', 'agent_key']),
    note: 'The agent key is shown once. Sign in with the email to top up.',
  }),
  mcp: ({ about, tools }) => ({
    status: 200,
    curl: postOf(`${about.baseUrl}/mcp/streamable`, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
    typescript: fetchOf(`${about.baseUrl}/mcp/streamable`, { body: "{ jsonrpc: '2.0', id: 1, method: 'tools/list' }" }),
    mcp: mcpConfig(about.baseUrl),
    cli: commandOf({ operationId: CALLS.mcp }, {}, about.baseUrl),
    response: { jsonrpc: '2.0', id: 1, result: { tools: tools.slice(0, MAX_TOOLS).map((name) => ({ name })) } },
    note: `The response lists ${tools.length === 1 ? '1 tool' : `${tools.length} tools`}, with schemas. /mcp/coordination lists ${about.mcp.coordinationTools} more. The MCP tab has the configuration for a host.`,
  }),
};

function callOf({ about, rowTool }: Made, operationId: string, input: Readonly<Record<string, unknown>>) {
  const row = rowOf(about, operationId) as Operation;
  const { baseUrl } = about;
  return {
    status: row.successStatus ?? 200,
    curl: curlOf(row, input, baseUrl),
    typescript: typescriptOf(row, input, baseUrl),
    mcp: toolCallOf(row, input, { baseUrl, tool: rowTool(operationId) }) ?? null,
    cli: commandOf(row, input, baseUrl),
  };
}

/** Members of the response that was recorded for the operation. */
function recordedMembers(about: About, operationId: string, names: readonly string[]): Record<string, unknown> {
  const output = (rowOf(about, operationId)?.examples[0]?.output ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, output[name]]));
}
