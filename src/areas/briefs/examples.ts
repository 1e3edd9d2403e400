import { CARD_FIELDS } from './card.ts';
import { cardOf } from './brief.ts';
import { clarityOf } from './clarity.ts';
import { lintAnswer } from './lint/lint.ts';

const NOW_MS = Date.UTC(2026, 10, 15, 1);
const AT = '2026-11-15T01:00:00.000Z';
const BRIEF = 'brf_2q8v6m1c9x4t7k0d3f5g8h1j2k';
const LINK = `https://avouch.example/v1/brief/${BRIEF}`;

export const CARD = {
  goal: 'The CSV import accepts files with a byte order mark',
  acceptance: 'npm test passes and a file that begins with EF BB BF gives the same rows as one without it',
  target: 'src/import/csv-reader.ts',
  output: 'One pull request',
} as const;

const clarity = clarityOf(cardOf(CARD), NOW_MS, 'en');
const stored = { brief: BRIEF, link: LINK, key: 'https://github.com/acme/repo/issues/12', slots: 1 };
const texts = CARD_FIELDS.map((field) => [field, cardOf(CARD)[field] ?? null] as const);

export const CREATED_BRIEF = {
  ...clarity,
  ...stored,
  state: 'open' as const,
  token: 'vJ6vXcJp0m3zTt8l0T7hYw5a9b1c2d3e4f5g6h7i8j9',
  rev: 90213,
  at: AT,
};
export const BRIEF_INPUT = { ...CARD, key: 'acme/repo#12' };

export const OPENED = {
  ...clarity,
  ...stored,
  state: 'open' as const,
  card: { source: 'agent' as const, ...Object.fromEntries(texts) },
  light: {
    signal: 'GREEN' as const,
    reasons: [{ code: 'nothing_found', light: 'GREEN', text: 'nothing stands against it' }],
  },
  made_at: AT,
  changed_at: AT,
  closed_at: null,
  at: AT,
};
export const OPENED_INPUT = { brief: BRIEF };

export const CHECKED = { ...clarity, stored: false as const };

export const LINTED_INPUT = {
  text: 'Fix the CSV import in src/import/csv-reader.ts. Done when npm test passes. Please open a pull request.',
};
export const LINTED = lintAnswer(LINTED_INPUT.text, 'en');
