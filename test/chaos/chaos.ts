// npm run chaos -- --seconds 600 [--seed N] [--restarts | --rolling | --failover | --backup | --upgrade DIR]: kills under mixed load, one
// JSON line. --upgrade names the checkout of an earlier release, whose processes are replaced one by one.
import { parseArgs } from 'node:util';
import { chaos, type Phase } from './mixed-load.ts';
import { newSeed } from '../support/random.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(newSeed()) },
    restarts: { type: 'boolean', default: false },
    rolling: { type: 'boolean', default: false },
    failover: { type: 'boolean', default: false },
    backup: { type: 'boolean', default: false },
    upgrade: { type: 'string' },
  },
});
for (const name of ['seconds', 'seed'] as const) {
  if (!/^\d{1,10}$/.test(values[name])) throw new Error(`--${name} is a whole number`);
}
/** How long it may take until writes are acknowledged again, on a quiet machine. */
const BACK_WITHIN_MS: Readonly<Partial<Record<Phase, number>>> = { restarts: 3_000, failover: 10_000 };
const strikes = {
  kills: { kills: Infinity, databaseRestarts: 10 },
  restarts: { kills: 0, databaseRestarts: 10 },
  rolling: { kills: 0, databaseRestarts: 0 },
  failover: { kills: 0, databaseRestarts: 1 },
  backup: { kills: 0, databaseRestarts: 0 },
  upgrade: { kills: 0, databaseRestarts: 0 },
};
const PHASES = ['restarts', 'rolling', 'failover', 'backup', 'upgrade'] as const;
const phase = PHASES.find((name) => values[name]) ?? 'kills';
const seconds = Number(values.seconds);
const from = values.upgrade === undefined ? {} : { from: values.upgrade };
const report = await chaos({ phase, seconds, seed: Number(values.seed), ...strikes[phase], ...from });
if (report === undefined) throw new Error('no PostgreSQL here that can do this');
const { max: recoveredMs } = report.recovery_ms;
const late = recoveredMs > (BACK_WITHIN_MS[phase] ?? Infinity) ? [`writes came back after ${recoveredMs} ms`] : [];
const violations = [...report.violations, ...late];
console.log(JSON.stringify({ ...report, violations }));
if (violations.length + report.other_errors.length > 0) process.exitCode = 1;
