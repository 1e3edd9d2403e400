import { readFileSync } from 'node:fs';
import type { LessonDigest } from '#areas/tasks/port.ts';
import type { PublishedLimit } from '#kernel/area.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { type Operation, RATE_CLASSES, type Services, timeoutSecondsOf } from '#kernel/operation.ts';
import { countedBy, ratePolicy } from '#kernel/rate-policy.ts';
import { type DocumentationPage, documentationOf } from '#platform/documentation/documentation.ts';
import { PLATFORM_FEE_PCT } from '#platform/ledger/steps.ts';
import type { Platform } from '#platform/platform.ts';
import { RULES_VERSION } from '#platform/usage-rules/version.ts';
import { VERSION } from '#platform/version.ts';
import { SCHEMAS } from '#protocol/attestation/schemas.ts';
import type { About } from './about.ts';
import { FrontDoor } from './front-door.ts';
import { limitsOf } from './limits.ts';
import type { LiveStats } from './live-stats.ts';
import type { Protocols } from './protocols.ts';
import { CANON } from './usage-rules.ts';

export const OPENAPI_VERSION = '1.1.0';
const X402_VERSION = 2;

/** Versions of everything that callers can hold the service to. */
export function versionsOf(protocols: Protocols, mcp: readonly string[]) {
  const versionOf = (id: string) => protocols.versionOf(id);
  return {
    openapi: OPENAPI_VERSION,
    paid_and_crossing: 'v1',
    wallet_and_orders: 'v1',
    budget_audit: versionOf('aba-1'),
    coordination_audit: versionOf('aca-1'),
    brief: versionOf('acb-1'),
    mandate_handshake: versionOf('amh-0').replace('AMH ', ''),
    usage_rules: RULES_VERSION,
    canon: CANON,
    x402: X402_VERSION,
    mcp,
  };
}

function coordinationProtocols(protocols: Protocols) {
  const versionOf = (id: string) => protocols.versionOf(id);
  return [
    { protocol: 'brief', version: versionOf('acb-1'), path: '/v1/brief' },
    { protocol: 'coordination_audit', version: versionOf('aca-1'), path: '/v1/coordination/protocol' },
    { protocol: 'spend_check', version: versionOf('aba-1'), path: '/v1/budget/protocol' },
  ];
}

/** What only operators and those who change the service read. */
const NOT_FOR_CALLERS = ['Operate', 'Under the hood'];
/** Where examples of the documentation call. */
const SANDBOX_ADDRESS = /(?:http:\/\/)?127\.0\.0\.1:8402/g;
const ROOT = new URL('../../../', import.meta.url);

/** Files that verify without the service, under the names that are given out. */
const VERIFY_FILES: Readonly<Record<string, URL>> = {
  'avouch-verify.mjs': new URL('verify/avouch-verify.mjs', ROOT),
  'attestation-vectors.json': new URL('test/vectors/attestation.json', ROOT),
};

export interface DocumentDeps {
  readonly platform: Platform;
  readonly offered: readonly Operation[];
  readonly figures: Pick<LiveStats, 'live'>;
  readonly protocols: Protocols;
  readonly needs: DocumentNeeds;
}

/** What documents show of others. */
export interface DocumentNeeds {
  readonly limits: readonly PublishedLimit[];
  /** What each surface costs that is not paid per call over x402, by its name. */
  readonly terms: (url: string) => Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly crossingRules: About['crossing'];
  readonly mcp: About['mcp'];
  readonly platformId: () => string;
  /** The manifest of capabilities, without its figures. */
  readonly capabilities: () => Promise<object>;
  readonly lessons: () => LessonDigest | null;
}

/** The order in which documents show what surfaces cost. */
const TERMS_OF = ['mandates', 'wallet', 'capabilities', 'tasks', 'orders'];

/** The documents of the front door, from what this installation is and offers. */
export function openFrontDoor(parts: DocumentDeps): FrontDoor {
  const { platform, figures, needs } = parts;
  return new FrontDoor({
    about: () => aboutOf(parts),
    stamp: () => {
      const keys = platform.publishedKeys().map(({ keyId, retiredAtMs }) => `${keyId} ${retiredAtMs}`);
      return [platform.baseUrl(), needs.lessons()?.sha256, ...keys].join();
    },
    capabilities: needs.capabilities,
    live: () => figures.live(),
    pages: () =>
      docsOf(platform.baseUrl(), platform.config.services)
        .filter(isForCallers)
        .map(({ name, text }) => ({ title: `docs/${name}.md`, text })),
    file: (name) => (Object.hasOwn(VERIFY_FILES, name) ? readText(VERIFY_FILES[name] as URL) : undefined),
  });
}

