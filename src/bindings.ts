import { type AttestationParts, bindAttestation } from '#areas/attestation/bind.ts';
import { Explorer, type FindReference } from '#areas/attestation/explorer.ts';
import { auditsArea, type OpenAudits } from '#areas/audits/area.ts';
import { bountiesArea, type OpenBounties } from '#areas/bounties/area.ts';
import { briefsArea, type OpenBriefs } from '#areas/briefs/area.ts';
import { bindCabinet, type Cabinet } from '#areas/cabinet/bind.ts';
import { capabilitiesArea, type OpenCapabilities } from '#areas/capabilities/area.ts';
import { crossingArea, type OpenCrossing } from '#areas/crossing/area.ts';
import { bindData, type BoundData } from '#areas/data/bind.ts';
import * as discovery from '#areas/discovery/operations.ts';
import { didDocument, didDocumentOf, x402Discovery, x402Document } from '#areas/discovery/payment-documents.ts';
import { healthEndpoints } from '#areas/discovery/health.ts';
import { Discovery, type DiscoveryOptions } from '#areas/discovery/service.ts';
import { tagsOf } from '#areas/discovery/surfaces.ts';
import { exit } from '#areas/tasks/lessons/operations.ts';
import type { Lessons } from '#areas/tasks/lessons/service.ts';
import { mandatesArea, type OpenMandates } from '#areas/mandates/area.ts';
import { checkoutAct, checkoutPage } from '#sandbox/pages/checkout-operations.ts';
import type { Checkouts } from '#sandbox/pages/checkouts.ts';
import { outboxPage, shownMail } from '#sandbox/pages/outbox-operation.ts';
import type { FrontDoor } from '#areas/discovery/front-door.ts';
import type { HomeAnswer } from '#areas/discovery/pages/home.ts';
import { bindPages } from '#areas/discovery/pages/bind.ts';
import { bindOrders } from '#areas/orders/bind.ts';
import * as sandbox from '#sandbox/pages/operations.ts';
import type { Faucet } from '#sandbox/pages/service.ts';
import { type OpenVerdicts, verdictsArea } from '#areas/verdicts/area.ts';
import { bindTasks } from '#areas/tasks/bind.ts';
import type { Tasks } from '#areas/tasks/service.ts';
import { type OpenWallet, walletArea } from '#areas/wallet/area.ts';
import type { Config } from '#platform/config/config.ts';
import { boundRows } from '#kernel/area.ts';
import { isoTime } from '#kernel/clock.ts';
import { openApiDocument } from '#kernel/openapi.ts';
import type { Operation } from '#kernel/operation.ts';
import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import { publishedKeys } from '#platform/keys/key-view.ts';
import type { Outbox } from '#platform/mail/outbox.ts';
import type { Continuity } from '#platform/log/continuity.ts';
import type { LogAudit } from '#platform/log/log-audit.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import type { Publisher } from '#platform/log/publisher.ts';
import type { RegisterHealth } from '#platform/registers/resilience/health.ts';
import type { SettlementBackend } from '#platform/payments/settlement.ts';
import type { PaymentTerms } from '#platform/payments/terms.ts';
import type { Trail } from '#platform/trail/trail.ts';
import { mcpTools, toolCatalogue } from '#transport/mcp/catalogue.ts';
import type { Components } from './component-parts.ts';
import type { OpenOrders } from './order-parts.ts';
import type { Figures } from './figures.ts';
import type { Foundation } from './foundation.ts';
import { documentation, OPENAPI_VERSION, openFrontDoor, VERSIONS } from './front-door.ts';
import { allProblems, checkTable, OPERATIONS, promisedProblems } from './operations.ts';
import type { LedgerService } from './ledger-service.ts';
import type { PaidCalls } from './paid-calls.ts';
import { openPlayground } from './playground.ts';
import type { SandboxBuyer } from '#areas/playground/service.ts';
import { PROTOCOL_LIST, PROTOCOL_METHODS } from './protocol-list.ts';
import type { Pulse } from './pulse.ts';
import type { TrailAnchors } from './trail-anchors.ts';
import { buildId, VERSION } from '#platform/version.ts';

