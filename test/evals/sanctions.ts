// Quality of the sanctions matcher: labelled pairs, mangled listed names, innocents and other scripts.
//   npm run -s eval:sanctions -- [--data <directory with namepairs/, original-scripts/ and lists/>] [--count 2000]
//     [--pairs <file of pairs>] [--mangler <module>] [--names <file of innocents>]... [--skip-generated] [--misses <set>]
// Without a directory an invented list is used. Held out: every third pair, every second entity, another seed.
// Files: {pairs: [{id, class, query, listed, same}]}; a module with mangle(name, kind, random) and KINDS; {names: [...]}.
// Sets for --misses: public_pairs, pairs, original_person, original_entity, mangler, names, or one of the generated ones.
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
import { mangledBy, namesOfFile, originalNames, pairsOfFile, partOf } from './sanctions-files.ts';
import { fictionalList } from './sanctions-names.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    count: { type: 'string', default: '2000' },
    pairs: { type: 'string', multiple: true, default: [] },
    mangler: { type: 'string', multiple: true, default: [] },
    names: { type: 'string', multiple: true, default: [] },
    'skip-generated': { type: 'boolean', default: false },
    misses: { type: 'string', default: '' },
    threshold: { type: 'string', default: String(SCREEN_THRESHOLD) },
  },
});
const count = Number(values.count);
const threshold = Number(values.threshold);
const SEEDS = { tuned: 11, held_out: 7_919 } as const;
type Part = keyof typeof SEEDS;

const isShown = (set: string) => set !== '' && (values.misses === set || values.misses === 'all');

function pairFigures(pairs: readonly LabelledPair[], set: string) {
  const figures = { pairs: pairs.length, true_hits: 0, misses: 0, false_hits: 0 };
  const wrongByClass: Record<string, number> = {};
  for (const { left, right, isMatch, group } of pairs) {
    const { score } = matchPair(left, right);
    const isHit = score >= PAIR_THRESHOLD;
    if (isMatch) figures[isHit ? 'true_hits' : 'misses'] += 1;
    else if (isHit) figures.false_hits += 1;
    if (isHit === isMatch) continue;
    wrongByClass[group] = (wrongByClass[group] ?? 0) + 1;
    if (isShown(set)) console.error(isMatch ? 'missed' : 'false', group, `${left} | ${right}`, score);
  }
  const { true_hits, misses, false_hits } = figures;
  return {
    ...figures,
    precision: shareOf(true_hits, true_hits + false_hits),
    recall: shareOf(true_hits, true_hits + misses),
    f1: shareOf(2 * true_hits, 2 * true_hits + misses + false_hits),
    wrong_by_class: wrongByClass,
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
    else if (isShown(set))
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
    if (candidates.length > 0 && isShown(set))
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
        pairs: own.length === 0 ? null : pairFigures(own, 'public_pairs'),
        recall: Object.fromEntries(
          Object.entries(values['skip-generated'] ? {} : LISTED_SETS).map(([set, changed]) => {
            const queries = listedQueries(entitiesOf(listed, part), changed, new Dice(SEEDS[part]), count);
            return [set, recall(list, queries, set)];
          }),
        ),
        false_hits: Object.fromEntries(
          Object.entries(values['skip-generated'] ? {} : INNOCENT_SETS).map(([set, make]) => {
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

const MANGLER_SEED = 20_261;
const PER_KIND = 300;
const originals = source === undefined ? new Map<string, ListedQuery[]>() : originalNames(values.data, source);
const manglers = [];
for (const file of values.mangler)
  manglers.push({ file, ...recall(list, await mangledBy(file, listed, MANGLER_SEED, PER_KIND), 'mangler') });
const files = {
  public_pairs: pairs.length === 0 ? null : pairFigures(pairs, ''),
  originals: Object.fromEntries(
    [...originals].map(([set, queries]) => [set, recall(list, queries, `original_${set}`)]),
  ),
  pairs: values.pairs.map((file) => {
    const own = pairsOfFile(file);
    const part = (name: string) =>
      pairFigures(
        own.filter(({ id }) => partOf(id) === name),
        '',
      ).f1;
    return { file, ...pairFigures(own, 'pairs'), f1_seen: part('seen'), f1_unseen: part('unseen') };
  }),
  manglers,
  names: values.names.map((file) => ({ file, ...falseHits(list, namesOfFile(file), 'names') })),
};
console.log(`\nfiles`);
if (files.public_pairs !== null)
  console.log(`  public pairs, all    F1 ${files.public_pairs.f1} of ${files.public_pairs.pairs}`);
for (const [set, { recall: value, queries, by_kind }] of Object.entries(files.originals))
  console.log(`  original ${set.padEnd(10)}${percent(value)} of ${queries} ${JSON.stringify(by_kind)}`);
for (const one of files.pairs)
  console.log(
    `  pairs F1 ${one.f1} P ${one.precision} R ${one.recall} (seen ${one.f1_seen}, unseen ${one.f1_unseen}) of ${one.pairs}`,
    one.wrong_by_class,
  );
for (const one of files.manglers) {
  console.log(`  mangler ${percent(one.recall)} of ${one.queries}`);
  for (const [kind, value] of Object.entries(one.by_kind)) console.log(`    ${kind.padEnd(20)}${percent(value)}`);
}
for (const one of files.names) console.log(`  false hits${percent(one.false_hits)} of ${one.queries} in ${one.file}`);
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
  files,
};
console.log(JSON.stringify({ eval: 'sanctions', ...figures }));