function placeOf(surface: string): number {
  return TERMS_OF.includes(surface) ? TERMS_OF.indexOf(surface) : TERMS_OF.length;
}

function aboutOf({ platform, offered, protocols, needs }: DocumentDeps): About {
  const { config, receipts } = platform;
  const url = platform.baseUrl();
  const published = platform.publishedKeys();
  const receipt = published.find(({ scope, retiredAtMs }) => scope === 'receipts' && retiredAtMs === null);
  const first = published.find(({ scope, alg }) => scope === 'log-checkpoint' && alg === 'ed25519');
  const tags = new Set(offered.map(({ tag }) => tag));
  return {
    service: config.serviceName,
    version: VERSION,
    baseUrl: url,
    sandbox: config.profile === 'sandbox',
    operator: config.operator,
    operations: offered,
    versions: versionsOf(protocols, needs.mcp.revisions),
    mcp: needs.mcp,
    platformId: needs.platformId(),
    keys: {
      receipt: { kid: `${receipts.did()}#${receipt?.keyId ?? ''}`, public_key: receipt?.publicKey ?? '' },
      log: { vkey: platform.log.log.vkeys()[0] ?? '' },
      inception: first?.declaredIn ?? '',
    },
    limits: limitsOf(offered, needs.limits),
    rateClasses: RATE_CLASSES.map((name) => {
      const { calls, perSeconds, burst } = config.rates[name];
      const rate = `${calls}/${perSeconds === 1 ? 's' : 'min'}`;
      const policy_header = ratePolicy(name, config.rates[name]);
      return { class: name, rate, burst, counted_by: countedBy(name), policy_header };
    }),
    payment: offered.some(({ price }) => price !== null) ? paymentOf(platform, offered) : {},
    attestationFees: SCHEMAS.map(({ id, document: { fee_eurocents } }) => ({
      schema_id: id,
      fee_eurocents,
      platform_fee_eurocents: String((fee_eurocents * PLATFORM_FEE_PCT) / 100),
      fee_status: fee_eurocents === 0 ? 'not_applicable' : 'invoiced_separately',
    })),
    terms: Object.fromEntries(
      Object.entries(needs.terms(url))
        .filter(([tag]) => tags.has(tag))
        .toSorted(([a], [b]) => placeOf(a) - placeOf(b)),
    ),
    crossing: needs.crossingRules,
    protocols: coordinationProtocols(protocols),
    eventDays: config.eventDays,
    lessons: needs.lessons(),
    files: { verifier: fileFacts('avouch-verify.mjs'), vectors: fileFacts('attestation-vectors.json') },
  };
}

/** How calls that have a price are paid. */
function paymentOf({ payments: { terms } }: Platform, offered: readonly Operation[]) {
  return {
    protocol: 'x402',
    version: X402_VERSION,
    scheme: 'exact',
    network: terms.network,
    asset: terms.asset,
    asset_decimals: 6,
    eip712: { name: terms.tokenName, version: terms.tokenVersion },
    pay_to: terms.payTo,
    max_timeout_s: Math.max(0, ...offered.flatMap(({ price }) => (price === null ? [] : timeoutSecondsOf(price)))),
  };
}

function fileFacts(name: string): { path: string; sha256: string } {
  return { path: `/verify/${name}`, sha256: sha256Hex(readText(VERIFY_FILES[name] as URL)) };
}

function readText(file: URL): string {
  return readFileSync(file, 'utf8');
}

/** The documentation; examples for callers have the address of this installation. */
export function docsOf(baseUrl: string, services: Services): DocumentationPage[] {
  return documentationOf(services).map((page) =>
    isForCallers(page) ? { ...page, text: page.text.replaceAll(SANDBOX_ADDRESS, baseUrl) } : page,
  );
}

function isForCallers({ group }: DocumentationPage): boolean {
  return !NOT_FOR_CALLERS.includes(group);
}
