// Quality of the sanctions matcher: labelled pairs, mangled listed names, innocents and other scripts.
//   npm run -s eval:sanctions -- [--data <directory with namepairs/ and lists/>] [--names 2000] [--misses <set>] [--write]
// Without a directory an invented list is used. --write keeps the figures that the service shows. Held out: every third pair, every second entity, another seed.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { SanctionsList } from '#screening/fsf-list.ts';
import { MATCHER_VERSION, PAIR_THRESHOLD, SCREEN_THRESHOLD } from '#screening/name-score.ts';
import { matchPair } from '#screening/pair-score.ts';
import { screen, type ScreeningList, screeningList } from '#screening/screening-list.ts';
import { labelledPairs, type LabelledPair, publicLists } from './sanctions-data.ts';
import * as names from './sanctions-names.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    names: { type: 'string', default: '2000' },
    misses: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    threshold: { type: 'string', default: String(SCREEN_THRESHOLD) },
  },
});
const count = Number(values.names);
const threshold = Number(values.threshold);
/** What `GET /v1/sanctions/quality` shows. */
const RESULT_FILE = new URL('../../src/areas/verdicts/sanctions-quality.json', import.meta.url);
const SEEDS = { tuned: 11, held_out: 7_919 } as const;
type Part = keyof typeof SEEDS;

