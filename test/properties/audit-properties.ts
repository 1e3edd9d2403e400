// node test/properties/audit-properties.ts --runs 100000: as audit-properties.test.ts, for as long as wanted.
import { parseArgs } from 'node:util';
import { AUDIT_PROPERTIES } from './audits.ts';

const { values } = parseArgs({ options: { runs: { type: 'string' } } });
const runs = Number(values.runs ?? 100_000);
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs takes a whole number');

for (const [name, property] of Object.entries(AUDIT_PROPERTIES)) {
  const startedMs = performance.now();
  property(runs);
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(1).padStart(6)} s  ${name}`);
}
