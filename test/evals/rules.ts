// Quality of the text filter of the usage rules: harmful texts that are caught, harmless ones that are refused.
//   npm run -s eval:rules -- [--set test/evals/development/rules.json] [--misses] [--part 0|1]
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { cleanText } from '#kernel/foreign-text.ts';
import { type BrokenRule, brokenRule, nameBreaksRule, PUBLISHED_RULES } from '#platform/usage-rules/hard-rules.ts';

interface Labelled {
  readonly id: string;
  readonly rule?: string;
  readonly near?: string | null;
  readonly lang: string;
  readonly where: 'text' | 'name';
  readonly style?: string;
  readonly text: string;
}

const KEYS: Readonly<Record<string, string>> = {
  R1: 'founder_impersonation',
  R2: 'secret_request',
  R4: 'warranty_promise',
};
const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'test/evals/development/rules.json' },
    misses: { type: 'boolean', default: false },
    // Seven tenths by a hash of the id are 0, to work with; the rest is 1, to watch.
    part: { type: 'string' },
  },
});
const { harmful, harmless } = JSON.parse(await readFile(values.set, 'utf8')) as Record<
  'harmful' | 'harmless',
  readonly Labelled[]
>;

function partOf(id: string): string {
  return (createHash('sha256').update(id).digest()[0] ?? 0) < 179 ? '0' : '1';
}

function judged({ where, text }: Labelled): BrokenRule | null {
  const clean = cleanText(text);
  return where === 'name' ? nameBreaksRule(clean) : brokenRule(clean, PUBLISHED_RULES);
}

const share = (part: number, whole: number) => Math.round((part / whole) * 1_000) / 1_000;

function tell(
  kind: string,
  rows: readonly (Labelled & { readonly isHit: boolean })[],
  by: readonly (keyof Labelled)[],
) {
  for (const member of by) {
    for (const [value, group = []] of Object.entries(Object.groupBy(rows, (row) => row[member] ?? 'none'))) {
      const hits = group.filter(({ isHit }) => isHit).length;
      console.log(`${kind} ${member} ${value}: ${hits} of ${group.length}, ${share(hits, group.length)}`);
    }
  }
}

const inPart = ({ id }: Labelled) => values.part === undefined || partOf(id) === values.part;
const caught = harmful.filter(inPart).map((row) => {
  const broken = judged(row);
  const isHit = broken !== null && broken.rule === KEYS[row.rule ?? ''];
  if (values.misses && !isHit)
    console.log('missed', row.id, row.rule, row.lang, row.style, broken?.rule ?? '-', '|', row.text);
  return { ...row, isHit, isRefused: broken !== null };
});
const refused = harmless.filter(inPart).map((row) => {
  const broken = judged(row);
  if (values.misses && broken !== null)
    console.log('refused', row.id, row.lang, broken.rule, `[${broken.words}]`, '|', row.text);
  return { ...row, isHit: broken !== null };
});
tell('caught', caught, ['rule', 'lang', 'style', 'where']);
tell('refused', refused, ['near', 'lang']);
const hits = (rows: readonly { readonly isHit: boolean }[]) => rows.filter(({ isHit }) => isHit).length;
console.log(
  JSON.stringify({
    eval: 'rules',
    harmful: caught.length,
    caught: hits(caught),
    caught_share: share(hits(caught), caught.length),
    refused_by_any_rule: share(caught.filter(({ isRefused }) => isRefused).length, caught.length),
    harmless: refused.length,
    refused: hits(refused),
    refused_share: share(hits(refused), refused.length),
  }),
);
