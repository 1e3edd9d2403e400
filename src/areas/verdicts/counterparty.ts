import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { comparableName } from '#protocol/identifiers/company.ts';
import type { Insolvency } from '#platform/registers/cir.ts';
import type { DutchCompany } from '#platform/registers/kvk.ts';
import type { RegisterOutcome, Unavailable } from '#platform/registers/outcome.ts';
import type { VatAnswer } from '#platform/registers/vies.ts';
import { noAnswer } from './no-answer.ts';
import {
  type Judged,
  origin,
  raisedFlags,
  type RegisterFinding,
  type Seen,
  seenOf,
  timeToMs,
  verdictMembers,
  type VerdictQuestion,
} from './verdict.ts';

const COUNTERPARTY_FLAGS = [
  ...(['REGISTRY_NOT_FOUND', 'REGISTRY_NOT_ACTIVE', 'VAT_NOT_VALID', 'VAT_CHECKSUM_MISMATCH'] as const),
  ...([
    'SANCTIONS_CANDIDATES',
    'SANCTIONS_LIST_OLD',
    'SANCTIONS_SCRIPT_NOT_READ',
    'INSOLVENCY_ACTIVE',
    'INSOLVENCY_ENDED',
    'NAME_MISMATCH',
  ] as const),
] as const;
type Flag = (typeof COUNTERPARTY_FLAGS)[number];

const known = z.boolean().nullable();
const status = z.enum(['ANSWERED', 'NOT_ASKED', 'UNAVAILABLE', 'UNDETERMINED']);

/** Verdicts only: no name, address or number of a register. */
export const CounterpartyResult = z.strictObject({
  status: z.enum(['NO_OPEN_QUESTIONS', 'OPEN_QUESTIONS', 'FLAGS_RAISED']),
  flags: z.array(z.enum(COUNTERPARTY_FLAGS)),
  registry: z.strictObject({ status, active_registration: known, name_match: known }),
  vat: z.strictObject({ status, valid: known, name_match: known }),
  sanctions: z.strictObject({
    status,
    hit_count: z.int().nullable(),
    list_generated: z.iso.date().nullable().meta({ description: "The list's date of issue." }),
    list_loaded_at: timeToMs.nullable().meta({ description: 'When Avouch loaded the list that was searched.' }),
  }),
  insolvency: z.strictObject({
    status,
    found: known,
    state: z.enum(['NONE', 'ACTIVE', 'ENDED', 'UNDETERMINED']).nullable(),
  }),
  ...verdictMembers,
});

interface SanctionsScreening extends Omit<Seen, 'register'> {
  readonly kind: 'answered';
  readonly hitCount: number;
  readonly hasUnreadLetters: boolean;
  /** ISO 8601 calendar date. */
  readonly listGenerated: string;
  readonly listAgeHours: number;
}

/** What each part of the check found out. */
export interface CounterpartyFacts {
  readonly companyName: string | null;
  /** `untied`: the register answered, but not about one company of exactly the name given. */
  readonly registry:
    | 'not_asked'
    | { readonly kind: 'untied'; readonly answer: RegisterFinding<unknown> }
    | RegisterOutcome<DutchCompany>;
  readonly vat: 'not_asked' | { readonly checkDigits: 'ok' | 'failed'; readonly outcome: RegisterOutcome<VatAnswer> };
  readonly sanctions: 'not_asked' | 'no_name' | Unavailable | SanctionsScreening;
  readonly insolvency: 'not_asked' | RegisterOutcome<Insolvency>;
}

const OLD_LIST_HOURS = 48;

/** What to verify, by flag and by open part. */
const TEXTS = {
  REGISTRY_NOT_FOUND: ['registry', 'The commercial register has no such company. Ask the company for its number.'],
  REGISTRY_NOT_ACTIVE: ['registry', 'The company is no longer registered. Ask who replaces it.'],
  VAT_NOT_VALID: ['vat', 'VIES says that the VAT number is not valid. Ask for another one before you invoice.'],
  VAT_CHECKSUM_MISMATCH: ['vat', 'The check digits of the VAT number are wrong. Check for a typo.'],
  SANCTIONS_CANDIDATES: ['sanctions', 'Possible match only. Stop and verify with date of birth or identity number.'],
  SANCTIONS_LIST_OLD: ['sanctions', 'The list is older than two days. Screen again when it has been updated.'],
  SANCTIONS_SCRIPT_NOT_READ: [
    'sanctions',
    'The matcher cannot read some letters of the name well enough. Screen the name in Latin letters too.',
  ],
  INSOLVENCY_ACTIVE: ['insolvency', 'An insolvency case is open. Deal only with the trustee.'],
  INSOLVENCY_ENDED: ['insolvency', 'An insolvency case has ended. Ask how it ended.'],
  NAME_MISMATCH: ['registry', 'The name you gave is not a name of the registered company. Ask which one is right.'],
  REGISTRY_NAME_AMBIGUOUS: ['registry', "No single company has exactly this name. Give the company's number."],
  REGISTRY_UNDETERMINED: [
    'registry',
    "The check did not query whether the registration is active. Use the paid check with the company's number.",
  ],
  SANCTIONS_NO_NAME: ['sanctions', 'There is no name to screen. Give the name of the company.'],
  INSOLVENCY_UNDETERMINED: [
    'insolvency',
    'It is not clear whether the insolvency case is still open. Look it up in the register.',
  ],
} as const;
type QuestionCode = keyof typeof TEXTS;

