// npm run cluster -- --case kill|partition|alone|standby|freeze|latency|rolling|fork|proxy|all [--seconds N] [--seed N] [--allow-unsafe]
// [--logs directory]:
// three PostgreSQL nodes under Patroni in network namespaces, two services on them, faults under load; one JSON line each.
import { parseArgs } from 'node:util';
import { newSeed } from '../support/random.ts';
import { CASE_NAMES, CASES, type Case, type CaseName } from './cases.ts';
import { experiment } from './experiment.ts';
import { enterOwnNetwork, isUnsafeWithV3, whatIsMissing } from './packages.ts';

const { values } = parseArgs({
  options: {
    case: { type: 'string', default: 'all' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(newSeed()) },
    'allow-unsafe': { type: 'boolean', default: false },
    logs: { type: 'string' },
  },
});
for (const name of ['seconds', 'seed'] as const) {
  if (!/^\d{1,10}$/.test(values[name])) throw new Error(`--${name} is a whole number`);
}
const names = CASE_NAMES.filter((name) => values.case === 'all' || values.case === name);
if (names.length === 0) throw new Error(`--case is one of ${CASE_NAMES.join(', ')}, all`);

const usesProxy = (name: CaseName) => (CASES[name] as Case).usesProxy === true;
const missing = whatIsMissing(names.some(usesProxy));
if (missing === undefined) {
  enterOwnNetwork();
  await runAll();
} else {
  console.log(JSON.stringify({ skipped: missing }));
}

async function runAll(): Promise<void> {
  const allowsUnsafe = values['allow-unsafe'];
  const needsV2 = isUnsafeWithV3();
  const api = needsV2 && !allowsUnsafe ? 'etcd' : 'etcd3';
  for (const name of names) {
    const report = await experiment({
      name,
      seconds: Number(values.seconds),
      seed: Number(values.seed),
      api,
      isUnsafe: needsV2 && allowsUnsafe,
      logs: values.logs,
    });
    console.log(JSON.stringify(report));
    if (report.violations.length + report.late.length > 0) process.exitCode = 1;
  }
}
