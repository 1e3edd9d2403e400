import { readdirSync, readFileSync } from 'node:fs';
import { BUDGET_PROTOCOL, COORDINATION_PROTOCOL } from '#areas/audits/thresholds.ts';
import { PROTOCOL as BRIEF_PROTOCOL } from '#areas/briefs/clarity.ts';
import { CROSSING_RULES_DOCUMENT } from '#areas/crossing/rules-document.ts';
import type { About } from '#areas/discovery/about.ts';
import { FrontDoor } from '#areas/discovery/front-door.ts';
import { CANON } from '#areas/discovery/usage-rules.ts';
import { PLATFORM_FEE_PCT } from '#areas/attestation/seals.ts';
import { FEE_PCT } from '#areas/orders/order.ts';
import { FREE_TRIES, PHASE_A_MOST_MICRO, REGIONS } from '#areas/tasks/task.ts';
import { capabilitiesManifest } from '#areas/capabilities/operations.ts';
import { TIERS } from '#areas/wallet/tiers.ts';
import type { Config } from '#platform/config/config.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { type Operation, RATE_CLASSES, timeoutSecondsOf } from '#kernel/operation.ts';
import { CHARGE_FORMULA, formatEur, MARKUP_PCT, MINIMUM_CHARGE_EUR } from '#platform/ledger/steps.ts';
import { TRY_DAYS } from '#platform/keys/day-key.ts';
import type { PublishedKey } from '#platform/keys/key-view.ts';
import { SCHEMAS } from '#protocol/attestation/schemas.ts';
import type { PaymentTerms } from '#platform/payments/terms.ts';
import { RULES_VERSION } from '#platform/usage-rules/version.ts';
import { MCP_PLACES, MCP_REVISIONS } from '#transport/mcp/endpoints.ts';
import { LISTED_TOOLS } from '#transport/mcp/tools.ts';
import { RateLimiter } from '#transport/http/rate-limit.ts';
import type { Figures } from './figures.ts';
import { limitsOf } from './limits.ts';
import { VERSION } from '#platform/version.ts';

export const OPENAPI_VERSION = '1.1.0';

/** Versions of everything that callers can hold the service to. */
export const VERSIONS = {
  openapi: OPENAPI_VERSION,
  paid_and_crossing: 'v1',
  wallet_and_orders: 'v1',
  budget_audit: BUDGET_PROTOCOL,
  coordination_audit: COORDINATION_PROTOCOL,
  brief: BRIEF_PROTOCOL,
  mandate_handshake: '0-draft',
  usage_rules: RULES_VERSION,
  canon: CANON,
  x402: 2,
  mcp: MCP_REVISIONS,
};

const PROTOCOLS = [
  { protocol: 'brief', version: BRIEF_PROTOCOL, path: '/v1/brief' },
  { protocol: 'coordination_audit', version: COORDINATION_PROTOCOL, path: '/v1/coordination/protocol' },
  { protocol: 'spend_check', version: BUDGET_PROTOCOL, path: '/v1/budget/protocol' },
];

/** What the surfaces cost that are not paid per call over x402; shown where the surface is offered. */
const PHASE_A = {
  phase_a_max_eur: formatEur(PHASE_A_MOST_MICRO),
  above: 'Larger tasks await new insurance.',
  regions: REGIONS,
};
const termsOf = (baseUrl: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  mandates: { fee: '0', custody: 'none' },
  wallet: {
    currency: 'EUR',
    tiers: TIERS,
    minimum_charge_eur: Number(MINIMUM_CHARGE_EUR),
    platform_fee_pct: PLATFORM_FEE_PCT,
    no_subsidies: true,
  },
  capabilities: {
    markup_pct: MARKUP_PCT,
    formula: CHARGE_FORMULA,
    url: `${baseUrl}${capabilitiesManifest.path}`,
  },
  tasks: {
    ...PHASE_A,
    free_tries: { path: '/do', per_address: FREE_TRIES, days: TRY_DAYS },
    anonymous: 'Only free routes run; a paid verdict ends in payment_required with its x402 address.',
  },
  orders: { broker_fee_pct: FEE_PCT, paid_by: 'card to the supplier', ...PHASE_A },
});

/** Pages for operators and for those who work on the service: not for callers. */
const NOT_FOR_CALLERS = /^(operations|performance|dependencies|sandbox-chain|audit-trail|witness)\.md$/;
/** Where examples of the documentation call. */
const SANDBOX_ADDRESS = /(?:http:\/\/)?127\.0\.0\.1:8402/g;
const ROOT = new URL('../', import.meta.url);

