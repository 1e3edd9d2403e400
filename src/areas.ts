import { attestationArea } from '#areas/attestation/area.ts';
import { auditsArea } from '#areas/audits/area.ts';
import { bountiesArea } from '#areas/bounties/area.ts';
import { briefsArea } from '#areas/briefs/area.ts';
import { SLOTS_OF_BRIEFS } from '#areas/briefs/sql.ts';
import { cabinetArea } from '#areas/cabinet/area.ts';
import { ownPage } from '#areas/cabinet/own-references.ts';
import { capabilitiesArea } from '#areas/capabilities/area.ts';
import { connectArea } from '#areas/connect/area.ts';
import { COORDINATION_ROW_TOOLS } from '#areas/connect/row-tools.ts';
import { TOOL_TABLE } from '#areas/connect/tools/tool-table.ts';
import { crossingArea } from '#areas/crossing/area.ts';
import { HOLDERS_OF_KEYS } from '#areas/crossing/sql.ts';
import { CROSSING_RULES_DOCUMENT } from '#areas/crossing/rules-document.ts';
import { dataArea } from '#areas/data/area.ts';
import { discoveryArea } from '#areas/discovery/area.ts';
import { identityArea } from '#areas/identity/area.ts';
import { mandatesArea } from '#areas/mandates/area.ts';
import { operatorArea } from '#areas/operator/area.ts';
import { repositoryRefused } from '#areas/operator/problems.ts';
import { ordersArea } from '#areas/orders/area.ts';
import { playgroundArea } from '#areas/playground/area.ts';
import { tasksArea } from '#areas/tasks/area.ts';
import { verdictsArea } from '#areas/verdicts/area.ts';
import { checkNotFound, freeChecksUsed } from '#areas/verdicts/problems.ts';
import { walletArea } from '#areas/wallet/area.ts';
import { TASK_ROUTES } from '#areas/tasks/route-table.ts';
import { TIERS } from '#areas/wallet/topup/tiers.ts';
import { agentStep } from '#areas/wallet/unit.ts';
import { keyConflict, suspended } from '#kernel/api-key.ts';
import { boundRows, inDocumentOrder, type OpenArea, paidRows, rowsOf, type ServedTool, toolsOf } from '#kernel/area.ts';
import { type BoundOperation, rowAsker } from '#kernel/bound-operation.ts';
import { OperationTable } from '#kernel/operation-table.ts';
import { isFreeService, offeredIn, type Operation, type Services } from '#kernel/operation.ts';
import type { PaidRow } from '#kernel/paid-operation.ts';
import type { RowTool } from '#kernel/row-tool.ts';
import { type ListedTool, listedTool, type Tool } from '#kernel/tool.ts';
import type { ErasedEntry } from '#platform/log/erasure.ts';
import { type AreaSettings, inspectAreaSettings } from '#platform/config/area-settings.ts';
import type { Config } from '#platform/config/config.ts';
import { ConfigError } from '#platform/config/config-error.ts';
import { paymentsArea } from '#platform/payments/area.ts';
import { GATE_PROBLEMS } from '#platform/payments/problems.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import type { Step } from '#platform/storage/store.ts';
import { sandboxBuyer } from '#sandbox/chain/sandbox-buyer.ts';
import { sandboxPagesArea } from '#sandbox/pages/area.ts';
import type { CheckoutService } from '#sandbox/pages/checkouts.ts';
import { problemDocument } from '#transport/http/problem-response.ts';
import { mcpArea } from '#transport/mcp/catalogue.ts';
import type { BoundTool } from '#transport/mcp/tool-servers.ts';
import { MCP_PLACES, MCP_REVISIONS, type McpPlace } from '#transport/mcp/endpoints.ts';
import { MCP_PROBLEMS } from '#transport/mcp/problems.ts';
import { rowToolsOf } from '#transport/mcp/row-tools.ts';

const PRODUCT = {
  bounties: bountiesArea,
  briefs: briefsArea,
  crossing: crossingArea,
  verdicts: verdictsArea,
  audits: auditsArea,
  payments: paymentsArea,
  attestation: attestationArea,
  mandates: mandatesArea,
  wallet: walletArea,
  capabilities: capabilitiesArea,
  orders: ordersArea,
  data: dataArea,
  tasks: tasksArea,
  cabinet: cabinetArea,
  operator: operatorArea,
};

/** Every area, in the order of opening: each is handed what those before it made. */
const AREAS = {
  ...PRODUCT,
  playground: playgroundArea(Object.values(PRODUCT).flatMap((area) => rowsOf(area) as unknown as Operation[])),
  sandbox: sandboxPagesArea,
  discovery: discoveryArea,
  mcp: mcpArea,
  connect: connectArea,
  identity: identityArea,
};

