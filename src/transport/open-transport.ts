import type { BoundOperation } from '#kernel/bound-operation.ts';
import type { KeyJudge } from '#kernel/key-judge.ts';
import { refuseNotOffered } from '#kernel/general-problems.ts';
import { offeredIn, type Operation, pagePathOf } from '#kernel/operation.ts';
import type { RowTool } from '#kernel/row-tool.ts';
import type { HostTools } from '#kernel/tool.ts';
import { faultExplainer } from '#platform/error-answers.ts';
import type { SignedMessage } from '#platform/identity/identities.ts';
import { AddressTagger } from '#platform/keys/address-tagger.ts';
import { AGENT_KEY_HEADER } from '#kernel/api-key.ts';
import type { Authenticate } from '#platform/ledger/caller.ts';
import { faultLogger } from '#platform/logger.ts';
import type { OpenPlatform } from '#platform/open-platform.ts';
import type { TrailEntry } from '#platform/trail/call-line.ts';
import { RuleGate, type RuleGateOptions } from '#platform/usage-rules/rule-gate.ts';
import type { Binding } from './http/call-steps.ts';
import { judgeKeys } from './http/key-judge.ts';
import { Observability } from './http/operator-routes.ts';
import type { RateLimiter } from './http/rate-limit.ts';
import { callerTagger, makeLimiters } from './http/rate-limiters.ts';
import { HttpServer, type Route } from './http/server.ts';
import { MCP_PLACES, type McpPlace } from './mcp/endpoints.ts';
import type { BoundTool } from './mcp/tool-servers.ts';
import { openMcp } from './mcp/open-mcp.ts';

/** What the product gives to those who carry it to callers. */
export interface TransportDeps {
  readonly operations: readonly BoundOperation[];
  /** Rows that this installation does not offer. */
  readonly leftOut: readonly Operation[];
  /** Where MCP clients may connect. */
  readonly mcpPlaces: readonly McpPlace[];
  readonly tools: readonly BoundTool[];
  readonly coordination: HostTools;
  /** The MCP tools that make the calls of operations, by the operation's id. */
  readonly rowTools: ReadonlyMap<string, RowTool>;
  readonly judges: readonly KeyJudge[];
  /** Addresses that moved, each with where it is now. */
  readonly redirects: Readonly<Record<string, string>>;
  /** Addresses of pages that no row names whole. */
  readonly pagePaths: readonly string[];
  /** Addresses that other installations have and this one does not. */
  readonly missingPaths: readonly string[];
  /** Who an agent is by its key, and under which tag its calls are counted. */
  readonly agents: RuleGateOptions['agents'] & {
    readonly authenticate: Authenticate;
    tagOf(agentKey: unknown): string | undefined;
  };
  readonly mandates: RuleGateOptions['mandates'] & { tagOf(platformKey: unknown): string | undefined };
  readonly sessions: { tagOf(cookie: string | undefined): string | undefined };
  readonly freeTriesOf: NonNullable<Binding['freeTriesOf']>;
  /** Told of every call; `agentKey` is as it was sent. */
  readonly note: (call: TrailEntry, agentKey: unknown) => void;
}

export interface Transport {
  readonly server: HttpServer;
  /** Figures and probes alone, where they have a port. */
  readonly operatorServer: HttpServer | undefined;
  /** Tells balancers to send their calls elsewhere. */
  drain(): Promise<void>;
}

/** HTTP and MCP, and what the operator sees of both; its figures close with the stack. */
export function openTransport(platform: OpenPlatform, parts: TransportDeps, stack: AsyncDisposableStack): Transport {
  const { config, clock, sandbox, baseUrl, logger, trail, ruleFlags, processId, patience } = platform;
  const { operations, agents, mandates } = parts;
  const limiters = makeLimiters(config);
  platform.jobs.onHeartbeat((processes) => limiters.forEach((limiter) => limiter.share(processes)));
  const tagger = new AddressTagger({ dayKey: (day) => platform.dayKeys.current(day), ...config });
  const shared = {
    record: (call: TrailEntry, headers: Readonly<Record<string, unknown>> = {}) => {
      trail.record(call);
      parts.note(call, headers[AGENT_KEY_HEADER]);
    },
    tagOf: (...of: Parameters<AddressTagger['tagOf']>) => tagger.tagOf(...of),
    isTrailFailing: () => trail.failing,
    rules: new RuleGate({ flags: ruleFlags, agents, mandates, logger }),
    explainFault: faultExplainer((error) => logger.error('overdraft refused by the database', {}, error)),
    logFault: faultLogger(logger),
  };
  const missing = new Set(parts.missingPaths);
  const hasPage = (address: string) => !missing.has(address.split(/[?#]/, 1)[0] as string);
  const rowTool = (operationId: string) => parts.rowTools.get(operationId);
  const site = { service: config.serviceName, sandbox, baseUrl, nowMs: () => clock.now(), hasPage, rowTool };
  const mcp = openMcp({
    ...shared,
    site,
    config,
    baseUrl,
    patience,
    hostOf: (request) => tagger.hostOf(request),
    limiter: limiters.get('mcp') as RateLimiter,
    operations,
    tools: parts.tools,
    coordination: parts.coordination,
    authenticate: (key) => agents.authenticate(key),
  });
  platform.health.watch('mcp', () => mcp.ping());
  const observability = stack.use(new Observability({ platform, tagger }));
  const common = {
    ...shared,
    answered: observability.answered,
    identify: (request: SignedMessage) => platform.identities.of(request),
    baseUrl,
    nowMs: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    limiterOf: ({ rate }: Operation) => (rate === 'none' ? undefined : limiters.get(rate)),
    freeTriesOf: parts.freeTriesOf,
    keyTagOf: callerTagger({ agents, sessions: parts.sessions, platforms: mandates }),
    unauthorized: judgeKeys(parts.judges),
    site,
    contentSignal: config.contentSignal,
    requestIdPrefix: processId.slice(0, 10),
    maxConnections: config.maxConnections,
    patience,
  };
  const hasPort = config.opsPort !== null;
  const server = new HttpServer({
    ...common,
    operations,
    leftOut: offeredIn(parts.leftOut, sandbox),
    routes: [...offeredRoutes(mcp.routes, parts.mcpPlaces), ...(hasPort ? [] : observability.routes(false))],
    redirects: parts.redirects,
    pagePaths: [...pagePathsOf(operations), ...parts.pagePaths],
  });
  observability.watch(server);
  const operatorServer = hasPort
    ? new HttpServer({ ...common, operations: [], routes: observability.routes(true) })
    : undefined;
  return { server, operatorServer, drain: () => observability.drain() };
}

/** Places of MCP that this installation does not have say so. */
function offeredRoutes(routes: readonly Route[], places: readonly McpPlace[]): Route[] {
  const left = new Set(MCP_PLACES.filter((place) => !places.includes(place)).map(({ path }) => path));
  return routes.map((route) => {
    if (!left.has(route.path)) return route;
    const { path, method } = route;
    return { path, method, admit: (exchange) => exchange.refuse(refuseNotOffered()), handle: () => {} };
  });
}

function pagePathsOf(operations: readonly BoundOperation[]): string[] {
  return operations
    .filter(({ operation: { method, pages, path } }) => method === 'get' && pages !== undefined && !path.includes('{'))
    .map(({ operation }) => pagePathOf(operation));
}
