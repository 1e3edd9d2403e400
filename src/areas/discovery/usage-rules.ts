import { SIGNALS_SHOWN, SUSPENSION_SHOWN } from '#rules/flag-rules.ts';
import { RULES_VERSION } from '#rules/version.ts';
import { type About, common } from './about.ts';

export const RULES_EFFECTIVE_FROM = '2026-04-29';
export const CANON = '3.5.0';
export const DEFAULT_RULE = 'forbidden_until_clarified';
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
    applies_to: ['needs of tasks', 'intents', 'briefs', 'exit lessons', 'names'],
  },
  {
    id: 'R2',
    key: 'secret_request',
    text: 'Do not request secrets: API keys, private keys, payment secret keys, server shell access, credential stores.',
    level: 'hard',
    enforcement: 'Texts that ask for them are refused and flagged; no operation gives out a stored secret.',
    code: 'rule_refused',
    applies_to: ['needs of tasks', 'intents', 'briefs', 'exit lessons', 'questions'],
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
    applies_to: ['notes of marks', 'briefs', 'order documents', 'drafts that are sent out'],
  },
  {
    id: 'R5',
    key: 'robotics_claims',
    text: 'Do not market the robotics pillar as live until one paid pilot has completed; its maturity is design.',
    level: 'soft',
    enforcement: 'The pillars say claimable false; nothing is refused.',
    code: null,
    applies_to: ['published text'],
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

/** The rules as data. */
export function usageRules(about: About) {
  const { contact } = about.operator;
  return {
    ...common(about, 'usage_rules', '/api/rules-of-engagement'),
    version: RULES_VERSION,
    effective_from: RULES_EFFECTIVE_FROM,
    canon: CANON,
    default: { rule: DEFAULT_RULE, text: DEFAULT_TEXT, clarify: contact },
    allowed: ALLOWED,
    rules: USAGE_RULES,
    signals: SIGNALS_SHOWN,
    consequences: {
      refusal: 'A refused call has the code rule_refused and names the rule.',
      flag: 'A flag falls on the agent or platform of the key, or on the address for the UTC day; never on a name that a caller chose. Its owner is shown it with its rule and the sealed statement.',
      suspension: SUSPENSION_SHOWN,
      untouched:
        'Reading, verifying, releasing a lease, sealing an open mandate, cancelling and taking money back are never suspended.',
      appeal: contact,
    },
    audit: 'All calls are audit-logged with a sha256 evidence chain.',
    changelog: CHANGELOG,
  };
}
