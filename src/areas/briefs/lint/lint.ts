import { lazily } from '#kernel/lazily.ts';
import type { z } from 'zod';
import { cleanLines } from '#kernel/foreign-text.ts';
import type { CardField } from '../card.ts';
import { MAX_QUESTIONS, PROTOCOL, QUESTION_ORDER } from '../clarity.ts';
import { askingLanguage, languageOf } from './language.ts';
import { compilePattern, endOfMatch, hasWordsOf, type Pattern } from './lint-pattern.ts';
import { placeIn } from './lint-places.ts';
import { statedResult } from './lint-results.ts';
import { readBriefText, type ReadText } from './lint-text.ts';
import { type LintToken, type Sentence, type Tokens, tokensOf } from './lint-tokens.ts';
import { ACCEPTANCE_SIGNALS } from './signals/acceptance.ts';
import { BOUNDARY_SIGNALS } from './signals/boundaries.ts';
import { HANDOVER_SIGNALS } from './signals/handover.ts';
import { TASK_SIGNALS } from './signals/task.ts';
import { TERM_SIGNALS } from './signals/terms.ts';
import { ASKS, ASKS_LEAVE, ORDERS_IN_DOUBT, REQUEST_VERBS, REQUESTED } from './signals/words.ts';
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
const MAX_DOUBT_WORDS = 12;
/** Normalising can make a text many times longer; what is behind this is not read. */
const MAX_READ_LENGTH = 16_384;

const SIGNALS: Readonly<Record<CardField, readonly string[]>> = {
  ...TASK_SIGNALS,
  ...ACCEPTANCE_SIGNALS,
  ...BOUNDARY_SIGNALS,
  ...HANDOVER_SIGNALS,
  ...TERM_SIGNALS,
};

interface Signal {
  /** Its place among all signals. */
  readonly id: number;
  readonly element: CardField;
  readonly pattern: Pattern;
}

/** A question may name these too. */
const FOUND_IN_QUESTIONS: ReadonlySet<CardField> = new Set(['goal', 'inputs']);
const NO_SIGNALS: readonly Signal[] = [];
const [UNKNOWN, TRIED_ONCE, GOOD, NONE] = [0, 1, 2, 3] as const;

const signals = lazily(compiledSignals);

/** The signals by the words that they can begin with, and how many they are. */
function compiledSignals() {
  const byFirstWord = new Map<string, Signal[]>();
  let count = 0;
  for (const element of LINT_ELEMENTS) {
    for (const pattern of SIGNALS[element].map(compilePattern)) {
      const signal: Signal = { id: count, element, pattern };
      count += 1;
      for (const word of pattern.parts[0]?.words ?? []) {
        const known = byFirstWord.get(word);
        if (known === undefined) byFirstWord.set(word, [signal]);
        else known.push(signal);
      }
    }
  }
  return { byFirstWord, ofNames: byFirstWord.get('<name>') ?? NO_SIGNALS, count };
}

/** What seems to state each element: the first signal of each in a text that `cleanLines` gave. */
export function findElements(text: string): Spans {
  const read = readBriefText(text);
  const found: Spans = new Map();
  const words = tokensOf(text, read.lines);
  const asking = words.sentences.map((sentence) => onlyAsks(words, sentence));
  const vocabulary = new Set(words.tokens.map(({ word }) => word));
  const { byFirstWord, ofNames, count } = signals();
  const chances = new Uint8Array(count);
  const look = (begun: readonly Signal[], at: number, { from, sentence }: LintToken) => {
    for (const { id, element, pattern } of begun) {
      if (found.has(element)) continue;
      // A signal that begins often but lacks a word in the whole text is not tried each time.
      const chance = chances[id] ?? UNKNOWN;
      if (chance === NONE) continue;
      if (chance === TRIED_ONCE && !hasWordsOf(pattern, vocabulary)) {
        chances[id] = NONE;
        continue;
      }
      chances[id] = chance === UNKNOWN ? TRIED_ONCE : GOOD;
      if (asking[sentence] === true && !pattern.isInLabel && !FOUND_IN_QUESTIONS.has(element)) continue;
      const end = endOfMatch(pattern, words, at);
      if (end !== -1) found.set(element, [from, (words.tokens[end] as LintToken).to]);
    }
  };
  words.tokens.forEach((token, at) => {
    const begun = byFirstWord.get(token.word);
    if (begun !== undefined) look(begun, at, token);
    if (token.isName) look(ofNames, at, token);
  });
  for (const [element, span] of besideWords(read)) {
    if (span !== undefined && !found.has(element)) found.set(element, span);
  }
  for (const [element, findIn] of IN_SENTENCES) {
    const span = found.has(element) ? undefined : findIn(words);
    if (span !== undefined) found.set(element, span);
  }
  // Who says what the result must be like wants it.
  const result = found.get('acceptance');
  if (result !== undefined && !found.has('goal')) found.set('goal', result);
  return found;
}

/** True for a question that wants to know something; a request in the form of a question is none. */
function onlyAsks({ tokens }: Tokens, { from, isQuestion }: Sentence): boolean {
  const [first = '', second = '', third = ''] = [0, 1, 2].map((step) => tokens[from + step]?.word ?? '');
  if (!isQuestion || !ASKS.has(first)) return false;
  return !REQUEST_VERBS.has(first) || !REQUESTED.has(second) || ASKS_LEAVE.has(third);
}

/** A short question of the worker, put by the writer and answered with an order: `Missing context? Leave it out.` */
function answeredDoubt({ tokens, sentences }: Tokens): Span | undefined {
  for (const [at, { from, to, isQuestion }] of sentences.entries()) {
    const next = sentences[at + 1];
    if (!isQuestion || next === undefined || to - from > MAX_DOUBT_WORDS || ASKS.has(tokens[from]?.word ?? ''))
      continue;
    const answer = tokens[next.from] as LintToken;
    if (ORDERS_IN_DOUBT.has(answer.word) && tokens[from]?.isHeading === false) {
      return [tokens[from].from, answer.to];
    }
  }
  return undefined;
}

/** Signals in how sentences follow one another. */
const IN_SENTENCES: readonly (readonly [CardField, (words: Tokens) => Span | undefined])[] = [
  ['acceptance', statedResult],
  ['if_unclear', answeredDoubt],
];

/** Signals that are no words: paths, links, code and check boxes. */
function besideWords({ lines, things }: ReadText): [CardField, Span | undefined][] {
  return [
    ['target', placeIn(lines)],
    ['inputs', things.get('link') ?? things.get('code_block')],
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
      ? 'Found by signals in the words, not by understanding them. Judge by the words that matched.'
      : 'Signals exist only for English and Dutch, and this text seems to be in another language.',
  };
}

function shown(text: string, [from, to]: Span): string {
  return Array.from(text.slice(from, to)).slice(0, MAX_MATCHED_CHARACTERS).join('').trim();
}
