import { pointerStep } from '#kernel/json-pointer.ts';
import type { Operation } from '#kernel/operation.ts';
import type { About } from './about.ts';

interface Surface {
  readonly title: string;
  readonly what: string;
}

/** The parts of the service as documents show them, in their order. */
const SURFACES = {
  verdicts: {
    title: 'Paid verdicts',
    what: 'Signed verdicts on companies, vehicles, names and on how agents spend and work together, paid per call',
  },
  crossing: { title: 'Crossing', what: 'Leases, marks and lights on shared work, free and without an account' },
  briefs: { title: 'Briefs and bounties', what: 'Task cards, how clear they are, and open bounties' },
  attestation: { title: 'Attestation', what: 'Seals in a public append-only log that anyone can verify' },
  mandates: {
    title: 'Mandate handshake',
    what: 'What an agent may commit for its principal: asked before, sealed after',
  },
  wallet: { title: 'Agents and wallet', what: 'Agent keys and a prepaid balance in EUR' },
  tasks: { title: 'Tasks', what: 'Work from an intent, anonymous or funded by a wallet' },
  capabilities: { title: 'Capabilities', what: 'Work on texts, files, data and pages, charged to a wallet' },
  orders: { title: 'Calculations and orders', what: 'Bills of materials and orders from suppliers' },
  lessons: { title: 'Lessons', what: 'What agents learned, left at the exit' },
  data: { title: 'Open data', what: 'Search and questions over public data on building' },
  mcp: { title: 'MCP', what: 'Tools over JSON-RPC: search, questions, checks, tasks and open data' },
  cabinet: { title: 'Cabinet', what: 'The pages of an owner of agents' },
  pages: { title: 'Pages', what: 'Pages for people at the addresses of documents, with the data of their JSON' },
  discovery: { title: 'Discovery', what: 'What the service is, how it is and how it is called' },
  sandbox: { title: 'Sandbox', what: 'Test money and a checkout without a card, in the sandbox only' },
} as const satisfies Record<string, Surface>;

export type SurfaceId = keyof typeof SURFACES;

interface Tag {
  readonly surface: SurfaceId;
  readonly description: string;
}

/** What the tag of an operation says, and the surface that shows it. Every tag of the table stands here. */
const TAGS: Readonly<Record<string, Tag>> = {
  crossing: { surface: 'crossing', description: 'Leases on shared work' },
  bounties: { surface: 'briefs', description: 'Open bounties and how many are at work on them' },
  briefs: { surface: 'briefs', description: 'Task cards: how clear they are, and where agents find them' },
  verdicts: { surface: 'verdicts', description: 'Verdicts on companies and vehicles from public registers' },
  audits: {
    surface: 'verdicts',
    description: 'Verdicts on spending and on working together, computed from what is declared',
  },
  attestation: { surface: 'attestation', description: 'Seals in a public log that anyone can verify' },
  mandates: {
    surface: 'mandates',
    description: 'What an agent may commit for its principal, asked before and sealed after',
  },
  sandbox: { surface: 'sandbox', description: 'Test money and a checkout without a card, in the sandbox only' },
  payments: { surface: 'verdicts', description: 'What became of a payment, and whether a receipt is ours' },
  wallet: { surface: 'wallet', description: 'Agents, their keys and their prepaid wallets' },
  capabilities: {
    surface: 'capabilities',
    description: 'Work on texts, files and pages, paid from the wallet by what it costs',
  },
  tasks: { surface: 'tasks', description: 'What is needed, in words: routed, quoted, done and sealed' },
  orders: { surface: 'orders', description: 'Bills of materials and orders' },
  lessons: { surface: 'lessons', description: 'What agents learned' },
  data: { surface: 'data', description: 'Open data on building' },
  mcp: { surface: 'mcp', description: 'Tools over the Model Context Protocol' },
  cabinet: { surface: 'cabinet', description: 'Pages of an owner of agents' },
  pages: { surface: 'pages', description: 'Pages for people and what they load' },
  discovery: { surface: 'discovery', description: 'What the service is and how it is' },
};

function tagOf({ tag, operationId }: Operation): Tag {
  const known = TAGS[tag];
  if (known === undefined) throw new Error(`${operationId} has the tag ${tag}, which no surface shows`);
  return known;
}

/** The tags that the rows have, in the order of the table. */
export function tagsOf(operations: readonly Operation[]): { name: string; description: string }[] {
  for (const operation of operations) tagOf(operation);
  const used = new Set(operations.map(({ tag }) => tag));
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, { description }]) => ({ name, description }));
}

/** What a caller must bring; a key that a call can do without is not asked for. */
const BROUGHT: Readonly<Record<Operation['access'], string>> = {
  none: 'none',
  agent: 'x_agent_key',
  platform: 'x_amh_key',
  agent_or_none: 'none',
  task_owner: 'none',
  principal: 'control_token',
  session: 'magic_link',
};

function authOf({ price, access }: Operation): string {
  return price === null ? BROUGHT[access] : 'x402';
}

/** Null is free; a rule says what more than the least a call may cost. */
function pricedAs({ price, walletPrice }: Operation): Readonly<Record<string, string>> | null {
  if (price !== null) return { amount: price.usdc, currency: 'USDC', atomic: price.atomic };
  if (walletPrice === undefined) return null;
  const { eur, rule } = walletPrice;
  return { amount: eur, currency: 'EUR', ...(rule !== undefined && { rule }) };
}

/** Every call that costs something, with its price alone. */
export function pricesOf({ operations }: Pick<About, 'operations'>) {
  return operations.flatMap((row) => {
    const price = pricedAs(row);
    if (price === null) return [];
    const { amount, currency } = price;
    return { operation_id: row.operationId, amount, currency, ...('rule' in price && { rule: price['rule'] }) };
  });
}

/** Where the operation stands in the interface document. */
function schemaRef(baseUrl: string, { path, method }: Operation): string {
  return `${baseUrl}/openapi.json#/paths${pointerStep(path)}/${method}`;
}

/** Every operation under its surface; a surface that has none is not shown. */
export function surfacesOf({ operations, baseUrl, mcp }: Pick<About, 'operations' | 'baseUrl' | 'mcp'>) {
  const bySurface = Map.groupBy(operations, (operation) => tagOf(operation).surface);
  const ids = Object.keys(SURFACES) as SurfaceId[];
  return ids.flatMap((id) => {
    const rows = bySurface.get(id);
    if (rows === undefined) return [];
    return {
      id,
      ...SURFACES[id],
      ...(id === 'mcp' && { what: SURFACES.mcp.what.replace('Tools', `${mcp.tools} tools`) }),
      auth: [...new Set(rows.map(authOf))],
      operations: rows.map((row) => shown(row, baseUrl)),
      ...(id === 'mcp' && { endpoints: mcp.places }),
    };
  });
}

function shown(row: Operation, baseUrl: string) {
  const { operationId, method, path, alsoPost, summary, rate, deprecated } = row;
  return {
    operation_id: operationId,
    method: method.toUpperCase(),
    ...(alsoPost && { also: 'POST' }),
    path,
    summary,
    auth: authOf(row),
    price: pricedAs(row),
    rate_class: rate,
    schema_ref: schemaRef(baseUrl, row),
    ...(deprecated && { deprecated }),
  };
}
