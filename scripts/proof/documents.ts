// docs/reliability.md and docs/performance.md from what was measured, what misses its target first.
import { existsSync, readFileSync } from 'node:fs';
import { BENCH_ROWS } from './bench-rows.ts';
import { FAULT_ROWS } from './fault-rows.ts';
import { type Proof, proofReadingOf, type ProofRow, type RunResult } from './row.ts';

export const ROWS: readonly ProofRow[] = [...FAULT_ROWS, ...BENCH_ROWS];
export const PROOF_FILE = new URL('../../docs/proof.json', import.meta.url);

const PAGES = {
  reliability: {
    title: 'Reliability',
    rows: FAULT_ROWS,
    intro:
      'What happens to the service when things around it go wrong, each row by a command that anybody can run. Not covered: loss of\npower of a real machine.',
  },
  performance: {
    title: 'Performance',
    rows: BENCH_ROWS,
    intro:
      'Each bench prints one line of JSON; contenders take turns in short windows, medians are shown. Trust the ratios: rates and\nlatencies depend on the machine and on what else it does (load average beside each row).',
  },
} as const;

export function readProof(): Proof {
  return existsSync(PROOF_FILE)
    ? (JSON.parse(readFileSync(PROOF_FILE, 'utf8')) as Proof)
    : { machine: {}, results: {} };
}

export function proofDocuments(proof: Proof): Record<string, string> {
  return Object.fromEntries(
    Object.entries(PAGES).map(([name, page]) => [`docs/${name}.md`, pageOf(name, page, proof)]),
  );
}

function pageOf(name: string, { title, rows, intro }: (typeof PAGES)[keyof typeof PAGES], proof: Proof): string {
  const ran = rows.flatMap((row) => {
    const result = proof.results[row.id];
    return result === undefined ? [] : [{ row, result, ...proofReadingOf(row, result) }];
  });
  const notRun = rows.filter(({ id }) => !(id in proof.results));
  const table = (met: boolean) => [
    '| id | what | target | figure | size | load average | command |',
    '|---|---|---|---|---|---|---|',
    ...ran.filter((one) => one.met === met).map(({ row, result, figure }) => tableLine(row, result, figure)),
  ];
  const sections = [
    ['## Targets missed', ran.some(({ met }) => !met) ? table(false).join('\n') : 'None.'],
    ['## Targets met', ran.some(({ met }) => met) ? table(true).join('\n') : 'None.'],
    ['## Not run', notRun.length === 0 ? 'None.' : notRun.map(notRunLine).join('\n')],
    ...ran.flatMap(({ row, result }) => {
      const [heading, ...lines] = row.peers?.(result.lines) ?? [];
      if (heading === undefined || lines.length === 0) return [];
      const cells = [heading, heading.map(() => '---'), ...lines];
      return [[`## Side by side: ${row.what}`, cells.map((line) => `| ${line.join(' | ')} |`).join('\n')]];
    }),
  ];
  const machine = Object.entries(proof.machine).map(([fact, value]) => `${fact} ${value}`);
  const head = `# ${title}

Generated from \`docs/proof.json\` by \`node scripts/prove.ts --documents-only\`; texts lie in \`docs/partials/\`. \`npm run prove\` runs every
row one after another, \`npm run prove -- --rows a,b --scale 0.1\` some of them with a tenth of their sizes.

${intro}

Machine: ${machine.length === 0 ? 'not recorded' : machine.join('; ')}.`;
  const partial = new URL(`../../docs/partials/${name}.md`, import.meta.url);
  const text = existsSync(partial) ? [readFileSync(partial, 'utf8').trimEnd()] : [];
  return `${[head, ...sections.map((parts) => parts.join('\n\n')), ...text].join('\n\n')}\n`;
}

function tableLine({ id, what, target }: ProofRow, result: RunResult, figure: string): string {
  const size = result.scale === 1 ? 'full' : String(result.scale);
  const command = `\`node ${result.command.join(' ')}\``;
  const load = result.load.map((one) => one.toFixed(1)).join(' to ');
  return `| ${[id, what, target, figure, size, load, command].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function notRunLine({ id, what, target, command }: ProofRow): string {
  return `- ${id}: ${what} (target: ${target}): not run; \`node ${command(String).join(' ')}\``;
}