/** The register of each part. */
const REGISTERS = { registry: 'kvk', vat: 'vies', sanctions: 'eu_fsf', insolvency: 'cir' } as const;

interface Section<T> {
  readonly shown: T;
  readonly flags: Readonly<Partial<Record<Flag, boolean>>>;
  /** Why the section is open. */
  readonly open?: VerdictQuestion;
  readonly seen?: Seen;
}
type Shown<K extends 'registry' | 'vat' | 'sanctions' | 'insolvency'> = z.output<typeof CounterpartyResult>[K];

/** True when every part that was asked is out of order: there is no verdict then, and nothing is charged. */
export function isWithoutAnswer({ registry, vat, sanctions, insolvency }: CounterpartyFacts): boolean {
  const asked = [registry, vat === 'not_asked' ? vat : vat.outcome, sanctions, insolvency].filter(
    (part) => part !== 'not_asked' && part !== 'no_name',
  );
  return asked.every((part) => typeof part !== 'string' && part.kind === 'unavailable');
}

/** Needs at least one part that answered. A part that did not answer always leaves a question open. */
export function judgeCounterparty(facts: CounterpartyFacts, judged: Judged): z.output<typeof CounterpartyResult> {
  const sections = {
    registry: registrySection(facts),
    vat: vatSection(facts),
    sanctions: sanctionsSection(facts),
    insolvency: insolvencySection(facts),
  };
  const all: readonly Section<unknown>[] = Object.values(sections);
  const flags = raisedFlags<Flag>(mergedFlags(all));
  const questions = [...flags.map(questionOf), ...all.flatMap(({ open }) => open ?? [])];
  return {
    status: flags.length > 0 ? 'FLAGS_RAISED' : questions.length > 0 ? 'OPEN_QUESTIONS' : 'NO_OPEN_QUESTIONS',
    flags,
    registry: sections.registry.shown,
    vat: sections.vat.shown,
    sanctions: sections.sanctions.shown,
    insolvency: sections.insolvency.shown,
    open_questions: questions,
    ...origin(
      all.flatMap(({ seen }) => seen ?? []),
      judged,
    ),
  };
}

function mergedFlags(sections: readonly Section<unknown>[]): Record<Flag, boolean> {
  const isRaised = (flag: Flag) => sections.some(({ flags }) => flags[flag] === true);
  return Object.fromEntries(COUNTERPARTY_FLAGS.map((flag) => [flag, isRaised(flag)])) as Record<Flag, boolean>;
}

function questionOf(code: QuestionCode): VerdictQuestion {
  const [section, text] = TEXTS[code];
  return { code, section, text };
}

/** The question that a part leaves open whose register gave nothing. */
function unanswered(section: keyof typeof REGISTERS, outcome: Unavailable): VerdictQuestion {
  const { what, advice } = noAnswer(REGISTERS[section], outcome);
  return { code: `${section.toUpperCase()}_UNAVAILABLE`, section, text: `${what} ${advice}` };
}

