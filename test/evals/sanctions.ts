// Quality of the sanctions matcher: labelled pairs, mangled listed names, innocents and other scripts.
//   npm run -s eval:sanctions -- [--data <directory with namepairs/ and lists/>] [--names 2000] [--misses <set>]
// Without a directory an invented list is used. Held out: every third pair, every second entity, another seed.
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { SanctionsList } from '#platform/screening/fsf-list.ts';
import { MATCHER_VERSION, PAIR_THRESHOLD, SCREEN_THRESHOLD } from '#platform/screening/name-score.ts';
import { matchPair } from '#platform/screening/pair-score.ts';
import { Dice } from '#platform/screening/quality/common-names.ts';
import {
  INNOCENT_SETS,
  innocentNames,
  LISTED_SETS,
  listedQueries,
  type ListedQuery,
  shareOf,
} from '#platform/screening/quality/quality.ts';
import { screen, type ScreeningList, screeningList } from '#platform/screening/screening-list.ts';
import { type LabelledPair, labelledPairs, publicLists } from './sanctions-data.ts';
import { fictionalList } from './sanctions-names.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    names: { type: 'string', default: '2000' },
    misses: { type: 'string', default: '' },
    threshold: { type: 'string', default: String(SCREEN_THRESHOLD) },
  },
});
const count = Number(values.names);
const threshold = Number(values.threshold);
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
    precision: shareOf(true_hits, true_hits + false_hits),
    recall: shareOf(true_hits, true_hits + misses),
    f1: shareOf(2 * true_hits, 2 * true_hits + misses + false_hits),
  };
}

/** Every second entity belongs to each part. */
function entitiesOf(list: SanctionsList, part: Part) {
  return list.entities.filter((_, at) => at % 2 === (part === 'tuned' ? 0 : 1));
}

function recall(list: ScreeningList, queries: readonly ListedQuery[], set: string) {
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
    recall: shareOf(found, queries.length),
    by_kind: Object.fromEntries([...byKind].map(([kind, [hit, all]]) => [kind, shareOf(hit, all)])),
  };
}

function falseHits(list: ScreeningList, names: readonly string[], set: string) {
  let hits = 0;
  for (const name of names) {
    const candidates = screen(list, name, threshold);
    if (candidates.length > 0) hits += 1;
    if (candidates.length > 0 && values.misses === set)
      console.error('false', name, candidates[0]?.listedName, candidates[0]?.score);
  }
  return { queries: names.length, false_hits: shareOf(hits, names.length) };
}

const source = values.data === '' ? undefined : publicLists(values.data);
const listed = source ?? fictionalList(6_000, 3);
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
          Object.entries(LISTED_SETS).map(([set, changed]) => {
            const queries = listedQueries(entitiesOf(listed, part), changed, new Dice(SEEDS[part]), count);
            return [set, recall(list, queries, set)];
          }),
        ),
        false_hits: Object.fromEntries(
          Object.entries(INNOCENT_SETS).map(([set, make]) => {
            const innocents = innocentNames(make, new Dice(SEEDS[part] + 1), count);
            return [set, falseHits(list, innocents, set)];
          }),
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
  for (const [set, figures] of Object.entries(innocents))
    console.log(`  false hits ${set.padEnd(13)}${percent(figures.false_hits)} of ${figures.queries}`);
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
    false_hits: Object.entries(innocents).map(([set, value]) => ({ set, ...value })),
  })),
};
console.log(JSON.stringify({ eval: 'sanctions', ...figures }));
