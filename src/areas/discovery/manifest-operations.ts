import { z } from 'zod';
import { DOCUMENT_ROW } from '#kernel/document-row.ts';
import { timeField } from '#kernel/fields.ts';
import { documentPages } from '#web/document.ts';
import { defineOperation } from '#kernel/operation.ts';
import { RULES_VERSION } from '#platform/usage-rules/version.ts';
import { coordination } from './coordination.ts';
import { economy } from './economy.ts';
import { entry, ENTRY_PATH, FULL_ENTRY_PATH, fullEntry } from './entry.ts';
import { EXAMPLE_ABOUT, EXAMPLE_FIGURES } from './example-about.ts';
import { onboarding } from './onboarding.ts';
import { RULES_WORDING } from './pages/rules-wording.ts';
import { pillars } from './pillars.ts';
import { unknownRulesVersion } from './problems.ts';
import { usageRules } from './usage-rules.ts';

/** What every document about the service shares. */
export const DISCOVERY_ROW = { ...DOCUMENT_ROW, tag: 'discovery' } as const;
const NoInput = z.strictObject({});
const rows = z.array(z.looseObject({}));
const texts = z.array(z.string());

/** Readers tolerate new members, so the type says no more than that it is an object. */
function manifest(name: string, id: string, shape: z.ZodRawShape): z.ZodType<object> {
  return z
    .looseObject({
      manifest: z.literal(name),
      manifest_version: z.string(),
      service: z.string(),
      base_url: z.url(),
      sandbox: z.boolean(),
      links: z.record(z.string(), z.url()),
      ...shape,
    })
    .meta({ id });
}

interface ManifestRow<Id extends string> {
  readonly operationId: Id;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly output: z.ZodType<object>;
  readonly example: object;
}

const FORMS = 'Returns JSON by default. For HTML or Markdown, use Accept, ?format= or .md at the end of the path.';

function manifestRow<const Id extends string>({ example, description, ...row }: ManifestRow<Id>) {
  return defineOperation({
    ...DISCOVERY_ROW,
    ...row,
    description: `${description} ${FORMS}`,
    input: NoInput,
    pages: documentPages<object>(
      () => row.summary,
      () => row.path,
    ),
    examples: [{ name: 'manifest', input: {}, output: example }],
  });
}

const ENTRY_MEMBERS = {
  description: z.string(),
  operator: z.looseObject({ name: z.string(), contact: z.string() }),
  versions: z.record(z.string(), z.unknown()),
  is: texts,
  is_not: texts,
  axioms: texts,
  keys: z.looseObject({}),
  platform_id: z.string(),
  first_calls: z.array(
    z.looseObject({ goal: z.string(), curl: z.string(), expect: z.looseObject({ status: z.int() }) }),
  ),
  rules: z.looseObject({ version: z.string(), url: z.url() }),
  compatibility: texts,
  untrusted_text: z.string(),
};
const Surface = { id: z.string(), title: z.string(), what: z.string(), auth: texts };

export const entryManifest = manifestRow({
  operationId: 'entry',
  path: ENTRY_PATH,
  summary: 'Service description',
  description:
    'Says who runs the service, what it is and is not, how to start, what it costs and where to find the rest.',
  output: manifest('entry', 'EntryManifest', {
    ...ENTRY_MEMBERS,
    surfaces: z.array(z.looseObject(Surface)),
    prices: z.array(z.looseObject({ operation_id: z.string(), amount: z.string(), currency: z.string() })),
  }),
  example: entry(EXAMPLE_ABOUT),
});

export const fullEntryManifest = manifestRow({
  operationId: 'entry_full',
  path: FULL_ENTRY_PATH,
  summary: 'Full service description',
  description:
    'Returns everything in /entry, every operation with its address, key, price and rate class, and all limits.',
  output: manifest('entry_full', 'FullEntryManifest', {
    ...ENTRY_MEMBERS,
    surfaces: z.array(z.looseObject({ ...Surface, operations: rows })),
    limits: rows,
    errors: z.looseObject({ media_type: z.string(), members: texts }),
  }),
  example: fullEntry(EXAMPLE_ABOUT),
});