function registrySection({ registry, companyName }: CounterpartyFacts): Section<Shown<'registry'>> {
  const nothing = { active_registration: null, name_match: null };
  if (registry === 'not_asked') return { shown: { status: 'NOT_ASKED', ...nothing }, flags: {} };
  if (registry.kind === 'untied') {
    const seen = seenOf('kvk', registry.answer);
    return {
      shown: { status: 'UNDETERMINED', ...nothing },
      flags: {},
      open: questionOf('REGISTRY_NAME_AMBIGUOUS'),
      seen,
    };
  }
  if (registry.kind === 'unavailable') {
    return { shown: { status: 'UNAVAILABLE', ...nothing }, flags: {}, open: unanswered('registry', registry) };
  }
  const seen = seenOf('kvk', registry);
  if (registry.kind === 'not_found') {
    const shown = { status: 'ANSWERED', active_registration: false, name_match: null } as const;
    return { shown, flags: { REGISTRY_NOT_FOUND: true }, seen };
  }
  const { active, names } = registry.value;
  if (active === null) {
    return {
      shown: { status: 'UNDETERMINED', ...nothing },
      flags: {},
      open: questionOf('REGISTRY_UNDETERMINED'),
      seen,
    };
  }
  const match = nameMatch(companyName, names);
  const shown = { status: 'ANSWERED', active_registration: active, name_match: match } as const;
  return { shown, flags: { REGISTRY_NOT_ACTIVE: !active, NAME_MISMATCH: match === false }, seen };
}

function vatSection({ vat, companyName }: CounterpartyFacts): Section<Shown<'vat'>> {
  const nothing = { valid: null, name_match: null };
  if (vat === 'not_asked') return { shown: { status: 'NOT_ASKED', ...nothing }, flags: {} };
  const { outcome, checkDigits } = vat;
  const flags = { VAT_CHECKSUM_MISMATCH: checkDigits === 'failed' };
  if (outcome.kind === 'unavailable') {
    return { shown: { status: 'UNAVAILABLE', ...nothing }, flags, open: unanswered('vat', outcome) };
  }
  if (outcome.kind === 'not_found') throw new Error('VIES has no "not found"');
  const { valid, name } = outcome.value;
  const match = name === null ? null : nameMatch(companyName, [name]);
  return {
    shown: { status: 'ANSWERED', valid, name_match: match },
    flags: { ...flags, VAT_NOT_VALID: !valid, NAME_MISMATCH: match === false },
    seen: seenOf('vies', outcome),
  };
}

function sanctionsSection({ sanctions }: CounterpartyFacts): Section<Shown<'sanctions'>> {
  const nothing = { hit_count: null, list_generated: null, list_loaded_at: null };
  if (sanctions === 'not_asked') return { shown: { status: 'NOT_ASKED', ...nothing }, flags: {} };
  if (sanctions === 'no_name')
    return { shown: { status: 'NOT_ASKED', ...nothing }, flags: {}, open: questionOf('SANCTIONS_NO_NAME') };
  if (sanctions.kind === 'unavailable') {
    return { shown: { status: 'UNAVAILABLE', ...nothing }, flags: {}, open: unanswered('sanctions', sanctions) };
  }
  const { hitCount, hasUnreadLetters, listGenerated, listAgeHours, source, observedAtMs, registerCode } = sanctions;
  // No hit of a name that was not read says nothing: it must not look like none.
  const isUndetermined = hasUnreadLetters && hitCount === 0;
  return {
    shown: {
      status: isUndetermined ? 'UNDETERMINED' : 'ANSWERED',
      hit_count: isUndetermined ? null : hitCount,
      list_generated: listGenerated,
      list_loaded_at: isoTime(observedAtMs),
    },
    flags: {
      SANCTIONS_CANDIDATES: hitCount > 0,
      SANCTIONS_LIST_OLD: listAgeHours > OLD_LIST_HOURS,
      SANCTIONS_SCRIPT_NOT_READ: hasUnreadLetters,
    },
    seen: { register: 'eu_fsf', source, observedAtMs, registerCode },
  };
}

function insolvencySection({ insolvency }: CounterpartyFacts): Section<Shown<'insolvency'>> {
  const nothing = { found: null, state: null };
  if (insolvency === 'not_asked') return { shown: { status: 'NOT_ASKED', ...nothing }, flags: {} };
  if (insolvency.kind === 'unavailable') {
    return { shown: { status: 'UNAVAILABLE', ...nothing }, flags: {}, open: unanswered('insolvency', insolvency) };
  }
  const seen = seenOf('cir', insolvency);
  if (insolvency.kind === 'not_found') {
    return { shown: { status: 'ANSWERED', found: false, state: 'NONE' }, flags: {}, seen };
  }
  const { state } = insolvency.value;
  return {
    shown: { status: 'ANSWERED', found: true, state },
    flags: { INSOLVENCY_ACTIVE: state === 'ACTIVE', INSOLVENCY_ENDED: state === 'ENDED' },
    ...(state === 'UNDETERMINED' && { open: questionOf('INSOLVENCY_UNDETERMINED') }),
    seen,
  };
}

function nameMatch(asked: string | null, names: readonly string[]): boolean | null {
  if (asked === null || names.length === 0) return null;
  return names.some((name) => comparableName(name) === comparableName(asked));
}
