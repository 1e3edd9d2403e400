import type { z } from 'zod';
import { cleanLines } from '#kernel/foreign-text.ts';
import type { CardField } from '../card.ts';
import { MAX_QUESTIONS, PROTOCOL, QUESTION_ORDER } from '../clarity.ts';
import { askingLanguage, languageOf } from './language.ts';
import { compilePattern, endOfMatch, type Pattern } from './lint-pattern.ts';
import { placeIn } from './lint-places.ts';
import { TASK_SIGNALS } from './lint-signals-task.ts';
import { TERM_SIGNALS } from './lint-signals-terms.ts';
import { readBriefText, type ReadText } from './lint-text.ts';
import { type LintToken, tokensOf } from './lint-tokens.ts';
import type { LintAnswer } from '../outputs.ts';
import { QUESTIONS } from '../questions.ts';

export const LINT_ELEMENTS = [
  'goal',
  'acceptance',
  'target',
  'boundaries',
  'output',
  'inputs',
  'evaluator',
  'reward_usd',
  'expires_at',
  'if_unclear',
  'spend_cap_usd',
] as const satisfies readonly CardField[];

type Span = readonly [from: number, to: number];
type Spans = Map<CardField, Span>;

const MAX_MATCHED_CHARACTERS = 60;
/** Normalising can make a text many times longer; what is behind this is not read. */
const MAX_READ_LENGTH = 16_384;

const SIGNALS: Readonly<Record<CardField, readonly string[]>> = { ...TASK_SIGNALS, ...TERM_SIGNALS };

/** The signals by the words that they can begin with. */
const BY_FIRST_WORD = new Map<string, { readonly element: CardField; readonly pattern: Pattern }[]>();
for (const element of LINT_ELEMENTS) {
  for (const pattern of SIGNALS[element].map(compilePattern)) {
    for (const word of pattern.parts[0]?.words ?? []) {
      const known = BY_FIRST_WORD.get(word);
      if (known === undefined) BY_FIRST_WORD.set(word, [{ element, pattern }]);
      else known.push({ element, pattern });
    }
  }
}

/** What seems to state each element: the first signal of each in a text that `cleanLines` gave. */
export function findElements(text: string): Spans {
  const read = readBriefText(text);
  const found: Spans = new Map();
  const tokens = tokensOf(read.lines);
  tokens.forEach(({ word, from }, at) => {
    for (const { element, pattern } of BY_FIRST_WORD.get(word) ?? []) {
      if (found.has(element)) continue;
      const end = endOfMatch(pattern, tokens, at);
      if (end !== -1) found.set(element, [from, (tokens[end] as LintToken).to]);
    }
  });
  for (const [element, span] of besideWords(read)) {
    if (span !== undefined && !found.has(element)) found.set(element, span);
  }
  return found;
}

/** Signals that are no words: paths, links, code and check boxes. */
function besideWords({ lines, things }: ReadText): [CardField, Span | undefined][] {
  return [
    ['target', placeIn(lines)],
    ['inputs', things.get('link') ?? things.get('reference') ?? things.get('code_block')],
    ['acceptance', things.get('check_box')],
  ];
}

export function lintAnswer(given: string, acceptLanguage: string | undefined): z.output<typeof LintAnswer> {
  const text = cleanLines(given, MAX_READ_LENGTH);
  const { language: ofText, isSupported } = languageOf(text);
  const language = askingLanguage(acceptLanguage, ofText);
  const found = findElements(text);
  const missing = LINT_ELEMENTS.filter((element) => !found.has(element));
  const asked = QUESTION_ORDER.filter((element) => !found.has(element)).slice(0, MAX_QUESTIONS);
  return {
    protocol: PROTOCOL,
    heuristic: true,
    language,
    language_supported: isSupported,
    characters: Array.from(given).length,
    elements: LINT_ELEMENTS.map((element) => {
      const span = found.get(element);
      return {
        element,
        seems_stated: span !== undefined,
        untrusted_matched: span === undefined ? null : shown(text, span),
      };
    }),
    missing,
    questions: asked.map((element) => ({ element, text: QUESTIONS[language][element] })),
    note: isSupported
      ? 'Found by signals in the words, not by understanding them: judge by what was matched.'
      : 'Signals exist for English and Dutch only, and this text seems to be in another language.',
  };
}

function shown(text: string, [from, to]: Span): string {
  return Array.from(text.slice(from, to)).slice(0, MAX_MATCHED_CHARACTERS).join('').trim();
}