/** Documents show rows in this order; those of an area that is not named follow. */
const SHOWN: readonly (keyof typeof AREAS)[] = [
  'crossing',
  'bounties',
  'briefs',
  'verdicts',
  'audits',
  'payments',
  'attestation',
  'mandates',
  'tasks',
  'orders',
  'wallet',
  'cabinet',
  'capabilities',
  'data',
  'playground',
  'sandbox',
  'discovery',
];

type Areas = typeof AREAS;
type Name = keyof Areas;
const NAMES = Object.keys(AREAS) as Name[];
const SHOWN_AREAS = [...SHOWN, ...NAMES.filter((name) => !SHOWN.includes(name))].map((name) => AREAS[name]);

/** One of the rows, with the types of its input and output. */
export type AreaRow = Areas[Name]['operations'][number]['operation'];

/** Everything that can be asked of the service. */
export const TABLE = new OperationTable(
  inDocumentOrder(
    SHOWN_AREAS.flatMap((area) => rowsOf(area) as unknown as Operation[]),
    SHOWN_AREAS,
  ),
  {
    paid: GATE_PROBLEMS,
    tools: [...MCP_PROBLEMS, keyConflict, suspended, freeChecksUsed, checkNotFound, repositoryRefused],
  },
);
export const OPERATIONS = TABLE.operations;

/** Every tool, in the order of lists. */
export const TOOLS: readonly ServedTool<never>[] = toolsOf<never>(NAMES.map(toolsIn));
export const PUBLIC_TOOLS = publicOnes(TOOLS);

/** What an installation offers. */
export interface Offer {
  readonly table: OperationTable;
  /** Rows of the whole table that this one leaves out. */
  readonly leftOut: readonly Operation[];
  readonly tools: readonly ServedTool<never>[];
  readonly publicTools: readonly Tool[];
  /** The public MCP tools that make the calls of operations, by the operation's id. */
  readonly rowTools: ReadonlyMap<string, RowTool>;
  /** Where MCP clients connect. */
  readonly mcpPlaces: readonly McpPlace[];
}

/** What each choice of services offers. */
export const OFFERS: Readonly<Record<Services, Offer>> = { all: offerOf('all'), free: offerOf('free') };

function offerOf(services: Services): Offer {
  const isAll = services === 'all';
  const open = NAMES.filter((name) => isAll || isFree(name));
  const rows = new Set(open.flatMap((name) => rowsOf(AREAS[name]) as unknown as Operation[]));
  const isOffered = (row: Operation) => isAll || (rows.has(row) && isFreeService(row));
  const served = new Set(open.flatMap((name) => toolsIn(name).tools));
  const tools = TOOLS.filter((tool) => isAll || (served.has(tool) && tool.services !== 'all'));
  const table = isAll ? TABLE : TABLE.only(isOffered);
  return {
    table,
    leftOut: OPERATIONS.filter((row) => !isOffered(row)),
    tools,
    publicTools: publicOnes(tools),
    rowTools: rowToolsOf({ rows: table.operations, tools, others: COORDINATION_ROW_TOOLS }),
    mcpPlaces: MCP_PLACES.filter((place) => isAll || place.services !== 'all'),
  };
}

function isFree(name: Name): boolean {
  return (AREAS[name] as { readonly services?: 'all' }).services !== 'all';
}

function publicOnes(tools: readonly ServedTool<never>[]): Tool[] {
  return tools.filter(({ scope }) => scope === undefined).map(({ tool }) => tool);
}

/** What tools/list answers; made when it is asked for, since a start need not wait for the schemas. */
export function listedTools(): ListedTool[] {
  return PUBLIC_TOOLS.map(listedTool);
}

function toolsIn(name: Name): { readonly tools: readonly ServedTool<never>[] } {
  const { tools = [] } = AREAS[name] as { readonly tools?: readonly unknown[] };
  return { tools: tools as readonly ServedTool<never>[] };
}

/** The areas of a running service, by name. */
export type OpenAreas = { readonly [N in Name]: Awaited<ReturnType<Areas[N]['open']>> };

type Needs = { readonly [N in Name]?: (open: OpenAreas, platform: Platform) => Parameters<Areas[N]['open']>[1] };

const MANIFESTS: readonly Omit<PlatformArea<never>, 'open' | 'operations' | 'tools'>[] = Object.values(AREAS);
/** The methods of all areas. */
export const PROTOCOLS = MANIFESTS.flatMap(({ published }) => published?.protocols ?? []);

/** What the environment can tell areas. */
export const AREA_SETTINGS = MANIFESTS.flatMap(({ settings }) => settings?.settings ?? []);

/** What the environment does tell them; a start and the commands that look at settings judge it alike. */
export function settingsOfAreas(config: Pick<Config, 'profile' | 'ofAreas'>) {
  const groups = NAMES.flatMap((name) => {
    const { settings } = AREAS[name] as { readonly settings?: AreaSettings };
    return settings === undefined ? [] : [[name, settings] as const];
  });
  return inspectAreaSettings(groups, config);
}

