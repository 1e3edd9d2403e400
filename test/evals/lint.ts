// Quality of the brief lint: precision and recall on labelled texts, by element, language and kind.
//   npm run -s eval:lint -- [--texts <file like test/vectors/brief-lint.json>] [--misses <part>]
// Texts that name no part are one part with the name of their file. `--misses` lists what is judged wrongly in a part.
import { readFile } from 'node:fs/promises';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type CardField } from '#areas/briefs/card.ts';
import { findElements, LINT_ELEMENTS } from '#areas/briefs/lint/lint.ts';
import { cleanLines } from '#kernel/foreign-text.ts';

interface Labelled {
  readonly id: string;
  readonly part?: string;
  readonly lang?: string;
  readonly kind?: string;
  readonly stated: readonly CardField[];
  readonly text: string;
}

const { values } = parseArgs({ options: { texts: { type: 'string' }, misses: { type: 'string', default: '' } } });
const file = values.texts ?? fileURLToPath(new URL('../vectors/brief-lint.json', import.meta.url));
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

class Tallies {
  readonly #byName = new Map<string, Tally>();

  count(name: string | undefined, isStated: boolean, isFound: boolean): void {
    if (name === undefined) return;
    const tally = this.#byName.get(name) ?? { hits: 0, misses: 0, falseHits: 0 };
    this.#byName.set(name, tally);
    if (isStated && isFound) tally.hits += 1;
    else if (isStated) tally.misses += 1;
    else if (isFound) tally.falseHits += 1;
  }

  figures() {
    return Object.fromEntries([...this.#byName].map(([name, tally]) => [name, figures(tally)]));
  }
}

function judge(part: string, labelled: readonly Labelled[]) {
  const [sum, elements, languages, kinds] = [new Tallies(), new Tallies(), new Tallies(), new Tallies()];
  for (const { id, lang, kind, stated, text } of labelled) {
    const clean = cleanLines(text, 16_384);
    const found = findElements(clean);
    for (const element of LINT_ELEMENTS) {
      const span = found.get(element);
      const isStated = stated.includes(element);
      const isFound = span !== undefined;
      elements.count(element, isStated, isFound);
      if (isStated !== isFound && values.misses === part) {
        console.log(id, isStated ? 'missed' : 'false', element, isFound ? JSON.stringify(clean.slice(...span)) : '');
      }
      // Nearly every text has a goal, so it would only flatter the sum.
      if (element === 'goal') continue;
      sum.count('all', isStated, isFound);
      languages.count(lang, isStated, isFound);
      kinds.count(kind, isStated, isFound);
    }
  }
  return {
    texts: labelled.length,
    without_goal: sum.figures()['all'] ?? null,
    elements: elements.figures(),
    languages: languages.figures(),
    kinds: kinds.figures(),
  };
}

const report = Object.fromEntries(
  [...Map.groupBy(texts, ({ part }) => part ?? parse(file).name)].map(([part, labelled]) => {
    return [part, judge(part, labelled)];
  }),
);
for (const [part, { texts: count, without_goal: all, elements, languages, kinds }] of Object.entries(report)) {
  console.log(
    `\n${part}: ${count} texts; without goal F1 ${all?.f1}, precision ${all?.precision}, recall ${all?.recall}`,
  );
  for (const [name, { stated, precision, recall, f1 }] of [elements, languages, kinds].flatMap(Object.entries)) {
    const [p, r, f] = [precision, recall, f1].map((value) => String(value ?? '-').padEnd(6));
    console.log(`  ${name.padEnd(14)} stated ${String(stated).padStart(3)}  P ${p} R ${r} F1 ${f}`);
  }
}
console.log(JSON.stringify({ eval: 'lint', ...report }));