export const onboardingManifest = manifestRow({
  operationId: 'onboarding',
  path: '/agent-discovery/onboarding',
  summary: 'Onboarding',
  description: 'Requests that work as printed, with the expected responses. Also how to pay and how to verify offline.',
  output: manifest('onboarding', 'OnboardingManifest', {
    goals: z.array(z.looseObject({ id: z.string(), title: z.string(), steps: rows })),
    pay: z.looseObject({}),
    verify_offline: z.looseObject({ receipt: texts, seal: texts }),
    test_vectors: z.looseObject({ url: z.url(), sha256: z.string() }),
    good_manners: texts,
  }),
  example: onboarding(EXAMPLE_ABOUT),
});

export const coordinationManifest = manifestRow({
  operationId: 'coordination_manifest',
  path: '/coordination/manifest',
  summary: 'Coordination rules',
  description: 'Returns endpoints, rules for work keys, leases, signals, marks, errors, the waiting formula and lanes.',
  output: manifest('coordination', 'CoordinationManifest', {
    endpoints: rows,
    protocols: rows,
    lease: z.looseObject({}),
    rate_classes: rows,
    lanes: rows,
    lessons: z
      .looseObject({})
      .nullable()
      .meta({ description: 'Lessons that several agents reported. Null until two agents agree.' }),
  }),
  example: coordination(EXAMPLE_ABOUT),
});

const EconomyManifest = manifest('economy', 'EconomyManifest', {
  verdicts: rows,
  payment: z.looseObject({}),
  attestation_fees: rows,
  charging_rules: texts,
  rate_classes: rows,
  live: z.looseObject({ as_of: timeField }).nullable().meta({ description: 'Null until the first count.' }),
});

export const economyManifest = {
  ...manifestRow({
    operationId: 'economy_manifest',
    path: '/economy/manifest',
    summary: 'Prices',
    description:
      'Returns prices in decimals and atomic units, fees, charging rules and figures that are updated every minute.',
    output: EconomyManifest,
    example: { ...economy(EXAMPLE_ABOUT), live: EXAMPLE_FIGURES },
  }),
  cache: { maxAgeSeconds: 60 },
};

export const strategyPillars = manifestRow({
  operationId: 'strategy_pillars',
  path: '/api/strategy/pillars',
  summary: 'Maturity of each product area',
  description: 'Lists the product areas with their maturity, and whether they may be marketed as live.',
  output: manifest('pillars', 'PillarsManifest', { pillars: rows, promotion_rule: z.string() }),
  example: pillars(EXAMPLE_ABOUT),
});

export const rulesOfEngagement = defineOperation({
  ...DISCOVERY_ROW,
  operationId: 'usage_rules',
  path: '/api/rules-of-engagement',
  summary: 'Usage rules',
  description: `Returns what is allowed and what is not, how each rule is enforced, and the changelog. ${FORMS}`,
  input: z.strictObject({
    version: z
      .string()
      .max(80)
      .optional()
      .meta({ description: `The version to read. Default: ${RULES_VERSION}.` }),
  }),
  output: manifest('usage_rules', 'UsageRules', {
    version: z.string(),
    effective_from: z.iso.date(),
    canon: z.string().nullable(),
    in_force: z.boolean(),
    versions: z.array(z.string()),
    rules_sha256: z.string().meta({
      description:
        'SHA-256 of the canonical JSON of version, effective_from, canon, default without clarify, allowed, rules and changelog.',
    }),
    default: z.looseObject({ rule: z.string(), text: z.string() }),
    allowed: rows,
    rules: z.array(z.looseObject({ id: z.string(), key: z.string(), text: z.string(), level: z.string() })),
    changelog: rows,
  }),
  problems: [unknownRulesVersion],
  pages: documentPages<object>(
    () => 'Usage rules',
    () => '/api/rules-of-engagement',
    {
      section: 'docs',
      lead: 'What is allowed and what is not. Anything not listed is forbidden until clarified.',
      wording: RULES_WORDING,
    },
  ),
  examples: [{ name: 'rules', input: {}, output: usageRules(EXAMPLE_ABOUT) }],
});
