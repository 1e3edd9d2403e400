import { pointerStep } from '#kernel/json-pointer.ts';
import type { Operation } from '#kernel/operation.ts';
import type { About } from './about.ts';

interface Surface {
  readonly title: string;
  readonly what: string;
  /** How it reads where nothing with this tag is offered. */
  readonly without?: Without<Pick<Surface, 'title' | 'what'>>;
}

/** Words that say less, where the operations of a tag are not offered. */
export interface Without<Words> {
  readonly tag: string;
  readonly words: Partial<Words>;
}

/** The words that are true of what is offered. */
export function asOffered<Words extends object>(
  { without, ...words }: Words & { readonly without?: Without<Words> },
  operations: readonly Operation[],
) {
  const isLess = without !== undefined && !operations.some(({ tag }) => tag === without.tag);
  return isLess ? { ...words, ...without.words } : words;
}

/** The parts of the service as documents show them, in their order. */
const SURFACES = {
  verdicts: {
    title: 'Checks',
    what: 'Companies, VAT, sanctions, vehicles, budgets. Signed verdicts, paid per call. From 0.002 USDC.',
    without: {
      tag: 'verdicts',
      words: { what: 'Ten checks before a payment, previews of two audits, and verification of receipts. Free.' },
    },
  },
  crossing: {
    title: 'Coordination',
    what: 'Check, claim, renew and release shared work. Fencing tokens included. Free.',
  },
  briefs: {
    title: 'Briefs and bounties',
    what: 'Write clear task cards and find open bounties. Free.',
    without: { tag: 'bounties', words: { title: 'Briefs', what: 'Write clear task cards. Free.' } },
  },
  attestation: {
    title: 'Proof',
    what: 'Seal records and register answers in a public log. Verify offline. From €0.25.',
  },
  mandates: {
    title: 'Mandates',
    what: 'Let platforms ask what an agent may commit, and seal the outcome. Free.',
  },
  wallet: { title: 'Agents and wallet', what: 'Agent keys and a prepaid balance in euros.' },
  tasks: { title: 'Tasks', what: 'Describe what you need. Free to try, or paid from a wallet.' },
  capabilities: { title: 'Capabilities', what: 'Work on texts, files, data and web pages, paid from a wallet.' },
  orders: { title: 'Calculations and orders', what: 'Price bills of materials and order parts from suppliers.' },
  lessons: { title: 'Lessons', what: 'What agents learned, recorded for later agents.' },
  data: { title: 'Open data', what: 'Search and ask questions about public construction data.' },
  mcp: { title: 'MCP', what: 'Tools for any MCP host.' },
  cabinet: { title: 'Dashboard', what: 'For people who own agents.' },
  pages: { title: 'Pages', what: 'Web pages with the same data as the JSON documents.' },
  discovery: { title: 'Discovery', what: 'Machine-readable description, status and API.' },
  sandbox: { title: 'Sandbox', what: 'Test money and a checkout without a card. Only in the sandbox.' },
} as const satisfies Record<string, Surface>;

export type SurfaceId = keyof typeof SURFACES;

interface Tag {
  readonly surface: SurfaceId;
  readonly description: string;
}

/** What the tag of an operation says, and the surface that shows it. Every tag of the table stands here. */
const TAGS: Readonly<Record<string, Tag>> = {
  crossing: { surface: 'crossing', description: 'Coordination: leases on shared work.' },
  bounties: { surface: 'briefs', description: 'Open bounties, and how many people claim them.' },
  briefs: { surface: 'briefs', description: 'Task cards: how clear they are, and where agents find them.' },
  verdicts: { surface: 'verdicts', description: 'Checks of companies and vehicles in public registers.' },
  audits: {
    surface: 'verdicts',
    description: 'Checks of spending and coordination, computed from what you declare.',
  },
  attestation: { surface: 'attestation', description: 'Proof: seals in a public log that anyone can verify.' },
  mandates: {
    surface: 'mandates',
    description: 'What an agent may commit for its principal: verified before, sealed after.',
  },
  sandbox: { surface: 'sandbox', description: 'Test money and a checkout without a card. Only in the sandbox.' },
  payments: { surface: 'verdicts', description: 'The status of a payment, and verification of receipts.' },
  wallet: { surface: 'wallet', description: 'Agents, their keys and their prepaid wallets.' },
  capabilities: {
    surface: 'capabilities',
    description: 'Work on texts, files and web pages, paid from a wallet.',
  },
  tasks: { surface: 'tasks', description: 'Tasks in plain words: routed, quoted, completed and sealed.' },
  orders: { surface: 'orders', description: 'Bills of materials and orders.' },
  lessons: { surface: 'lessons', description: 'What agents learned.' },
  data: { surface: 'data', description: 'Open data on construction.' },
  mcp: { surface: 'mcp', description: 'Tools over the Model Context Protocol.' },
  cabinet: { surface: 'cabinet', description: 'Dashboard for people who own agents.' },
  pages: { surface: 'pages', description: 'Web pages and the files that they load.' },
  identity: { surface: 'discovery', description: 'Signed requests: who signed a call, and our own keys.' },
  discovery: { surface: 'discovery', description: 'Machine-readable description, status and API.' },
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
  agent_if_sent: 'none',
  agent_or_none: 'none',
  task_owner: 'none',
  principal: 'control_token',
  session: 'magic_link',
};

export function authOf({ price, access }: Operation): string {
  return price === null ? BROUGHT[access] : 'x402';
}

/** Null is free; a rule says what more than the least a call may cost. */
export function pricedAs({ price, walletPrice }: Operation): Readonly<Record<string, string>> | null {
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

/** How many tools MCP hosts find without paying, and for what. */
export function mcpTools({ operations, mcp }: Pick<About, 'operations' | 'mcp'>): string {
  const isOffered = (id: string) => operations.some(({ operationId }) => operationId === id);
  const others = [
    ...(isOffered('data_search') ? ['search', 'questions', 'open data'] : []),
    ...(isOffered('counterparty_check') ? ['checks'] : []),
    ...(isOffered('create_task') ? ['tasks'] : []),
  ];
  const uses = ['coordination', 'seals', 'mandates', ...others];
  return `${mcp.tools + mcp.coordinationTools} tools for any MCP host: ${uses.slice(0, -1).join(', ')} and ${uses.at(-1)}`;
}

/** Every operation under its surface; a surface that has none is not shown. */
export function surfacesOf({ operations, baseUrl, mcp }: Pick<About, 'operations' | 'baseUrl' | 'mcp'>) {
  const bySurface = Map.groupBy(operations, (operation) => tagOf(operation).surface);
  const ids = Object.keys(SURFACES) as SurfaceId[];
  return ids.flatMap((id) => {
    const rows = bySurface.get(id);
    if (rows === undefined) return [];
    const { title, what } = asOffered<Surface>(SURFACES[id], operations);
    return {
      id,
      title,
      what: id === 'mcp' ? `${mcpTools({ operations, mcp })}.` : what,
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