/** Files that verify without the service, under the names that are given out. */
const VERIFY_FILES: Readonly<Record<string, URL>> = {
  'avouch-verify.mjs': new URL('verify/avouch-verify.mjs', ROOT),
  'attestation-vectors.json': new URL('test/vectors/attestation.json', ROOT),
};

export interface FrontDoorParts {
  readonly config: Config;
  readonly offered: readonly Operation[];
  readonly terms: PaymentTerms;
  readonly baseUrl: () => string;
  readonly did: () => string;
  readonly keys: () => readonly PublishedKey[];
  readonly vkeys: () => readonly string[];
  readonly figures: Figures;
  readonly platformId: string;
  readonly capabilities: () => Promise<object>;
}

/** The documents of the front door, from what this installation is and offers. */
export function openFrontDoor(parts: FrontDoorParts): FrontDoor {
  return new FrontDoor({
    about: () => aboutOf(parts),
    stamp: () => {
      const keys = parts.keys().map(({ keyId, retiredAtMs }) => `${keyId} ${retiredAtMs}`);
      return [parts.baseUrl(), parts.figures.lessons()?.sha256, ...keys].join();
    },
    capabilities: parts.capabilities,
    live: () => parts.figures.live(),
    pages: () => documentation(parts.baseUrl()).map(({ name, text }) => ({ title: `docs/${name}.md`, text })),
    file: (name) => (Object.hasOwn(VERIFY_FILES, name) ? readText(VERIFY_FILES[name] as URL) : undefined),
  });
}

function aboutOf(parts: FrontDoorParts): About {
  const { config, offered, terms, baseUrl, did, keys, vkeys } = parts;
  const url = baseUrl();
  const published = keys();
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
    versions: VERSIONS,
    mcp: { places: MCP_PLACES, revisions: MCP_REVISIONS, tools: LISTED_TOOLS.length },
    platformId: parts.platformId,
    keys: {
      receipt: { kid: `${did()}#${receipt?.keyId ?? ''}`, public_key: receipt?.publicKey ?? '' },
      log: { vkey: vkeys()[0] ?? '' },
      inception: first?.declaredIn ?? '',
    },
    limits: limitsOf(offered),
    rateClasses: RATE_CLASSES.map((name) => {
      const { calls, perSeconds, burst } = config.rates[name];
      const rate = `${calls}/${perSeconds === 1 ? 's' : 'min'}`;
      return { class: name, rate, burst, policy_header: new RateLimiter(name, config.rates[name]).policy };
    }),
    payment: {
      protocol: 'x402',
      version: VERSIONS.x402,
      scheme: 'exact',
      network: terms.network,
      asset: terms.asset,
      asset_decimals: 6,
      eip712: { name: terms.tokenName, version: terms.tokenVersion },
      pay_to: terms.payTo,
      max_timeout_s: Math.max(0, ...offered.flatMap(({ price }) => (price === null ? [] : timeoutSecondsOf(price)))),
    },
    attestationFees: SCHEMAS.map(({ id, document: { fee_eurocents } }) => ({
      schema_id: id,
      fee_eurocents,
      platform_fee_eurocents: String((fee_eurocents * PLATFORM_FEE_PCT) / 100),
      fee_status: fee_eurocents === 0 ? 'not_applicable' : 'invoiced_separately',
    })),
    terms: Object.fromEntries(Object.entries(termsOf(url)).filter(([tag]) => tags.has(tag))),
    crossing: CROSSING_RULES_DOCUMENT,
    protocols: PROTOCOLS,
    eventDays: config.eventDays,
    lessons: parts.figures.lessons(),
    files: { verifier: fileFacts('avouch-verify.mjs'), vectors: fileFacts('attestation-vectors.json') },
  };
}

function fileFacts(name: string): { path: string; sha256: string } {
  return { path: `/verify/${name}`, sha256: sha256Hex(readText(VERIFY_FILES[name] as URL)) };
}

function readText(file: URL): string {
  return readFileSync(file, 'utf8');
}

let documents: readonly { readonly name: string; readonly text: string }[] | undefined;

/** The documentation for callers, by name, with the address of this installation in its examples. */
export function documentation(baseUrl: string): { name: string; text: string }[] {
  const folder = new URL('docs/', ROOT);
  documents ??= readdirSync(folder)
    .filter((name) => name.endsWith('.md') && !NOT_FOR_CALLERS.test(name))
    .toSorted()
    .map((name) => ({ name: name.slice(0, -'.md'.length), text: readText(new URL(name, folder)) }));
  return documents.map(({ name, text }) => ({ name, text: text.replaceAll(SANDBOX_ADDRESS, baseUrl) }));
}
