import { type OpenArea, on, type ProtocolDocument } from '#kernel/area.ts';
import type { AskRow } from '#kernel/bound-operation.ts';
import { DAY_MS } from '#kernel/clock.ts';
import { lazily } from '#kernel/lazily.ts';
import { type Job, sweepJob } from '#kernel/job.ts';
import { openApiDocument } from '#kernel/openapi.ts';
import { PAYMENT_REQUIRED_TEXT } from '#platform/payments/answers.ts';
import { unsignedChallenge } from '#platform/payments/challenge.ts';
import { offeredIn, type Operation, pagePathOf, Redirect, type Site, WithPage } from '#kernel/operation.ts';
import { refuseNotOffered } from '#kernel/general-problems.ts';
import { Refusal } from '#kernel/problem.ts';
import type { RowTool } from '#kernel/row-tool.ts';
import { documentation } from '#platform/documentation/documentation.ts';
import { type HealthComponent, isUnknown } from '#platform/health/component-board.ts';
import { healthEndpoints } from '#platform/health/health.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { expire } from '#platform/storage/expiry.ts';
import { buildId, VERSION } from '#platform/version.ts';
import * as documents from './document-operations.ts';
import { docsOf, type DocumentNeeds, OPENAPI_VERSION, openFrontDoor, versionsOf } from './documents.ts';
import * as front from './front/operations.ts';
import { pricingOf, productFigures } from './front/pricing.ts';
import { offersProduct, productOf } from './front/product.ts';
import { isProductId, PRODUCT_IDS } from './front/product-texts.ts';
import { RaceDemo } from './front/race.ts';
import type { FrontDoor } from './front-door.ts';
import { LatencySampler } from './latency-sampler.ts';
import { LeaseCount } from './lease-count.ts';
import { LiveStats } from './live-stats.ts';
import { LOGO, registryProof, ROBOTS } from './machine-documents.ts';
import * as manifests from './manifest-operations.ts';
import { REDIRECTS } from './moved.ts';
import { health, keyDocument, openApi, problemPage, status } from './operations.ts';
import { asset, serveAsset } from './pages/asset-operation.ts';
import { shownDesign } from './pages/design.ts';
import { docsIndex, docsPage } from './pages/docs.ts';
import { readingPath } from './pages/docs-nav.ts';
import * as pages from './pages/page-operations.ts';
import { protocolHtml } from './pages/protocols.ts';
import { problemTypeHtml } from './problem-type-page.ts';
import { unknownFile, unknownPage, unknownProduct, unknownProtocol } from './problems.ts';
import { didDocument, didDocumentOf, x402Discovery, x402Document } from './payment-documents.ts';
import { type Protocols, protocolsOf } from './protocols.ts';
import { ApiReference } from './reference.ts';
import { sealRules } from './rules-seal.ts';
import { SiteSearch, type SiteSearchDeps } from './site-search.ts';
import { Discovery, type DiscoveryOptions } from './service.ts';
import { STATUS_CHANGE_EXPIRY } from './sql.ts';
import { homeState, logState, paymentState, walletState } from './state-summaries.ts';
import { type Noted, StatusHistory } from './status-history.ts';
import { tagsOf } from './surfaces.ts';

export interface DiscoveryNeeds extends DocumentNeeds {
  /** Rows that this installation does not offer. */
  readonly leftOut: readonly Operation[];
  readonly protocols: readonly ProtocolDocument[];
  /** When each data set was last read. */
  readonly datasets: DiscoveryOptions['datasets'];
  readonly openTasks: () => Promise<number>;
  /** How many leases are held now. */
  readonly liveLeases: () => Promise<number>;
  /** Has any free row answer. */
  readonly ask: AskRow;
  readonly search: Pick<SiteSearchDeps, 'references' | 'accountPage' | 'search'>;
  /** The MCP tools that make the calls of operations, by the operation's id. */
  readonly rowTools: ReadonlyMap<string, RowTool>;
  /** The public MCP tools. */
  readonly publicTools: () => readonly string[];
}

