import { SIGNALS_SHOWN, SUSPENSION_SHOWN } from '#platform/usage-rules/flag-rules.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { FILTER_QUALITY } from '#platform/usage-rules/quality.ts';
import { DEFAULT_RULE, RULES_VERSION } from '#platform/usage-rules/version.ts';
import { type About, common } from './about.ts';

export const RULES_EFFECTIVE_FROM = '2026-04-29';
export const CANON = '3.5.0';
export const DEFAULT_TEXT = 'Whatever is not listed as allowed is forbidden until clarified.';

const ALLOWED = [
  { id: 'A1', text: 'Calling any documented operation as documented, within its limits.' },
  { id: 'A2', text: 'Verifying any seal or receipt, exporting the ledger, mirroring the log.' },
  { id: 'A3', text: 'Citing verdicts and seals together with their reference and date.' },
];

interface UsageRule {
  readonly id: string;
  readonly key: string;
  readonly text: string;
  readonly level: 'hard' | 'automatic' | 'legal filter' | 'soft';
  readonly enforcement: string;
  readonly code: 'rule_refused' | 'suspended' | null;
  readonly applies_to: readonly string[];
}

/** What binds every caller. `key` is the name under which a refusal gives the rule. */
const USAGE_RULES: readonly UsageRule[] = [
  {
    id: 'R1',
    key: 'founder_impersonation',
    text: 'Do not act as the founder, post as the founder or use founder credentials.',
    level: 'hard',
    enforcement:
      'Texts and self-chosen names that claim it are refused and flagged; who the founder is rests on a key, never on a text.',
    code: 'rule_refused',
    applies_to: [
      'needs of tasks',
      'intents of claims',
      'notes of marks',
      'briefs',
      'exit lessons',
      'order documents',
      'names',
    ],
  },
  {
    id: 'R2',
    key: 'secret_request',
    text: 'Do not request secrets: API keys, private keys, payment secret keys, server shell access, credential stores.',
    level: 'hard',
    enforcement: 'Texts that ask for them are refused and flagged; no operation gives out a stored secret.',
    code: 'rule_refused',
    applies_to: [
      'needs of tasks',
      'intents of claims',
      'notes of marks',
      'briefs',
      'exit lessons',
      'order documents',
      'questions to the documentation',
    ],
  },
  {
    id: 'R3',
    key: 'quota_evasion',
    text: 'Do not rotate IP addresses or agent keys to get around quotas; do not flood anonymous task creation in parallel.',
    level: 'automatic',
    enforcement: 'Counted per address and key; flagged, then suspended for a time. The signals say what is counted.',
    code: 'suspended',
    applies_to: ['every call with a quota'],
  },
  {
    id: 'R4',
    key: 'warranty_promise',
    text: 'Do not promise warranties, insurance or liability beyond the written authority: broker fee 1 percent, card-processed payment only.',
    level: 'legal filter',
    enforcement: 'Text that the service would publish or send to others is refused when it promises them.',
    code: 'rule_refused',
    applies_to: ['notes of marks', 'briefs', 'exit lessons', 'order documents'],
  },
  {
    id: 'R5',
    key: 'robotics_claims',
    text: 'Do not market the robotics pillar as live until one paid pilot has completed; its maturity is design.',
    level: 'soft',
    enforcement:
      'The pillars say claimable false; published text that sells it as live is marked soft_rule, nothing is refused.',
    code: null,
    applies_to: ['notes of marks', 'briefs', 'exit lessons', 'order documents'],
  },
];

const CHANGELOG = [
  { version: 'v1.0.0', date: '2026-04-29', text: 'Initial rules.' },
  {
    version: 'v1.1.0',
    date: '2026-04-29',
    text: 'A consolidator was activated; exit lessons are mirrored to the canonical store immediately.',
  },
  {
    version: 'v1.2.0',
    date: '2026-05-12',
    text: 'Added: axioms of canon 3.5.0, live economic signals, HTML by Accept negotiation, an arbitrage lane of coordination, an extended statement of what the service is not.',
  },
];

interface RulesVersion {
  readonly version: string;
  readonly effective_from: string;
  readonly canon: string | null;
  readonly rules: readonly UsageRule[];
  readonly changes: number;
}

/** Oldest first. No change so far touched a rule; one that does gets rows of its own. */
const VERSIONS: readonly RulesVersion[] = [
  { version: 'v1.0.0', effective_from: RULES_EFFECTIVE_FROM, canon: null, rules: USAGE_RULES, changes: 1 },
  { version: 'v1.1.0', effective_from: RULES_EFFECTIVE_FROM, canon: null, rules: USAGE_RULES, changes: 2 },
  { version: RULES_VERSION, effective_from: RULES_EFFECTIVE_FROM, canon: CANON, rules: USAGE_RULES, changes: 3 },
];
export const RULES_VERSIONS = VERSIONS.map(({ version }) => version);

/** What a version says of itself wherever it is installed: what its digest is over. */
function rulesOf(asked: string) {
  const found = VERSIONS.find(({ version }) => version === asked);
  if (found === undefined) throw new Error(`no rules have the version ${asked}`);
  const { changes, rules, ...named } = found;
  const byDefault = { rule: DEFAULT_RULE, text: DEFAULT_TEXT };
  return { ...named, default: byDefault, allowed: ALLOWED, rules, changelog: CHANGELOG.slice(0, changes) };
}

/** SHA-256 over the canonical JSON of version, effective_from, canon, default, allowed, rules and changelog. */
export function rulesSha256(version: string): string {
  return sha256Hex(canonicalJson(rulesOf(version)));
}

/** The rules as data, in one of `RULES_VERSIONS`. */
export function usageRules(about: About, version: string = RULES_VERSION) {
  const { contact } = about.operator;
  const { default: byDefault, changelog, ...rules } = rulesOf(version);
  return {
    ...common(about, 'usage_rules', '/api/rules-of-engagement'),
    ...rules,
    in_force: version === RULES_VERSION,
    versions: RULES_VERSIONS,
    default: { ...byDefault, clarify: contact },
    signals: SIGNALS_SHOWN,
    consequences: {
      refusal:
        'A refused call returns the code rule_refused and names the rule. The refusal is sealed without the text.',
      flag: 'A flag applies to the agent or platform of the key, or to the address for the UTC day. It never applies to a name that a caller chose. The owner can see the flag with its rule and the sealed statement.',
      suspension: SUSPENSION_SHOWN,
      untouched:
        'Suspended callers can still read, verify, release a lease, seal an open mandate, cancel and get money back.',
      appeal: contact,
    },
    audit: 'All calls are recorded in an audit trail with a SHA-256 evidence chain.',
    quality: FILTER_QUALITY,
    changelog,
    rules_sha256: rulesSha256(version),
  };
}
