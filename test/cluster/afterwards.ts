// What is asked of the services and of the books when a case is over.
import { join } from 'node:path';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { verifyTrail } from '#platform/trail/verify.ts';
import { openFoundation } from '../../src/platform/foundation.ts';
import { checkAll } from '../chaos/checks.ts';
import type { Load } from '../chaos/load.ts';
import { Fleet } from '../chaos/kills.ts';
import type { LedgerRow } from '../chaos/log-kills.ts';
import { CLOCK_AHEAD, FUNDED_MICRO } from '../chaos/mixed-load.ts';
import { readCrossingRows } from '../support/events.ts';
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
  const found: string[] = [];
  let isAnswered = true;
  for (const service of after.services) {
    isAnswered = (await noting(found, service.name, () => checkService(service, after, found))) && isAnswered;
  }
  after.say('the services were started again');
  const check = isAnswered ? checkLog : checkStoredLog;
  await noting(found, 'the log', () => check(after));
  after.say('the log is read');
  await noting(found, 'the books', async () => found.push(...(await checkBooks(after))));
  return found;
}

async function checkService(service: ServiceNode, { databaseUrl }: Afterwards, found: string[]): Promise<void> {
  const note = (what: string) => found.push(`${service.name}: ${what}`);
  const codeAfterwards = await service.stop();
  if (codeAfterwards !== 0) note(`ended with code ${codeAfterwards}`);
  await service.start(databaseUrl);
  await until('its head', async () => (await service.ask('/api/astralock/sth')).status === 200);
  const audit = await service.ask('/api/astralock/audit');
  if (audit.json?.['ok'] !== true) note(`the audit says ${audit.status} ${audit.text.slice(0, 300)}`);
  for (const command of [['fsck', service.url], ['ledger', 'audit'], ['doctor']]) {
    const { code, stdout, stderr } = await service.run(command, databaseUrl);
    const failures = stdout.split('\n').filter((line) => line.startsWith('fail'));
    if (code !== 0)
      note(`./avouch ${command[0]} ended with code ${code}: ${[...failures, stderr.slice(-300)].join('; ')}`);
  }
  const code = await service.stop();
  if (code !== 0) note(`ended with code ${code} when it was stopped again`);
}

/** What has no answer yet gets one, and every signed checkpoint that was ever answered is compared with the newest. */
async function checkLog({ services: [first], callers, primaryUrl, say }: Afterwards): Promise<void> {
  // Alone, and not on a machine of the laboratory.
  const here = { ...first?.env(primaryUrl), AVOUCH_WRITER: 'direct', HOST: '127.0.0.1', PORT: '0' };
  const last = new Fleet(here, Math.random);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => last.kill());
  await last.startHere({ clock: CLOCK_AHEAD });
  callers.answerBy(last.call);
  for (const load of callers.loads) await load.finish();
  say('every call has its answer');
  await callers.inspector.lookAtAll(true);
  await last.stop();
}

/** What no service serves any more is compared as it is stored. */
async function checkStoredLog({ callers: { told }, primaryUrl }: Afterwards): Promise<void> {
  const { entries } = await readCrossingRows('', primaryUrl);
  for (const { seq, leaf } of entries) {
    const entry = JSON.parse(leaf) as LedgerRow['entry'] & Pick<LedgerRow, 'type'>;
    const bytes = Buffer.from(leaf).toString('base64');
    told.journal.compareEntry({ seq, attestation_id: '', type: entry.type, entry_b64: bytes, entry });
  }
  told.journal.endsAt(entries.length);
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
async function noting(found: string[], what: string, check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (error) {
    found.push(`${what}: ${(error as Error).message.slice(0, 500)}`);
    return false;
  }
}