export interface OpenDiscovery extends OpenArea, AsyncDisposable {
  readonly about: Discovery;
  readonly documents: FrontDoor;
  readonly figures: LiveStats;
  readonly leases: LeaseCount;
  readonly protocols: Protocols;
  readonly reference: ApiReference;
  readonly siteSearch: SiteSearch;
  /** Pages about what this installation does not offer. */
  readonly missing: ReadonlySet<string>;
  readonly x402: ReturnType<typeof x402Document>;
  readonly race: RaceDemo;
  readonly capabilities: DiscoveryNeeds['capabilities'];
  readonly publicTools: DiscoveryNeeds['publicTools'];
  readonly rowTools: DiscoveryNeeds['rowTools'];
  readonly platform: Platform;
  readonly jobs: readonly Job[];
}

export const discoveryArea = {
  name: 'discovery',
  open: openDiscovery,
  operations: [
    on(health, ({ about }) => about.health()),
    on(status, ({ about }) => about.status(buildId())),
    on(keyDocument, ({ about }) => about.keyDocument()),
    on(didDocument, ({ platform: { receipts } }) => didDocumentOf(receipts.did(), receipts.published())),
    on(x402Discovery, ({ x402 }) => x402),
    on(openApi, ({ about }) => about.openApi()),
    on(problemPage, ({ about, reference }, { code }, call) => {
      const found = about.problem(code);
      if (found instanceof Refusal || !call.wantsPage) return found;
      return new WithPage(found, (site) => problemTypeHtml(found, reference, site));
    }),
    on(manifests.entryManifest, (area) => area.documents.made().entry),
    on(manifests.fullEntryManifest, (area) => area.documents.made().fullEntry),
    on(manifests.onboardingManifest, (area) => area.documents.made().onboarding),
    on(manifests.coordinationManifest, (area) => area.documents.made().coordination),
    on(manifests.economyManifest, (area) => area.documents.economy()),
    on(manifests.strategyPillars, (area) => area.documents.made().pillars),
    on(manifests.rulesOfEngagement, (area, { version }) => area.documents.rules(version)),
    on(documents.llmsText, (area) => area.documents.made().llms),
    on(documents.llmsFullText, (area) => area.documents.full()),
    on(documents.plugin, (area) => area.documents.made().plugin),
    on(documents.catalog, (area) => area.documents.made().catalog),
    on(documents.mcpServerCard, (area) => area.documents.made().card),
    on(documents.wellKnownServerCard, (area) => area.documents.made().card),
    on(documents.mcpRegistryAuth, ({ platform: { config } }) =>
      config.mcp.registryKey === null
        ? new Refusal(unknownFile, { detail: 'This service has no key for the MCP registry.' })
        : registryProof(config.mcp.registryKey),
    ),
    on(documents.robots, () => ROBOTS),
    on(documents.logo, () => LOGO),
    on(documents.verifyFile, (area, { file }) => area.documents.file(file)),
    on(pages.homePage, (area) => homeState(area)),
    on(front.demoRace, async (area, _input, call) => {
      const race = await area.race.run(call);
      return race instanceof Refusal ? race : { race, home: await homeState(area) };
    }),
    on(front.productPage, (area, { product }) => productAnswer(area, product)),
    on(front.pricingPage, async (area) => pricingOf(area.documents.made().about, await area.capabilities())),
    on(pages.protocolsPage, ({ protocols }) => protocols.list),
    on(pages.protocolPage, ({ protocols }, { protocol }, call) => {
      const found = protocols.methods.get(protocol);
      if (found === undefined)
        return new Refusal(unknownProtocol, { detail: 'No protocol has this id. See /protocols.' });
      const html = (site: Site) => protocolHtml(found, protocols.wordingOf(protocol), site);
      return call.wantsPage ? new WithPage(found, html) : found;
    }),
    on(pages.docsIndexPage, ({ platform: { baseUrl, config } }) => docsIndex(docsOf(baseUrl(), config.services))),
    on(pages.docsPagePage, ({ platform: { baseUrl, config }, missing }, { name }) => {
      const found = docsPage(docsOf(baseUrl(), config.services), name);
      if (missing.has(`/docs/${name}`)) return refuseNotOffered();
      return found ?? new Refusal(unknownPage, { detail: 'No documentation page has this name. See /docs.' });
    }),
    on(pages.apiIndexPage, ({ reference }) => reference.index),
    on(pages.apiOperationPage, ({ reference }, { operation }) => {
      const found = reference.operation(operation);
      return found ?? new Refusal(unknownPage, { detail: 'No operation has this id. See /docs/api.' });
    }),
    on(pages.searchPage, async ({ siteSearch }, { q, all }, call) => {
      const found = await siteSearch.find(q, all, call);
      return call.wantsPage && found.match !== null ? new Redirect(found.match.path) : found;
    }),
    on(pages.designPage, () => shownDesign()),
    on(asset, (_area, { name }) => serveAsset(name)),
  ],
} satisfies PlatformArea<OpenDiscovery, DiscoveryNeeds>;

