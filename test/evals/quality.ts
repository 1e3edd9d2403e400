// The figures of the frozen sets: measured, compared with those that are published, or written anew.
//   npm run -s eval:quality -- [--write] [--only rules,lint,retrieval,names] [--data <directory of registers>]
// Names are screened against the public lists of the directory; without it only pairs of names are measured.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type QualityFigures, qualityTables } from './quality-tables.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FROZEN = 'test/evals/frozen';
const PUBLISHED = join(ROOT, 'src/platform/quality/published.json');
const PAGE = join(ROOT, 'docs/quality.md');
const [FROM, TO] = ['<!-- figures -->', '<!-- end of figures -->'];

type Json = Record<string, unknown>;

/** The last line that an evaluation prints. */
function evaluated(script: string, args: readonly string[]): Json {
  const said = execFileSync(process.execPath, [`test/evals/${script}.ts`, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(said.trim().split('\n').at(-1) ?? '') as Json;
}

function digestOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(ROOT, file)))
    .digest('hex');
}

function picked(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

const EVALUATIONS: Readonly<Record<string, (data: string) => { files: readonly string[]; figures: Json } | undefined>> =
  {
    rules: () => {
      const file = `${FROZEN}/rules.json`;
      const said = evaluated('rules', ['--set', file]);
      const figures = picked(said, ['harmful', 'caught', 'caught_share', 'harmless', 'refused', 'refused_share']);
      return { files: [file], figures };
    },
    lint: () => {
      const file = `${FROZEN}/lint.json`;
      const said = evaluated('lint', ['--texts', file])['lint'] as { texts: number; without_goal: Json };
      return {
        files: [file],
        figures: { texts: said.texts, ...picked(said.without_goal, ['f1', 'precision', 'recall']) },
      };
    },
    retrieval: () => {
      const file = `${FROZEN}/retrieval.json`;
      const said = evaluated('retrieval', ['--set', file])['all'] as Json;
      const names = [
        'questions',
        'answerable',
        'right',
        'wrong',
        'invented',
        'answered_right',
        'wrong_answers',
        'sure',
      ];
      return { files: [file], figures: picked(said, [...names, 'sure_right']) };
    },
    names: (data) => {
      const own = ['names-pairs.json', 'names-maghreb.json', 'names-pakistan.json', 'names-mangler.mjs'];
      const [pairs = '', maghreb = '', pakistan = '', mangler = ''] = own.map((name) => `${FROZEN}/${name}`);
      if (!existsSync(data)) return undefined;
      const files = ['--pairs', pairs, '--mangler', mangler, '--names', maghreb, '--names', pakistan];
      const said = evaluated('sanctions', ['--data', data, '--skip-generated', ...files]);
      return { files: [pairs, maghreb, pakistan, mangler], figures: namesFigures(said) };
    },
  };

function namesFigures(said: Json): Json {
  const { pairs, manglers, names, originals, public_pairs } = said['files'] as {
    pairs: Json[];
    manglers: { queries: number; recall: number; by_kind: Json }[];
    names: { queries: number; false_hits: number }[];
    originals: Record<string, { queries: number; recall: number }>;
    public_pairs: Json | null;
  };
  const [own = {}] = pairs;
  const [mangled] = manglers;
  const [maghreb, pakistan] = names;
  return {
    list: said['list'],
    matcher_version: said['matcher_version'],
    pairs: picked(own, ['pairs', 'f1', 'precision', 'recall']),
    public_pairs: public_pairs && picked(public_pairs, ['pairs', 'f1', 'precision', 'recall']),
    originals: Object.fromEntries(
      Object.entries(originals).map(([kind, one]) => [kind, { queries: one.queries, recall: one.recall }]),
    ),
    mangled,
    false_hits: { maghreb, pakistan },
  };
}

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(EVALUATIONS).join(',') },
    data: { type: 'string', default: join(ROOT, '../shared/data/registers') },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
});
const published = (existsSync(PUBLISHED) ? JSON.parse(readFileSync(PUBLISHED, 'utf8')) : {}) as QualityFigures;
const measured: Record<string, QualityFigures[string]> = {};
const differences: string[] = [];
for (const name of values.only.split(',')) {
  const found = EVALUATIONS[name]?.(values.data);
  if (found === undefined) continue;
  const sets = found.files.map((file) => ({ file, sha256: digestOf(file) }));
  const { [name]: known } = published;
  const isSame = JSON.stringify([known?.sets, known?.figures]) === JSON.stringify([sets, found.figures]);
  if (!isSame) differences.push(name);
  measured[name] = { measured_on: isSame && known !== undefined ? known.measured_on : values.date, sets, ...found };
}
for (const one of Object.values(measured)) delete (one as { files?: unknown }).files;
if (values.write) {
  const figures = { ...published, ...measured };
  writeFileSync(PUBLISHED, `${JSON.stringify(figures, null, 2)}\n`);
  const page = readFileSync(PAGE, 'utf8');
  const [head = '', rest = ''] = page.split(FROM);
  writeFileSync(PAGE, `${head}${FROM}\n\n${qualityTables(figures)}\n${TO}${rest.split(TO)[1] ?? ''}`);
} else if (differences.length > 0) {
  console.error(`not as published: ${differences.join(', ')}`);
  process.exitCode = 1;
}
console.log(JSON.stringify({ eval: 'quality', differences, measured }));
