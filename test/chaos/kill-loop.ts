// npm run kill-loop -- --rounds 1000 [--engine sqlite|postgres|postgres-3|postgres-forward|all] [--seed N]: one JSON line per engine.
import { hasPostgres } from '../support/databases.ts';
import { killLoop, killLoopArguments } from './kills.ts';

const { targets, rounds, seed } = killLoopArguments();
const SHOWN_SENTENCES = 20;
/** What the service promises of a restart. */
const READY_MS = 2_000;

for (const target of targets) {
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
