// node scripts/compare-benches.ts <commit> [--rounds 5] [bench ...]: benches of a commit and of the working tree in turns, so
// that what else the machine does meets both. A line of JSON for each figure of each bench: the median of either side, and
// the ratio of the working tree to the commit. Nothing else may run beside it.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout } from './checkout.ts';

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const [commit, ...named] = positionals;
if (commit === undefined) throw new Error('name the commit to compare with');
const benches = named.length === 0 ? ['store', 'mandates', 'seal', 'wallet'] : named;

type Figures = ReadonlyMap<string, number>;

/** The figures of the last line that a bench prints, by their place in it. */
function run(root: string, bench: string): Figures {
  const printed = execFileSync(process.execPath, [join(root, `bench/${bench}.ts`), '--rounds', '2'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const figures = new Map<string, number>();
  const take = (value: unknown, place: string): void => {
    if (typeof value === 'number') figures.set(place, value);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) take(inner, place === '' ? name : `${place}.${name}`);
    }
  };
  take(JSON.parse(printed.trim().split('\n').at(-1) ?? '{}'), '');
  return figures;
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

await using stack = new AsyncDisposableStack();
const sides = { before: await checkout(commit, stack), after: await checkout(undefined, stack) };
for (const bench of benches) {
  const seen = { before: [] as Figures[], after: [] as Figures[] };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    // Who is first changes: what one run leaves behind must not always meet the same side.
    const order = round % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const);
    for (const side of order) seen[side].push(run(sides[side], bench));
  }
  for (const figure of seen.after[0]?.keys() ?? []) {
    const of = (side: 'before' | 'after') => median(seen[side].flatMap((figures) => figures.get(figure) ?? []));
    const [before, after] = [of('before'), of('after')];
    const ratio = Math.round((after / before) * 1_000) / 1_000;
    process.stdout.write(`${JSON.stringify({ bench, figure, before, after, ratio })}\n`);
  }
}
