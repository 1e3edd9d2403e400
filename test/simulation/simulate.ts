// Lives through hours of the service on seeds: npm run simulate -- --seed N [--hours H] [--runs R] [--planted F]
import { parseArgs } from 'node:util';
import { PLANTED_FAULTS } from './world.ts';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    hours: { type: 'string', default: '200' },
    runs: { type: 'string', default: '1' },
    planted: { type: 'string' },
  },
});
const planted = PLANTED_FAULTS.find((fault) => fault === values.planted);
if (values.planted !== undefined && planted === undefined) {
  throw new Error(`--planted is one of ${PLANTED_FAULTS.join(', ')}`);
}
for (let run = 0; run < Number(values.runs); run += 1) {
  const seed = Number(values.seed) + run;
  const report = await simulate({ seed, hours: Number(values.hours), ...(planted !== undefined && { planted }) });
  process.stdout.write(`${JSON.stringify(report)}\n`);
  if (report.violations.length > 0) process.exitCode = 1;
}
