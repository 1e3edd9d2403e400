// npm run cluster -- --case kill|partition|alone|standby|freeze|latency|rolling|fork|proxy|mixed|all [--seconds N] [--seed N]
// [--writer direct|forward|both] [--allow-unsafe] [--logs directory], or --minutes N for one fault after another on one cluster:
// three PostgreSQL nodes under Patroni in network namespaces, two services on them, faults under load; one JSON line each.
import { parseArgs } from 'node:util';
import { newSeed } from '../support/random.ts';
import { CASE_NAMES, CASES, type Case, type CaseName } from './cases.ts';
import { experiment } from './experiment.ts';
import { enterOwnNetwork, isUnsafeWithV3, whatIsMissing } from './packages.ts';
import { WRITERS, type Writer } from './services.ts';

const { values } = parseArgs({
  options: {
    case: { type: 'string', default: 'all' },
    seconds: { type: 'string', default: '60' },
    minutes: { type: 'string', default: '0' },
    writer: { type: 'string', default: 'forward' },
    seed: { type: 'string', default: String(newSeed()) },
    'allow-unsafe': { type: 'boolean', default: false },
    logs: { type: 'string' },
  },
});
for (const name of ['seconds', 'minutes', 'seed'] as const) {
  if (!/^\d{1,10}$/.test(values[name])) throw new Error(`--${name} is a whole number`);
}
const writers = WRITERS.filter((writer) => values.writer === writer || values.writer === 'both');
if (writers.length === 0) throw new Error(`--writer is one of ${WRITERS.join(', ')}, both`);
const minutes = Number(values.minutes);
const wanted = minutes > 0 ? 'mixed' : values.case;
const names = CASE_NAMES.filter((name) => wanted === name || (wanted === 'all' && name !== 'mixed'));
if (names.length === 0) throw new Error(`--case is one of ${CASE_NAMES.join(', ')}, all`);

const usesProxy = (name: CaseName) => (CASES[name] as Case).usesProxy === true;
const missing = whatIsMissing(names.some(usesProxy));
if (missing === undefined) {
  enterOwnNetwork();
  for (const writer of writers) await runAll(writer);
} else {
  console.log(JSON.stringify({ skipped: missing }));
}

async function runAll(writer: Writer): Promise<void> {
  const allowsUnsafe = values['allow-unsafe'];
  const needsV2 = isUnsafeWithV3();
  const api = needsV2 && !allowsUnsafe ? 'etcd' : 'etcd3';
  for (const name of names) {
    const report = await experiment({
      name,
      seconds: minutes > 0 ? 60 * minutes : Number(values.seconds),
      seed: Number(values.seed),
      writer,
      api,
      isUnsafe: needsV2 && allowsUnsafe,
      logs: values.logs,
    });
    console.log(JSON.stringify(report));
    if (report.violations.length + report.late.length > 0) process.exitCode = 1;
  }
}
