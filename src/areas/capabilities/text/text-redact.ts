import { z } from 'zod';
import { defineCapability, unitsOf } from '../capability.ts';
import { emails } from './email.ts';
import { PERSONAL } from './finders.ts';
import type { Span } from '../heavy/heavy-tasks.ts';
import { ibans } from './iban.ts';
import { numbersAlone, numbersAmong } from './personal-numbers.ts';
import { visibleText } from '../web/visible-text.ts';

const KINDS = ['iban', 'bsn', 'card', 'email', 'phone', 'plate', 'ip', 'name'] as const;
type Kind = (typeof KINDS)[number];
type Finding = Span & { readonly kind: Kind };

const of =
  (kind: Kind, find: (shown: string) => readonly Span[]) =>
  (shown: string, kinds: readonly Kind[]): Finding[] =>
    kinds.includes(kind) ? find(shown).map(({ start, end }) => ({ start, end, kind })) : [];

/** Where two kinds meet, the one that is surer of itself is taken; later ones do not see what is taken. */
const FINDERS: readonly ((shown: string, kinds: readonly Kind[]) => readonly Finding[])[] = [
  of('email', emails),
  of('iban', ibans),
  numbersAlone,
  of('ip', PERSONAL.ip),
  numbersAmong,
  of('plate', PERSONAL.plate),
];
/** Takes the place of what is taken: no part of a word, a number or a gap. */
const TAKEN = '|';

const input = z.strictObject({
  text: z.string().min(1).max(200_000),
  kinds: z.array(z.enum(KINDS)).min(1).max(KINDS.length).optional(),
  replacement: z.enum(['tag', 'mask']).default('tag'),
});
const output = z.strictObject({
  text: z.string(),
  spans: z.array(z.strictObject({ start: z.int(), end: z.int(), kind: z.enum(KINDS) })),
  counts: z.record(z.string(), z.int()),
  not_covered: z.array(z.enum(KINDS)),
});
type Input = z.output<typeof input>;
type RedactedSpan = z.output<typeof output>['spans'][number];

function redacted({ text, kinds = [...KINDS], replacement }: Input, names: readonly string[] | null) {
  const taken: RedactedSpan[] = [];
  const isTaken = new Uint8Array(text.length);
  /** What of it is not taken yet: nothing may be left of a number that another one overlaps. */
  const add = ({ start, end }: Span, kind: Kind) => {
    for (let from = start; from < end; ) {
      if (isTaken[from] === 1) {
        from += 1;
        continue;
      }
      const free = isTaken.subarray(from, end).indexOf(1);
      const to = free < 0 ? end : from + free;
      if (WRITTEN.test(text.slice(from, to))) taken.push({ start: from, end: to, kind });
      isTaken.fill(1, from, to);
      from = to;
    }
  };
  const { shown: seen, placeOf } = visibleText(text);
  let left = seen;
  for (const find of FINDERS) {
    const found = find(left, kinds);
    for (const { start, end, kind } of found) add(placeOf({ start, end }), kind);
    left = without(left, found);
  }
  for (const name of names ?? []) {
    for (const start of placesOf(name, text)) add({ start, end: start + name.length }, 'name');
  }
  const spans = taken.toSorted((a, b) => a.start - b.start);
  let [shown, from] = ['', 0];
  for (const { start, end, kind } of spans) {
    shown += text.slice(from, start) + (replacement === 'tag' ? `[${kind.toUpperCase()}]` : '*'.repeat(end - start));
    from = end;
  }
  const counts: Partial<Record<Kind, number>> = {};
  for (const { kind } of spans) counts[kind] = (counts[kind] ?? 0) + 1;
  const not_covered: Kind[] = kinds.includes('name') && names === null ? ['name'] : [];
  return { text: shown + text.slice(from), spans, counts: counts as Record<string, number>, not_covered };
}

const WRITTEN = /[\p{L}\p{N}]/u;

function without(text: string, spans: readonly Span[]): string {
  let [rest, from] = ['', 0];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    const first = Math.max(start, from);
    rest += text.slice(from, first) + TAKEN.repeat(end - first);
    from = end;
  }
  return rest + text.slice(from);
}

function placesOf(name: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) places.push(at);
  return places;
}

const Names = z.object({ names: z.array(z.string()).max(10_000) });

export const textRedact = defineCapability({
  id: 'text.redact',
  title: 'Redact personal data',
  what: 'Replaces account numbers, citizen numbers, card numbers, addresses and plates that pass their validity checks. Names are replaced only with a model. Without one, not_covered lists them as not checked.',
  input,
  output,
  unit: '10k chars',
  units: ({ text }) => unitsOf(text.length, 10_000),
  embedded: { isSelfContained: true, run: (given) => redacted(given, null) },
  provider: {
    does: 'text',
    ask: ({ text }) => ({
      does: 'text',
      instructions: 'List every name of a natural person in the text, each exactly as it is written there.',
      prompt: text,
      schema: {
        type: 'object',
        properties: { names: { type: 'array', items: { type: 'string' } } },
        required: ['names'],
        additionalProperties: false,
      },
    }),
    read(given, answer) {
      const { names } = Names.parse(answer);
      const wanted = given.kinds?.includes('name') === false ? [] : names.map((name) => name.trim());
      return redacted(
        given,
        wanted.filter((name) => name.length >= 2).toSorted((a, b) => b.length - a.length),
      );
    },
  },
  example: {
    input: { text: 'Pay NL91 ABNA 0417 1643 00 and mail jan@shop.example.' },
    output: {
      text: 'Pay [IBAN] and mail [EMAIL].',
      spans: [
        { start: 4, end: 26, kind: 'iban' },
        { start: 36, end: 52, kind: 'email' },
      ],
      counts: { email: 1, iban: 1 },
      not_covered: ['name'],
    },
  },
});
