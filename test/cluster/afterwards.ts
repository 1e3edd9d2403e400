// What is asked of the services and of the books when a case is over.
import { join } from 'node:path';
import { readConfig } from '#config/config.ts';
import { readSecrets } from '#config/secrets.ts';
import { verifyTrail } from '#trail/verify.ts';
import { openFoundation } from '../../src/foundation.ts';
import { checkAll } from '../chaos/checks.ts';
import type { Load } from '../chaos/load.ts';
import { FUNDED_MICRO } from '../chaos/mixed-load.ts';
import { until } from '../support/until.ts';
import type { Callers } from './callers.ts';
import type { ServiceNode } from './services.ts';

export interface Afterwards {
  readonly services: readonly ServiceNode[];
  readonly callers: Callers;
  /** A live standby first, where the services see more than one host. */
  readonly databaseUrl: string;
  readonly primaryUrl: string;
  readonly say: (what: string) => void;
}

/** Starts the services again on the same data and checks everything; gives sentences. */
export async function checkAfterwards(after: Afterwards): Promise<string[]> {
  const { services, databaseUrl } = after;
  const found: string[] = [];
  for (const service of services) {
    const code = await service.stop();
    if (code !== 0) found.push(`${service.name} ended with code ${code}`);
    await noting(found, `${service.name} does not start again`, () => service.start(databaseUrl));
  }
  if (found.length === 0) await noting(found, 'the log', () => checkServices(after, found));
  for (const service of services) await service.stop();
  await noting(found, 'the books', async () => found.push(...(await checkBooks(after))));
  return found;
}

async function checkServices(after: Afterwards, found: string[]): Promise<void> {
  const { services, databaseUrl, say } = after;
  const { loads, inspector } = after.callers;
  for (const { name, ask } of services.map((service) => ({ name: service.name, ask: service.call }))) {
    await until(`the head of ${name}`, async () => (await ask('/api/astralock/sth'))?.status === 200);
  }
  say('the services run again');
  for (const load of loads) await load.finish();
  say('every call has its answer');
  await inspector.lookAtAll(true);
  say('the log is read');
  for (const service of services) {
    const audit = await service.ask('/api/astralock/audit');
    if (audit.json?.['ok'] !== true)
      found.push(`${service.name}: the audit says ${audit.status} ${audit.text.slice(0, 300)}`);
    for (const command of [['fsck', service.url], ['ledger', 'audit'], ['doctor']]) {
      const { code, stdout, stderr } = await service.run(command, databaseUrl);
      const told = `${stdout}${stderr}`
        .split('\n')
        .filter((line) => /^fail|^avouch/.test(line))
        .join('; ');
      if (code !== 0)
        found.push(`${service.name}: ./avouch ${command[0]} ended with code ${code}: ${told || stderr.slice(-300)}`);
    }
  }
}

async function checkBooks({ services, callers, primaryUrl }: Afterwards): Promise<string[]> {
  const { loads, told, journal, parties } = callers;
  const [first, ...others] = services;
  if (first === undefined) return [];
  const found: string[] = [];
  for (const { name, dataDir } of others) {
    const { faults } = await verifyTrail(join(dataDir, 'trail'));
    found.push(...faults.map(({ file, line, detail }) => `audit trail of ${name}, ${file} line ${line}: ${detail}`));
  }
  const config = readConfig(first.env(primaryUrl));
  await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
  const answered = { parked: loads.flatMap(({ parked }) => parked), acknowledged: sumOf(loads) };
  const books = {
    store: foundation.store,
    dataDir: first.dataDir,
    databaseUrl: primaryUrl,
    parties,
    fundedMicro: FUNDED_MICRO,
    movedAtomic: 0n,
  };
  return [...found, ...(await checkAll(told, answered, journal, books))];
}

/** All loads together. */
export function sumOf(loads: readonly Load[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const [kind, count] of loads.flatMap(({ acknowledged }) => [...acknowledged])) {
    sum.set(kind, (sum.get(kind) ?? 0) + count);
  }
  return sum;
}

/** What throws is a finding: the other checks go on. */
async function noting(found: string[], what: string, check: () => Promise<unknown>): Promise<void> {
  try {
    await check();
  } catch (error) {
    found.push(`${what}: ${(error as Error).message.slice(0, 500)}`);
  }
}