/** Who the service is, what it offers and how it is. */
async function openDiscovery(platform: Platform, needs: DiscoveryNeeds): Promise<OpenDiscovery> {
  const { store, clock, sandbox, table, registers } = platform;
  const offered = offeredIn(table.operations, sandbox);
  const protocols = protocolsOf(needs.protocols, offered);
  const figures = new LiveStats({
    store,
    log: platform.log.log,
    clock,
    openTasks: needs.openTasks,
    payments: platform.payments.figures,
    newSealCount: platform.newSealCount,
    operations: offered,
  });
  const missing = missingPages(offered, needs.leftOut);
  const history = await StatusHistory.open(store, clock);
  platform.health.onBeat((components) => history.note([...components.map(noted), ...notedRegisters(platform)]));
  const sampler = new LatencySampler(clock);
  const { rowTools } = needs;
  const reference = new ApiReference({ offered, problemsOf: (row) => table.problemsOf(row), rowTools });
  const about = aboutOf(platform, needs, { offered, protocols, figures, sampler, history });
  const frontDoor = openFrontDoor({ platform, offered, figures, protocols, needs });
  const rulesSeal: Job = { name: 'rules-seal', everyMs: DAY_MS, run: () => sealRules(store, sandbox) };
  const historySweep = sweepJob('status-sweep', () => expire({ store, clock }, STATUS_CHANGE_EXPIRY), DAY_MS);
  return {
    about,
    documents: frontDoor,
    figures,
    leases: new LeaseCount(needs.liveLeases, clock),
    protocols,
    reference,
    siteSearch: new SiteSearch({
      ...needs.search,
      offered,
      problems: table.problems(),
      hasPage: (path) => !missing.has(path),
    }),
    x402: x402Document(table.operations),
    missing,
    missingPaths: [...missing],
    race: new RaceDemo({ claim: claimRow(offered), ask: needs.ask, clock }),
    capabilities: needs.capabilities,
    publicTools: needs.publicTools,
    rowTools,
    platform,
    jobs: [historySweep, ...(platform.sealsRules ? [rulesSeal] : [])],
    redirects: REDIRECTS,
    pagePaths: readingPath({ hasPage: (path) => !missing.has(path) }).map(({ path }) => path),
    onHeartbeat() {
      void figures.refreshIfDue();
      void history.refresh();
      sampler.takeIfDue(platform.jobs.lastHeartbeat()?.latencyMs, registers.health());
    },
    async [Symbol.asyncDispose]() {
      await history[Symbol.asyncDispose]();
      await figures[Symbol.asyncDispose]();
    },
  };
}

async function productAnswer(area: OpenDiscovery, id: string) {
  const { documents: frontDoor, capabilities, platform, publicTools, missing, rowTools } = area;
  if (!isProductId(id)) return new Refusal(unknownProduct, { detail: 'No product has this name. See / for the list.' });
  if (missing.has(`/product/${id}`)) return refuseNotOffered();
  const { about } = frontDoor.made();
  const figures = productFigures(about, await capabilities());
  return productOf(id, figures, {
    about,
    nowMs: platform.clock.now(),
    tools: publicTools(),
    rowTool: (operationId) => rowTools.get(operationId),
  });
}

