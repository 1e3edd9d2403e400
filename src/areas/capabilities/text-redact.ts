import { z } from 'zod';
import { defineCapability, unitsOf } from './capability.ts';
import { PERSONAL } from './finders.ts';

const KINDS = ['iban', 'bsn', 'card', 'email', 'phone', 'plate', 'ip', 'name'] as const;
type Kind = (typeof KINDS)[number];
/** Where two kinds meet, the one that is surer of itself is taken. */
const ORDER = ['email', 'iban', 'card', 'ip', 'bsn', 'phone', 'plate'] as const;

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
  const add = (start: number, end: number, kind: Kind) => {
    if (isTaken.subarray(start, end).includes(1)) return;
    isTaken.fill(1, start, end);
    taken.push({ start, end, kind });
  };
  for (const kind of ORDER) {
    if (kinds.includes(kind)) for (const { start, end } of PERSONAL[kind](text)) add(start, end, kind);
  }
  for (const name of names ?? []) for (const start of placesOf(name, text)) add(start, start + name.length, 'name');
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

function placesOf(name: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) places.push(at);
  return places;
}

const Names = z.object({ names: z.array(z.string()).max(10_000) });

export const textRedact = defineCapability({
  id: 'text.redact',
  title: 'Redact personal data',
  what: 'Replaces account numbers, citizen numbers, cards, addresses and plates that pass their own checks; names only by a model, otherwise they are listed in not_covered.',
  input,
  output,
  unit: '10k chars',
  units: ({ text }) => unitsOf(text.length, 10_000),
  embedded: { run: (given) => redacted(given, null) },
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