function pairFigures(pairs: readonly LabelledPair[]) {
  const figures = { pairs: pairs.length, true_hits: 0, misses: 0, false_hits: 0 };
  for (const { left, right, isMatch } of pairs) {
    const isHit = matchPair(left, right).score >= PAIR_THRESHOLD;
    if (isMatch) figures[isHit ? 'true_hits' : 'misses'] += 1;
    else if (isHit) figures.false_hits += 1;
  }
  const { true_hits, misses, false_hits } = figures;
  return {
    ...figures,
    precision: share(true_hits, true_hits + false_hits),
    recall: share(true_hits, true_hits + misses),
    f1: share(2 * true_hits, 2 * true_hits + misses + false_hits),
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}

interface Query {
  readonly text: string;
  readonly id: string;
  readonly kind: string;
}

/** Queries that must find the entity they were made from; every second entity belongs to each part. */
function queriesFrom(
  list: SanctionsList,
  part: Part,
  make: (name: string, dice: names.Dice) => { text: string; kind: string } | undefined,
): Query[] {
  const dice = new names.Dice(SEEDS[part]);
  const parity = part === 'tuned' ? 0 : 1;
  const queries: Query[] = [];
  const entities = list.entities.filter((_, at) => at % 2 === parity);
  for (let turn = 0; queries.length < count && turn < count * 60; turn += 1) {
    const entity = dice.of(entities);
    const strong = entity.names.filter(({ isWeak, name }) => !isWeak && name.split(' ').length > 1);
    if (strong.length === 0) continue;
    const made = make(dice.of(strong).name, dice);
    if (made !== undefined) queries.push({ ...made, id: entity.id });
  }
  return queries;
}

const ARABIC_NAME =
  /\b(?:mu?o?hamm?[ae]d|ahm[ae]d|abd\w*|ali|hass?an|huss?[ae][iy]n|khal[ie]d|ibrahim|omar|umar|yusuf|salih|saleh|al|bin|abu)\b/i;
const RUSSIAN_NAME = /(?:ov|ev|ova|eva|sky|skiy|skii|enko|vich|yn|in)\b/i;

function recall(list: ScreeningList, queries: readonly Query[], set: string) {
  let found = 0;
  const byKind = new Map<string, [number, number]>();
  for (const { text, id, kind } of queries) {
    const isFound = screen(list, text, threshold).some(({ entity }) => entity.id === id);
    const tally = byKind.get(kind) ?? [0, 0];
    byKind.set(kind, [tally[0] + (isFound ? 1 : 0), tally[1] + 1]);
    if (isFound) found += 1;
    else if (values.misses === set)
      console.error('missed', kind, text, id, listed.entities.find((one) => one.id === id)?.names[0]?.name);
  }
  return {
    queries: queries.length,
    recall: share(found, queries.length),
    by_kind: Object.fromEntries([...byKind].map(([kind, [hit, all]]) => [kind, share(hit, all)])),
  };
}

function falseHits(list: ScreeningList, make: (dice: names.Dice) => string, part: Part, set: string) {
  const dice = new names.Dice(SEEDS[part] + 1);
  let hits = 0;
  for (let turn = 0; turn < count; turn += 1) {
    const name = make(dice);
    const candidates = screen(list, name, threshold);
    if (candidates.length > 0) hits += 1;
    if (candidates.length > 0 && values.misses === set)
      console.error('false', name, candidates[0]?.listedName, candidates[0]?.score);
  }
  return share(hits, count);
}

const INNOCENTS: Readonly<Record<string, (dice: names.Dice) => string>> = {
  us: (dice) => names.innocent(names.US, dice),
  global_latin: (dice) => names.innocent(dice.of(names.GLOBAL), dice),
  arabic: (dice) => names.innocent(names.ARABIC_INNOCENT, dice),
  cyrillic: (dice) => names.innocent(names.CYRILLIC_INNOCENT, dice),
  greek: (dice) => names.innocent(names.GREEK_INNOCENT, dice),
  hebrew: (dice) => names.innocent(names.HEBREW_INNOCENT, dice),
  han: (dice) => names.innocent(names.HAN_INNOCENT, dice, ''),
  hangul: (dice) => names.innocent(names.HANGUL_INNOCENT, dice, ''),
};

const QUERIES: Readonly<
  Record<string, (name: string, dice: names.Dice) => { text: string; kind: string } | undefined>
> = {
  mangled: names.mangled,
  cyrillic: (name) =>
    RUSSIAN_NAME.test(name) && !/\d/.test(name) ? { text: names.inCyrillic(name), kind: 'cyrillic' } : undefined,
  arabic: (name, dice) =>
    ARABIC_NAME.test(name) && !/\d/.test(name) && name.split(' ').length <= 5
      ? { text: names.inArabic(name, dice), kind: 'arabic' }
      : undefined,
};

const source = values.data === '' ? undefined : publicLists(values.data);
const listed = source ?? names.fictionalList(6_000, 3);
const list = screeningList(listed);
const pairs = values.data === '' ? [] : labelledPairs(values.data);
const report = Object.fromEntries(
  (['tuned', 'held_out'] as const).map((part) => {
    const own = pairs.filter((_, at) => (at % 3 === 2) === (part === 'held_out'));
    return [
      part,
      {
        pairs: own.length === 0 ? null : pairFigures(own),
        recall: Object.fromEntries(
          Object.entries(QUERIES).map(([set, make]) => [set, recall(list, queriesFrom(listed, part, make), set)]),
        ),
        false_hits: Object.fromEntries(
          Object.entries(INNOCENTS).map(([set, make]) => [set, falseHits(list, make, part, set)]),
        ),
      },
    ];
  }),
);

const percent = (value: number) => `${(value * 100).toFixed(2)} %`.padStart(9);
for (const [part, { pairs: pair, recall: found, false_hits: innocents }] of Object.entries(report)) {
  console.log(
    `\n${part} (list: ${source === undefined ? 'invented' : 'public'}, ${list.nameCount} names, threshold ${threshold})`,
  );
  if (pair !== null)
    console.log(
      `  pairs            F1 ${pair.f1}  P ${pair.precision}  R ${pair.recall}  of ${pair.pairs} at ${PAIR_THRESHOLD}`,
    );
  for (const [set, figures] of Object.entries(found)) {
    console.log(`  recall ${set.padEnd(10)}${percent(figures.recall)} of ${figures.queries}`);
    if (set === 'mangled')
      for (const [kind, value] of Object.entries(figures.by_kind))
        console.log(`    ${kind.padEnd(16)}${percent(value)}`);
  }
  for (const [set, value] of Object.entries(innocents)) console.log(`  false hits ${set.padEnd(13)}${percent(value)}`);
}
const figures = {
  matcher_version: MATCHER_VERSION,
  pair_threshold: PAIR_THRESHOLD,
  screen_threshold: threshold,
  list: {
    source: source === undefined ? 'invented' : 'UN consolidated list and OFAC SDN list',
    entities: listed.entities.length,
    names: list.nameCount,
    sha256: createHash('sha256').update(JSON.stringify(listed)).digest('hex'),
  },
  parts: Object.entries(report).map(([part, { pairs: pair, recall: found, false_hits: innocents }]) => ({
    part,
    pairs: pair && { count: pair.pairs, precision: pair.precision, recall: pair.recall, f1: pair.f1 },
    recall: Object.entries(found).map(([set, { queries, recall: value }]) => ({ set, queries, recall: value })),
    false_hits: Object.entries(innocents).map(([set, value]) => ({ set, queries: count, false_hits: value })),
  })),
};
console.log(JSON.stringify({ eval: 'sanctions', ...figures }));
if (values.write) writeFileSync(RESULT_FILE, `${JSON.stringify(figures, null, 2)}\n`);