/** Addresses about what this installation does not offer. */
function missingPages(offered: readonly Operation[], leftOut: readonly Operation[]): Set<string> {
  if (leftOut.length === 0) return new Set();
  const left = documentation().filter((page) => page.services === 'all');
  return new Set([
    ...leftOut.flatMap((row) => [row.path, pagePathOf(row)]),
    ...left.map(({ name }) => `/docs/${name}`),
    ...PRODUCT_IDS.filter((id) => !offersProduct(offered, id)).map((id) => `/product/${id}`),
  ]);
}

function claimRow(offered: readonly Operation[]): Operation {
  const row = offered.find(({ operationId }) => operationId === 'claim');
  if (row === undefined) throw new Error('no operation takes a lease');
  return row;
}

function noted(component: HealthComponent): Noted {
  const { id, detail } = component;
  return { id, status: isUnknown(component) ? null : component.status, detail };
}

/** The registers of this installation; all of them where it makes checks, also those that are off. */
function registersOf({ registers, config }: Platform) {
  return registers.health().filter(([, state]) => config.services === 'all' || state !== null);
}

function notedRegisters(platform: Platform): Noted[] {
  return registersOf(platform).map(([id, state]) => ({ id, status: state?.status ?? 'not_configured', detail: null }));
}

interface AboutDeps {
  readonly offered: readonly Operation[];
  readonly protocols: Protocols;
  readonly figures: LiveStats;
  readonly sampler: LatencySampler;
  readonly history: StatusHistory;
}

function aboutOf(platform: Platform, needs: DiscoveryNeeds, parts: AboutDeps): Discovery {
  const { config, clock, sandbox, table, trail, anchors, log } = platform;
  const { offered, protocols, figures, sampler, history } = parts;
  // Here, so that a row whose tag no surface shows stops the start.
  const tags = tagsOf(offered);
  return new Discovery({
    clock,
    startedAtMs: clock.now(),
    identity: { name: config.serviceName, version: VERSION, sandbox },
    baseUrl: platform.baseUrl,
    endpoints: healthEndpoints(offered),
    problems: lazily(() => {
      const promisedBy = table.operationsByProblem();
      return table.problems().map((problem) => ({ ...problem, operations: promisedBy.get(problem.code) ?? [] }));
    }),
    components: () => platform.health.view(),
    registers: () => registersOf(platform).map(([id, state]) => ({ id, health: state })),
    datasets: offered.some(({ tag }) => tag === 'data') ? needs.datasets : () => [],
    storage: () => platform.store.status(),
    linesLost: () => trail.status().linesLost,
    lastAnchorMs: () => anchors.lastAnchorMs(),
    keys: platform.publishedKeys,
    log: { origin: log.log.origin, vkeys: () => log.log.vkeys(), witnessLines: log.witnessLines },
    versions: versionsOf(protocols, needs.mcp.revisions),
    logState: () => logState(log),
    payments: () => paymentState(platform),
    wallet: () => walletState(platform),
    availability: () => figures.availability() as ReturnType<DiscoveryOptions['availability']>,
    availabilityByDay: () => figures.availabilityByDay(),
    history: () => history.shown(),
    latencies: () => sampler.history.shown(),
    openApi: () => openApiOf(platform, offered, tags),
  });
}

function openApiOf(
  { config, payments: { terms }, table, baseUrl }: Platform,
  offered: readonly Operation[],
  tags: ReturnType<typeof tagsOf>,
): Promise<Record<string, unknown>> {
  return openApiDocument(
    {
      title: config.serviceName,
      version: OPENAPI_VERSION,
      description:
        'Leases on shared work, checks before money moves, and a public log anyone can verify. One HTTP API. No account needed to start.',
      contactName: config.operator.name,
      contactUrl: config.operator.contact,
      baseUrl: baseUrl(),
      payment: {
        network: terms.network,
        asset: terms.asset,
        challengeOf: (operation) =>
          unsignedChallenge(
            { operation, terms, serviceName: config.serviceName, baseUrl },
            `${baseUrl()}${operation.path}`,
            PAYMENT_REQUIRED_TEXT,
          ),
      },
      tags,
    },
    offered.map((operation) => ({ operation, problems: table.problemsOf(operation) })),
  );
}
