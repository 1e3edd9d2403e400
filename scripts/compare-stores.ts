// node scripts/compare-stores.ts <commit>: what a commit has written opens in the working tree, and the other way round, on
// both engines; then both run side by side on one PostgreSQL under load, and every job has one leader. Exit code 1 where not.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { RATE_CLASSES } from '#kernel/operation.ts';
import { rateSetting } from '#platform/config/env.ts';
import { ChildService, passedOn, ROOT } from '../test/support/child-service.ts';
import { freshDatabase } from '../test/support/databases.ts';
import { checkout } from './checkout.ts';

const CALLS = 60;
/** Whoever repeats himself is told so, and so is he whose three free tasks are used up. */
const EXPECTED = [401, 409, 429, 503];
const SIDE_BY_SIDE_MS = 30_000;
const CHECKS = [['ledger', 'audit'], ['doctor'], ['audit-trail', 'verify']];
const RATES = Object.fromEntries(RATE_CLASSES.map((name) => [rateSetting(name), '1000000/s,1000000']));

type Env = Record<string, string>;
interface Version {
  readonly name: string;
  readonly door: string;
}

const faults: string[] = [];
const {
  positionals: [commit],
} = parseArgs({ allowPositionals: true });
if (commit === undefined) throw new Error('node scripts/compare-stores.ts <commit>');
await using stack = new AsyncDisposableStack();
const old: Version = { name: commit, door: join(await checkout(commit, stack), 'bin/avouch.mjs') };
const own: Version = { name: 'working tree', door: join(ROOT, 'bin/avouch.mjs') };

async function dataDir(): Promise<string> {
  return stack.adopt(await mkdtemp(join(tmpdir(), 'avouch-stores-')), (path) =>
    rm(path, { recursive: true, force: true }),
  );
}

/** Writes of every kind that needs no money. */
async function write(url: string, round: string, goesOn = (calls: number) => calls < CALLS): Promise<number> {
  let written = 0;
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status < 300) written += 1;
    else if (!EXPECTED.includes(answer.status))
      faults.push(`${path} of ${url} answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`);
  };
  for (let i = 0; goesOn(i); i += 1) {
    await post('/v1/claim', { key: `stores/${round}/${i}`, agent: 'stores' });
    await post('/api/attest/seal', { schema_id: 'record.integrity.v1', claim: { statement: `${round} ${i}` } });
    if (i % 10 === 0) {
      await post('/api/agents/register', { name: `stores ${round} ${i}`, owner_email: `a${i}@example.org` });
      await post('/do', { agent_id: 'anonymous', need: 'open bounties' });
      await post('/exit', { lesson: `round ${round} of stores, call ${i}` });
    }
    await sleep(5);
  }
  return written;
}

function check(version: Version, env: Env, when: string, checks: readonly (readonly string[])[] = CHECKS): void {
  for (const args of checks) {
    const done = spawnSync(process.execPath, [version.door, ...args], {
      env: { ...passedOn(), ...env },
      encoding: 'utf8',
    });
    if (done.status !== 0)
      faults.push(
        `${version.name}, ${when}: avouch ${args.join(' ')}: ${done.status} ${done.stdout.slice(-300)}${done.stderr.slice(-300)}`,
      );
  }
}

async function turn(version: Version, env: Env, round: string): Promise<number> {
  const service = await ChildService.start(env, ['serve'], version.door);
  const written = await write(service.url, round);
  check(version, env, `round ${round}`, [['fsck', service.url]]);
  const code = await service.end('SIGTERM');
  if (code !== 0)
    faults.push(`${version.name}, round ${round}: ended with ${code}: ${service.output.stderr.slice(-300)}`);
  check(version, env, `round ${round}`);
  return written;
}

async function inTurns(engine: 'sqlite' | 'postgres'): Promise<Record<string, number>> {
  const databaseUrl = engine === 'postgres' ? await freshDatabase('postgres') : undefined;
  const env = {
    DATA_DIR: await dataDir(),
    PORT: '0',
    ...RATES,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const written: Record<string, number> = {};
  for (const [round, version] of [
    ['1 old', old],
    ['2 new', own],
    ['3 old', old],
    ['4 new', own],
  ] as const)
    written[round] = await turn(version, env, `${engine}-${round.replace(' ', '-')}`);
  return written;
}

/** Both versions at once: who leads which job is looked at while both write. */
async function sideBySide(): Promise<object> {
  const databaseUrl = (await freshDatabase('postgres')) as string;
  const directory = await dataDir();
  const env = { DATA_DIR: directory, PORT: '0', DATABASE_URL: databaseUrl, ...RATES };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  stack.defer(() => client.end());
  const first = await ChildService.start(env, ['serve'], old.door);
  const second = await ChildService.start(env, ['serve'], own.door);
  let isOldUp = true;
  let isNewUp = true;
  const writingOld = write(first.url, 'side-a', () => isOldUp);
  const writingNew = write(second.url, 'side-b', () => isNewUp);
  const leaders = new Map<string, Set<string>>();
  const look = async () => {
    const { rows } = await client.query<{ job: string; process: string }>('SELECT job, process FROM leader');
    for (const { job, process } of rows) leaders.set(job, (leaders.get(job) ?? new Set()).add(process));
    return rows;
  };
  const untilMs = performance.now() + SIDE_BY_SIDE_MS;
  let looks = 0;
  while (performance.now() < untilMs) {
    const jobs = (await look()).map(({ job }) => job);
    if (new Set(jobs).size !== jobs.length) faults.push('a job has two leaders');
    looks += 1;
    await sleep(200);
  }
  const changedWhileBothLived = [...leaders].filter(([, processes]) => processes.size > 1).map(([job]) => job);
  if (changedWhileBothLived.length > 0)
    faults.push(`the lead of ${changedWhileBothLived.join(', ')} changed while its leader lived`);
  const before = new Set(leaders.keys());
  // The rolling change: the old process goes, and the new one leads all that it led.
  isOldUp = false;
  const byOld = await writingOld;
  await first.end('SIGTERM');
  leaders.clear();
  await sleep(11_000);
  const after = await look();
  const kept = new Set(after.map(({ process }) => process));
  if (kept.size !== 1) faults.push(`after the change ${kept.size} processes lead`);
  const lost = [...before].filter((job) => !after.some((row) => row.job === job));
  if (lost.length > 0) faults.push(`nobody leads ${lost.join(', ')}`);
  isNewUp = false;
  const byNew = await writingNew;
  check(own, env, 'after both ran', [['fsck', second.url]]);
  await second.end('SIGTERM');
  check(own, env, 'after both ran');
  return { looks, jobs: before.size, written: { old: byOld, new: byNew } };
}

const sqlite = await inTurns('sqlite');
const postgres = await inTurns('postgres');
const rolling = await sideBySide();
for (const fault of faults) console.log(fault);
console.log(JSON.stringify({ commit, sqlite, postgres, rolling, faults: faults.length }));
if (faults.length > 0) process.exitCode = 1;
