// Writes docs/reliability.md and docs/performance.md from the measured results, missed targets first.
import { existsSync, readFileSync } from 'node:fs';
import { BENCH_ROWS } from './bench-rows.ts';
import { CAUSES } from './causes.ts';
import { FAULT_ROWS } from './fault-rows.ts';
import { type Proof, type ProofReading, proofReadingOf, type ProofRow, type RunResult } from './row.ts';

export const ROWS: readonly ProofRow[] = [...FAULT_ROWS, ...BENCH_ROWS];
export const PROOF_FILE = new URL('../../docs/proof.json', import.meta.url);

const PAGES = {
  reliability: {
    title: 'Reliability',
    summary: 'What happens when processes, databases, networks, disks and clocks fail, with the command for each test.',
    order: 26,
    rows: FAULT_ROWS,
    example: 'npm run prove -- --rows kills,chaos --scale 0.1',
    intro:
      'For operators and reviewers. Each row is a fault test that anyone can run with the command shown. Power loss of a real machine is not\ncovered.',
  },
  performance: {
    title: 'Performance',
    summary: 'Measured speed against targets and peers, with the command for each figure.',
    order: 27,
    rows: BENCH_ROWS,
    example: 'npm run prove -- --rows start,scale',
    intro:
      'For operators and reviewers. Each bench prints one line of JSON. Contenders take turns in short windows, and medians are shown. Trust the\nratios: rates and latencies depend on the machine and its load.',
  },
} as const;

export function readProof(): Proof {
  return existsSync(PROOF_FILE)
    ? (JSON.parse(readFileSync(PROOF_FILE, 'utf8')) as Proof)
    : { machines: {}, results: {} };
}

export function proofDocuments(proof: Proof): Record<string, string> {
  return Object.fromEntries(
    Object.entries(PAGES).map(([name, page]) => [`docs/${name}.md`, pageOf(name, page, proof)]),
  );
}

function pageOf(name: string, page: (typeof PAGES)[keyof typeof PAGES], proof: Proof): string {
  const { title, summary, order, rows, example, intro } = page;
  const ran = rows.flatMap((row) => {
    const result = proof.results[row.id];
    return result === undefined ? [] : [{ row, result, ...proofReadingOf(row, result) }];
  });
  const notRun = rows.filter(({ id }) => !(id in proof.results));
  const table = (shown: typeof ran) => {
    if (shown.length === 0) return 'None.';
    const lines = shown.map(({ row, result, figure }) => tableLine(row, result, figure));
    const head = ['| id | what | target | figure | size | code | machine | load average | command |'];
    return [...head, '|---|---|---|---|---|---|---|---|---|', ...lines].join('\n');
  };
  const missed = ran.filter(({ met }) => !met);
  const good = ran.filter(({ met }) => met);
  const aimless = good.filter(({ row }) => row.target === null);
  const sections = [
    ['## Targets missed', table(missed)],
    ...(missed.length === 0 ? [] : [['### Why, and what would help', missed.map(causeLine).join('\n')]]),
    ['## Targets met', table(good.filter(({ row }) => row.target !== null))],
    ...(aimless.length === 0 ? [] : [['## Measured without a target', table(aimless)]]),
    ['## Not run', notRun.length === 0 ? 'None.' : notRun.map(notRunLine).join('\n')],
    ...ran.flatMap(({ row, result }) => {
      const [heading, ...lines] = row.peers?.(result.lines) ?? [];
      if (heading === undefined || lines.length === 0) return [];
      const cells = [heading, heading.map(() => '---'), ...lines];
      return [[`## Comparison: ${row.what}`, cells.map((line) => `| ${line.join(' | ')} |`).join('\n')]];
    }),
  ];
  const machines = Object.entries(proof.machines).map(
    ([machine, facts]) =>
      `- ${machine}: ${Object.entries(facts)
        .map(([fact, value]) => `${fact} ${value}`)
        .join('; ')}`,
  );
  const head = `---
title: ${title}
summary: ${summary}
group: Under the hood
order: ${order}
---
# ${title}

${intro}

\`\`\`sh
${example}
\`\`\`

This page is generated from \`docs/proof.json\` (\`node scripts/prove.ts --documents-only\`). \`npm run prove\` runs every row in turn.
\`--rows\` selects some, \`--scale 0.1\` runs them at a tenth of their size. Parts of one row on the same code add up. The column
"code" names the content of \`src/\` that was measured.

Machines:

${machines.length === 0 ? '- none' : machines.join('\n')}`;
  const partial = new URL(`../../docs/partials/${name}.md`, import.meta.url);
  const text = existsSync(partial) ? [readFileSync(partial, 'utf8').trimEnd()] : [];
  return `${[head, ...sections.map((parts) => parts.join('\n\n')), ...text].join('\n\n')}\n`;
}

function tableLine({ id, what, target }: ProofRow, result: RunResult, figure: string): string {
  const size = result.scale === 1 ? 'full' : String(result.scale);
  const command = `\`node ${result.command.join(' ')}\``;
  const load = result.load.map((one) => one.toFixed(1)).join(' to ');
  return `| ${[id, what, target ?? 'none', figure, size, result.source ?? 'earlier', result.machine, load, command].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function causeLine({ row: { id }, lacksOnlyParts }: { readonly row: ProofRow } & ProofReading): string {
  const cause = lacksOnlyParts === true ? 'met in the parts that were run.' : (CAUSES[id] ?? 'not analysed.');
  return `- **${id}**: ${cause}`;
}

function notRunLine({ id, what, target, command }: ProofRow): string {
  return `- ${id}: ${what} (target: ${target ?? 'none'}): not run; \`node ${command(String).join(' ')}\``;
}
