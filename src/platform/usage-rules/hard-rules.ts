import { Refusal } from '#kernel/problem.ts';
import { ruleRefused } from './problems.ts';
import { type HardRule, SIGNALS, type Signals } from './rule-table.ts';
import { RULES_VERSION } from './version.ts';

/** What a text may not ask of this service. */
export const ASKING_RULES = ['secret_request', 'founder_impersonation'] as const;
/** What a text may not say that this service shows or sends to others. */
export const PUBLISHED_RULES = [...ASKING_RULES, 'warranty_promise'] as const;

/** Where a text breaks a rule: the caller's own words and their place in it. */
export interface BrokenRule {
  readonly rule: HardRule;
  readonly start: number;
  readonly end: number;
  readonly words: string;
}

const SENTENCE = /[^.!?;\n]+(?:[.!?;\n](?!\s|$)[^.!?;\n]*)*\??/gu;
const MAX_PIECE_LENGTH = 1_200;
const OVERLAP = 200;

/** The first of the rules that a cleaned text breaks, judged sentence by sentence; null when none. */
export function brokenRule(text: string, rules: readonly HardRule[]): BrokenRule | null {
  for (const signals of SIGNALS) {
    const found = rules.includes(signals.rule) ? signalIn(text, signals) : null;
    if (found !== null) return { rule: signals.rule, ...found };
  }
  return null;
}

/** Where a text gives one of these signals; null when nowhere. */
export function signalIn(text: string, signals: Signals): Omit<BrokenRule, 'rule'> | null {
  if (!signals.keyword.test(text)) return null;
  for (const { start, piece } of piecesOf(text)) {
    const found = matchIn(piece, signals);
    if (found === null) continue;
    const from = start + found.index;
    return { start: from, end: from + found[0].length, words: found[0] };
  }
  return null;
}

function matchIn(piece: string, { keyword, guard, patterns }: Signals): RegExpExecArray | null {
  if (!keyword.test(piece)) return null;
  for (const pattern of patterns) {
    const match = pattern.exec(piece);
    if (match !== null) return guard.test(piece) ? null : match;
  }
  return null;
}

/** Sentences; a long one in pieces that overlap, so that no cut hides what stands across it. */
function* piecesOf(text: string): Generator<{ readonly start: number; readonly piece: string }> {
  for (const { 0: sentence, index } of text.matchAll(SENTENCE)) {
    for (let at = 0; at === 0 || at + OVERLAP < sentence.length; at += MAX_PIECE_LENGTH - OVERLAP) {
      yield { start: index + at, piece: sentence.slice(at, at + MAX_PIECE_LENGTH) };
    }
  }
}

const FOUNDER_NAMES = new Set(['founder', 'founders', 'cofounder', 'oprichter', 'gründer', 'gründerin']);
const FILLING_WORDS = new Set(
  'the a your our real official original avouch agent bot ai mr ms mrs of by at de het van der die das von co'.split(
    ' ',
  ),
);

/** A name that poses as the founder: the word alone or with the name of the service, not of something else. */
export function nameBreaksRule(name: string): BrokenRule | null {
  const parts = name
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== '' && !FILLING_WORDS.has(part));
  if (parts.length === 0 || !parts.every((part) => FOUNDER_NAMES.has(part))) return null;
  return { rule: 'founder_impersonation', start: 0, end: name.length, words: name };
}

export function refuseByRule(
  field: string,
  broken: BrokenRule,
  members: Readonly<Record<string, string>> = {},
): Refusal {
  const { rule, start, end, words } = broken;
  return new Refusal(ruleRefused, {
    detail: 'a text of this call asks for what a usage rule forbids',
    members: { rule, matched: [{ field, start, end, words }], rules_version: RULES_VERSION, ...members },
  });
}