export interface Parts extends Omit<AttestationParts, 'explorer'> {
  readonly config: Config;
  readonly foundation: Foundation;
  readonly trail: Trail;
  readonly anchors: TrailAnchors;
  readonly components: Components;
  readonly log: PublicLog;
  readonly publisher: Publisher;
  readonly registerHealth: () => readonly (readonly [id: string, health: RegisterHealth | null])[];
  readonly verdicts: OpenVerdicts;
  readonly audits: OpenAudits;
  /** Of the published policy. */
  readonly witnessLines: string;
  readonly crossing: OpenCrossing;
  readonly mandates: OpenMandates;
  readonly tasks: Tasks;
  readonly lessons: Lessons;
  readonly orders: OpenOrders;
  readonly wallet: OpenWallet;
  readonly cabinet: Cabinet;
  readonly outbox: Outbox;
  readonly checkouts: Checkouts;
  readonly walletLedger: LedgerService;
  readonly capabilities: OpenCapabilities;
  readonly bounties: OpenBounties;
  readonly data: BoundData;
  readonly briefs: OpenBriefs;
  readonly faucet: Faucet;
  readonly buyer: SandboxBuyer;
  readonly findReference: FindReference;
  readonly paidCalls: PaidCalls;
  readonly settlement: SettlementBackend | undefined;
  readonly figures: Figures;
  readonly pulse: Pulse;
  readonly audit: LogAudit;
  readonly continuity: () => Continuity;
  readonly baseUrl: () => string;
}

/** Binds every row of the table to the service that answers it. */
export function bindAreas(parts: Parts): BoundOperation[] {
  checkTable(OPERATIONS);
  const { config, foundation, trail, baseUrl } = parts;
  const offered = offeredBy(config);
  const { clock, store, keyRing } = foundation;
  const startedAtMs = clock.now();
  const promisedBy = operationsByProblem();
  const about = new Discovery({
    clock,
    startedAtMs,
    identity: { name: config.serviceName, version: VERSION, sandbox: config.profile === 'sandbox' },
    baseUrl,
    endpoints: healthEndpoints(offered),
    problems: allProblems().map((problem) => ({ ...problem, operations: promisedBy.get(problem.code) ?? [] })),
    components: () => parts.components.view(),
    registers: () => parts.registerHealth().map(([id, health]) => ({ id, health })),
    datasets: () => parts.data.dataSets.lastSeen(),
    storage: store.status(),
    linesLost: () => trail.status().linesLost,
    lastAnchorMs: () => parts.anchors.lastAnchorMs(),
    keys: () => publishedKeys(keyRing, parts.log.origin),
    log: { origin: parts.log.origin, vkeys: () => parts.log.vkeys(), witnessLines: parts.witnessLines },
    versions: VERSIONS,
    logState: () => logState(parts),
    payments: () => paymentState(parts, clock.now()),
    wallet: () => walletState(parts),
    availability: () => parts.figures.availability() as ReturnType<DiscoveryOptions['availability']>,
    latencies: () => parts.pulse.history.shown(),
    openApi: () => openApi(config, parts.paidCalls.terms, baseUrl()),
  });
  const { log, verifications, findReference: find } = parts;
  const explorer = new Explorer({ log, verifications, find, baseUrl, keys: () => publishedKeys(keyRing, log.origin) });
  const frontDoor = openFrontDoor({
    config,
    offered,
    terms: parts.paidCalls.terms,
    baseUrl,
    did: parts.paidCalls.did,
    figures: parts.figures,
    keys: () => publishedKeys(keyRing, parts.log.origin),
    vkeys: () => parts.log.vkeys(),
    platformId: parts.orders.platformId,
    capabilities: () => parts.capabilities.manifest.lasting(),
  });
  const x402Resources = x402Document(OPERATIONS);
  const bound: BoundOperation[] = [
    ...openPlayground({ bound: () => bound, baseUrl, buyer: parts.buyer }).bindings(),
    ...boundRows(crossingArea, parts.crossing),
    ...boundRows(bountiesArea, parts.bounties),
    ...boundRows(briefsArea, parts.briefs),
    ...boundRows(verdictsArea, parts.verdicts),
    ...boundRows(auditsArea, parts.audits),
    ...parts.paidCalls.bound,
    ...bindAttestation({ ...parts, explorer }),
    ...boundRows(mandatesArea, parts.mandates),
    ...bindTasks(parts.tasks),
    bind(exit, (input, call) => parts.lessons.exit(input, call)),
    ...bindOrders(parts.orders.calculations, parts.orders.orders),
    ...boundRows(walletArea, parts.wallet),
    bind(checkoutPage, ({ session_id }) => parts.checkouts.show(session_id)),
    bind(checkoutAct, ({ session_id, action }) => parts.checkouts.act(session_id, action)),
    ...bindCabinet(parts.cabinet),
    bind(outboxPage, async () => (await parts.outbox.newest(100)).map(shownMail)),
    ...boundRows(capabilitiesArea, parts.capabilities),
    ...bindData(parts.data),
    bind(sandbox.faucet, ({ address }) => parts.faucet.mint(address)),
    bind(sandbox.balance, ({ address }) => parts.faucet.balance(address)),
    bind(discovery.health, () => about.health()),
    bind(discovery.status, () => about.status(buildId())),
    bind(discovery.keyDocument, () => about.keyDocument()),
    bind(didDocument, () => didDocumentOf(parts.paidCalls.did(), parts.paidCalls.didKeys())),
    bind(x402Discovery, () => x402Resources),
    bind(mcpTools, toolCatalogue),
    bind(discovery.openApi, () => about.openApi()),
    bind(discovery.problemPage, ({ code }) => about.problem(code)),
    ...frontDoor.bound(),
    ...bindPages({
      home: () => home(parts, about, frontDoor),
      protocols: PROTOCOL_LIST,
      methods: PROTOCOL_METHODS,
      documentation: () => documentation(baseUrl()),
    }),
  ];
  const unbound = OPERATIONS.filter((row) => !bound.some(({ operation }) => operation === row));
  if (unbound.length > 0) throw new Error(`no handler for ${unbound.map((row) => row.operationId).join(', ')}`);
  return bound.filter(({ operation }) => offered.includes(operation));
}