/** What the ledger is compared with, and what goes with an entry of the log that is erased. */
export const LEDGER_CHECKS = MANIFESTS.flatMap(({ ledgerChecks = [] }) => ledgerChecks);
export function forgetEntries(entries: readonly ErasedEntry[]) {
  return MANIFESTS.flatMap((area) => area.forget?.(entries) ?? []);
}

/** What each is handed of the others; those that need nothing are not here. */
const NEEDS: Needs = {
  briefs: (open) => ({ holders: HOLDERS_OF_KEYS, lightOf: (key, slots) => open.crossing.lightOf(key, slots) }),
  crossing: ({ bounties, briefs }) => ({ venues: bounties.venues, briefs: briefs.briefs, briefSlots: SLOTS_OF_BRIEFS }),
  payments: (open) => ({ rows: pricedRows(open), receiptOfTask: (ref) => open.tasks.find(ref) }),
  attestation: (open) => ({
    authenticate: (key) => open.wallet.agents.authenticate(key),
    references: () => contributed(open, ({ references }) => references),
  }),
  wallet: (open) => ({ visitorOf: (call) => open.cabinet.sessions.emailOf(call) }),
  capabilities: ({ wallet: { agents }, attestation: { paidFees } }) => ({
    paidFees,
    callers: { authenticate: (key) => agents.authenticate(key), recognise: (key) => agents.recognise(key) },
  }),
  orders: ({ wallet: { agents }, mandates: { mandates } }) => ({ agents, mandates }),
  data: (open) => ({
    component: open.orders.component,
    lessons: { newestLessons: (most) => open.tasks.newestLessons(most) },
    protocols: PROTOCOLS,
  }),
  tasks: (open) => ({
    agents: {
      authenticate: (key) => open.wallet.agents.authenticate(key),
      recognise: (key) => open.wallet.agents.recognise(key),
      suspensionOf: (agentId) => open.wallet.agents.suspensionOf(agentId),
    },
    routes: Object.assign({}, ...contributed(open, ({ taskRoutes }) => taskRoutes && [taskRoutes])),
    paidFees: open.attestation.paidFees,
  }),
  cabinet: ({ wallet: { agents, topUps }, tasks, orders, mandates: { mandates, readings } }) => ({
    asOwner: (agent, work) => agents.asOwner(agent, work),
    agents: {
      view: (agentKey) => agents.view({ agent_key: agentKey }),
      ofOwner: (email) => agents.ofOwner(email),
      changeKey: (agentId, change) => agents.changeKey(agentId, change),
      register: (asked, call) => agents.register({ idempotency_key: undefined, ...asked }, call),
      answerOwnership: (answer) => agents.answerOwnership(answer),
      eraseStep: (email) => agentStep({ type: 'erase_owner', email }),
    },
    tiers: TIERS,
    topUps: {
      create: (asked) => topUps.create({ ...asked, idempotency_key: undefined }),
      newestOf: (agentId, limit, before) => topUps.newestOf(agentId, limit, before),
      payableOf: (agentId) => topUps.payableOf(agentId),
    },
    tasks: tasks.tasks,
    routeNames: TASK_ROUTES,
    orders: orders.orders,
    mandates: {
      ofAgent: (agentId, asked) => readings.ofAgent(agentId, asked),
      ofId: (mandateId) => readings.ofId(mandateId),
      view: (asked) => readings.mandate({ ...asked, api_key: undefined }),
      revoke: (asked) => mandates.revoke(asked),
    },
  }),
  operator: ({ tasks, wallet }) => ({ tasks: tasks.tasks, topUps: wallet.topUps }),
  playground: (open, platform) => ({
    bound: () => boundOperations(open, platform),
    buyer: sandboxBuyer(platform),
    problemDocument: (refusal, instance) => problemDocument(refusal, platform.baseUrl(), instance),
    rowTool: (id) => OFFERS[platform.config.services].rowTools.get(id),
  }),
  // What a sandbox plays is its own.
  sandbox: (_open, { simulators }) => ({ cards: simulators?.cards as CheckoutService | undefined }),
  discovery: (open, { config: { services } }) => ({
    leftOut: OFFERS[services].leftOut,
    protocols: PROTOCOLS,
    limits: MANIFESTS.flatMap(({ published }) => published?.limits ?? []),
    terms: (url) =>
      Object.fromEntries(
        MANIFESTS.flatMap(({ name, published }) =>
          published?.terms === undefined ? [] : [[name, published.terms(url)]],
        ),
      ),
    crossingRules: CROSSING_RULES_DOCUMENT,
    mcp: {
      places: OFFERS[services].mcpPlaces,
      revisions: MCP_REVISIONS,
      tools: OFFERS[services].publicTools.length,
      coordinationTools: TOOL_TABLE.length,
    },
    platformId: () => open.orders.platformId,
    capabilities: () => open.capabilities.manifest.lasting(),
    lessons: () => open.tasks.lessonDigest(),
    datasets: () => open.data.dataSets.lastSeen(),
    openTasks: () => open.tasks.openTasks(),
    search: {
      references: () => contributed(open, ({ references }) => references),
      accountPage: (call, ref) => ownPage(open.cabinet, call, ref),
      search: (query) => open.data.retrieval.passages(query),
    },
    rowTools: OFFERS[services].rowTools,
    liveLeases: () => open.crossing.liveLeases(),
    // When it is called every area is open.
    ask: (...call) => rowAsker(freeRows(open))(...call),
    publicTools: () => OFFERS[services].publicTools.map(({ name }) => name),
  }),
  mcp: (_open, { config: { services } }) => ({ tools: OFFERS[services].publicTools }),
  connect: (open) => ({ rows: () => freeRows(open), ownLease: (...asked) => open.crossing.ownLease(...asked) }),
};

