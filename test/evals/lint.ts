// Quality of the brief lint: precision and recall of each element on labelled texts.
//   npm run -s eval:lint -- [--texts <file like test/vectors/brief-lint.json>] [--misses development|held_out]
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type CardField } from '#areas/briefs/card.ts';
import { findElements, LINT_ELEMENTS } from '#areas/briefs/lint/lint.ts';
import { cleanLines } from '#kernel/foreign-text.ts';

interface Labelled {
  readonly id: string;
  readonly part: string;
  readonly stated: readonly CardField[];
  readonly text: string;
}

const { values } = parseArgs({ options: { texts: { type: 'string' }, misses: { type: 'string', default: '' } } });
const file = values.texts ?? new URL('../vectors/brief-lint.json', import.meta.url);
const { texts } = JSON.parse(await readFile(file, 'utf8')) as { texts: Labelled[] };

interface Tally {
  hits: number;
  misses: number;
  falseHits: number;
}

function figures({ hits, misses, falseHits }: Tally) {
  const share = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 1_000) / 1_000);
  return {
    stated: hits + misses,
    precision: share(hits, hits + falseHits),
    recall: share(hits, hits + misses),
    f1: share(2 * hits, 2 * hits + misses + falseHits),
  };
}

function judge(part: string, labelled: readonly Labelled[]) {
  const tallies = new Map<CardField, Tally>(
    LINT_ELEMENTS.map((element) => [element, { hits: 0, misses: 0, falseHits: 0 }]),
  );
  for (const { id, stated, text } of labelled) {
    const clean = cleanLines(text, 16_384);
    const found = findElements(clean);
    for (const [element, tally] of tallies) {
      const span = found.get(element);
      const isStated = stated.includes(element);
      if (isStated && span !== undefined) tally.hits += 1;
      else if (isStated) tally.misses += 1;
      else if (span !== undefined) tally.falseHits += 1;
      if (isStated !== (span !== undefined) && values.misses === part) {
        console.error(id, isStated ? 'missed' : 'false', element, span === undefined ? '' : clean.slice(...span));
      }
    }
  }
  // Nearly every text has a goal, so it would only flatter the sum.
  const sum = { hits: 0, misses: 0, falseHits: 0 };
  for (const [element, tally] of tallies) {
    if (element === 'goal') continue;
    sum.hits += tally.hits;
    sum.misses += tally.misses;
    sum.falseHits += tally.falseHits;
  }
  const rows = [...tallies].map(([element, tally]) => [element, figures(tally)] as const);
  return { texts: labelled.length, without_goal: figures(sum), elements: Object.fromEntries(rows) };
}

const report = Object.fromEntries(
  [...Map.groupBy(texts, ({ part }) => part)].map(([part, labelled]) => [part, judge(part, labelled)]),
);
for (const [part, { texts: count, without_goal: all, elements }] of Object.entries(report)) {
  console.log(`\n${part}: ${count} texts; without goal F1 ${all.f1}, precision ${all.precision}, recall ${all.recall}`);
  for (const [element, { stated, precision, recall, f1 }] of Object.entries(elements)) {
    const [p, r, f] = [precision, recall, f1].map((value) => String(value ?? '-').padEnd(6));
    console.log(`  ${element.padEnd(14)} stated ${String(stated).padStart(3)}  P ${p} R ${r} F1 ${f}`);
  }
}
console.log(JSON.stringify({ eval: 'lint', ...report }));