function home({ figures, pulse }: Parts, about: Discovery, frontDoor: FrontDoor): HomeAnswer {
  const { as_of, status, log, registers, ...rest } = about.status('');
  const { service, description, base_url, first_calls, surfaces, is_not } = frontDoor.entry();
  const counted = figures.live();
  return {
    service,
    description,
    base_url,
    sandbox: rest.sandbox,
    live: {
      as_of,
      status,
      log_entries: log.tree_size,
      claims_now: pulse.claims(),
      seals_today: counted?.seals_today ?? null,
      calls_24h: counted?.calls_24h ?? null,
      registers: registers.map(({ id, status: state }) => ({ id, status: state })),
    },
    first_calls,
    surfaces: surfaces.map(({ id, title, what }) => ({ id, title, what })),
    is_not,
  };
}

/** Production does not know the rows of the sandbox. */
function offeredBy({ profile }: Config): Operation[] {
  return OPERATIONS.filter(({ sandboxOnly }) => profile === 'sandbox' || sandboxOnly !== true);
}

/** Which operations promise a problem, by its code. */
function operationsByProblem(): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const row of OPERATIONS) {
    for (const code of new Set(promisedProblems(row).map((problem) => problem.code))) {
      ids.set(code, [...(ids.get(code) ?? []), row.operationId]);
    }
  }
  return ids;
}

function logState({ log, publisher, audit, continuity }: Parts): ReturnType<DiscoveryOptions['logState']> {
  const { size, rootHex } = log.head();
  const newest = audit.newest();
  return {
    tree_size: size,
    root_hash: rootHex,
    witnesses: publisher.witnessStatus(),
    last_audit: newest && { ok: newest.ok, at: isoTime(newest.atMs), entries: newest.entries },
    continuity: continuity(),
  };
}

function paymentState({ config, settlement, figures }: Parts, nowMs: number): ReturnType<DiscoveryOptions['payments']> {
  const totals = figures.payments();
  const oldestMs = totals?.oldestUnknownMs ?? null;
  return {
    backend: settlement === undefined ? null : (config.settlement?.backend ?? 'chain'),
    unknown_settlements: totals?.unknown ?? null,
    oldest_unknown_s: oldestMs === null ? null : Math.max(0, Math.floor((nowMs - oldestMs) / 1_000)),
    refunds_due: totals?.refundsDue ?? null,
  };
}

function walletState({ walletLedger }: Parts): ReturnType<DiscoveryOptions['wallet']> {
  const { isAuditOk, auditedAtMs, appendOnly } = walletLedger.state();
  const audit_at = auditedAtMs === null ? null : isoTime(auditedAtMs);
  return { audit_ok: isAuditOk, audit_at, append_only: appendOnly };
}

function openApi(config: Config, { network, asset }: PaymentTerms, baseUrl: string): Promise<Record<string, unknown>> {
  return openApiDocument(
    {
      title: config.serviceName,
      version: OPENAPI_VERSION,
      description: 'Verification, coordination and attestation for AI agents.',
      contactName: config.operator.name,
      contactUrl: config.operator.contact,
      baseUrl,
      payment: { network, asset },
      tags: tagsOf(offeredBy(config)),
    },
    offeredBy(config).map((operation) => ({ operation, problems: promisedProblems(operation) })),
  );
}
