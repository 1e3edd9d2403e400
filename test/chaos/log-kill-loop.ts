// npm run log-kill-loop -- --rounds 200 [--engine sqlite|postgres|postgres-3|all] [--seed N]: one JSON line per engine.
import { hasPostgres } from '../support/databases.ts';
import { killLoopArguments } from './kills.ts';
import { logKillLoop } from './log-kills.ts';

const SHOWN_SENTENCES = 20;
const { targets, rounds, seed } = killLoopArguments();

for (const target of targets) {
  if (target !== 'sqlite' && !(await hasPostgres())) {
    console.error(`${target}: no PostgreSQL server binaries here, left out`);
    continue;
  }
  const { violations, ...report } = await logKillLoop({ target, rounds, seed, isThorough: true });
  console.log(JSON.stringify({ ...report, violations: violations.length }));
  for (const sentence of violations.slice(0, SHOWN_SENTENCES)) console.error(sentence);
  if (violations.length > 0) process.exitCode = 1;
}