/** Opens every area on the platform; they close with the stack, the last first. */
export async function openAreas(platform: Platform, stack: AsyncDisposableStack): Promise<OpenAreas> {
  const open: Record<string, OpenArea> = {};
  const { values, faults, warnings } = settingsOfAreas(platform.config);
  if (faults.length > 0) throw new ConfigError(faults);
  for (const warning of warnings) platform.logger.warn('unknown setting', { cause: warning });
  for (const name of NAMES) {
    const area = AREAS[name] as PlatformArea<OpenArea>;
    const opened = await area.open(platform, NEEDS[name]?.(open as OpenAreas, platform), values.get(name));
    if (Symbol.asyncDispose in opened) stack.use(opened as OpenArea & AsyncDisposable);
    open[name] = platform.config.services === 'all' || isFree(name) ? opened : idle(opened);
  }
  requireInOrder(open);
  return open as OpenAreas;
}

/** An area whose rows nobody can call: it fetches nothing, but old data still expires and other areas may use it. */
function idle(area: OpenArea): OpenArea {
  const kept = Object.entries(area).filter(([member]) => !OF_CALLERS.has(member));
  return { ...Object.fromEntries(kept), jobs: area.jobs?.filter(({ ownTimer }) => ownTimer !== true) ?? [] };
}

/** What an area does for those who call it. */
const OF_CALLERS = new Set<string>(['onListening', 'taskRoutes', 'references'] satisfies (keyof OpenArea)[]);

/** Tasks are handed the routes of those that opened before them. */
function requireInOrder(open: Readonly<Record<string, OpenArea>>): void {
  const late = NAMES.slice(NAMES.indexOf('tasks') + 1).filter((name) => open[name]?.taskRoutes !== undefined);
  if (late.length > 0) throw new Error(`${late.join(', ')} must open before tasks, for which it does something`);
}

/** The areas that are open, in the order of opening. */
export function openOnes(open: OpenAreas): OpenArea[] {
  return Object.values(open as Readonly<Record<string, OpenArea>>);
}

/** What the areas that are open give to others. */
export function contributed<T>(open: OpenAreas, of: (area: OpenArea) => readonly T[] | undefined): T[] {
  return openOnes(open).flatMap((area) => of(area) ?? []);
}

function pricedRows(open: OpenAreas): PaidRow<Step>[] {
  return Object.keys(open).flatMap((name) => paidRows<Step, never>(AREAS[name as Name], open[name as Name] as never));
}

function freeRows(open: OpenAreas): BoundOperation[] {
  return NAMES.flatMap((name) => boundRows<never>(AREAS[name], open[name] as never));
}

/** Every row that this installation offers, with what answers it. */
export function boundOperations(open: OpenAreas, { sandbox, table }: Platform): BoundOperation[] {
  const bound = [...freeRows(open), ...open.payments.gated];
  const rows = new Map(bound.map((row) => [row.operation, row]));
  return offeredIn(table.operations, sandbox).map((operation) => {
    const found = rows.get(operation);
    if (found === undefined) throw new Error(`no handler for ${operation.operationId}`);
    return found;
  });
}

/** Every tool with what answers it. */
export function boundTools(open: OpenAreas, { config }: Platform): BoundTool[] {
  const areaOf = new Map<unknown, Name>(
    NAMES.flatMap((name) => toolsIn(name).tools.map((served) => [served, name] as const)),
  );
  const ask = rowAsker(freeRows(open));
  return OFFERS[config.services].tools.map((served) => ({
    tool: served.tool,
    scope: served.scope,
    work: served.workOf(open[areaOf.get(served) as Name] as never, ask),
  }));
}
