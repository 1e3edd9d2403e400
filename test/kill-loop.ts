// npm run kill-loop -- --rounds 1000 [--engine sqlite|postgres|postgres-3|all] [--seed N]: one JSON line per engine.
import { parseArgs } from 'node:util';
import { hasPostgres } from './_harness.ts';
import { KILL_TARGETS, type KillTarget, killLoop } from './_kill-loop.ts';
import { newSeed } from './_load.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    engine: { type: 'string', default: 'all' },
    seed: { type: 'string', default: String(newSeed()) },
  },
});
const rounds = wholeNumber('rounds', values.rounds);
const seed = wholeNumber('seed', values.seed);
const SHOWN_SENTENCES = 20;
/** What the service promises of a restart. */
const READY_MS = 2_000;

for (const target of targetsOf(values.engine)) {
  if (target !== 'sqlite' && !(await hasPostgres())) {
    console.error(`${target}: no PostgreSQL server binaries here, left out`);
    continue;
  }
  const { lost, duplicated, violations, readyMs, answers, ...report } = await killLoop({ target, rounds, seed });
  const counts = { lost: lost.length, duplicated: duplicated.length, violations: violations.length };
  const ready = { ready_p50_ms: readyMs.p50, ready_max_ms: readyMs.max, ready_in_time: readyMs.max < READY_MS };
  console.log(JSON.stringify({ ...report, ...counts, ...ready, answers }));
  const sentences = [...lost, ...duplicated, ...violations];
  for (const sentence of sentences.slice(0, SHOWN_SENTENCES)) console.error(sentence);
  if (sentences.length > 0) process.exitCode = 1;
}

function targetsOf(engine: string): readonly KillTarget[] {
  if (engine === 'all') return KILL_TARGETS;
  const found = KILL_TARGETS.filter((target) => target === engine);
  if (found.length === 0) throw new Error(`--engine is one of ${KILL_TARGETS.join(', ')}, all`);
  return found;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} is a whole number`);
  return Number(text);
}
