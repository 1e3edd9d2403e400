// npm run referees -- --seals 70000 [--engine sqlite|postgres|all]: a long log before Go and sigstore, one JSON line each.
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { verifySealAnswer } from '../../verify/avouch-verify.mjs';
import { goIsMissing, GoReferee } from './go.ts';
import { ChildService } from '../support/child-service.ts';
import { ENGINES, type EngineName, freshDatabase, hasPostgres } from '../support/databases.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv } from '../support/service.ts';
import { exportLog } from './log-export.ts';
import { fillLog, LogCaller, type SealAnswer } from './log-traffic.ts';
import { checkWithSigstore } from './sigstore.ts';

const { values } = parseArgs({
  options: { seals: { type: 'string', default: '70000' }, engine: { type: 'string', default: 'all' } },
});
const seals = Number(values.seals);
if (!/^\d{1,7}$/.test(values.seals) || seals < 100) throw new Error('--seals is a whole number from 100 on');
const engines = ENGINES.filter((name) => values.engine === 'all' || values.engine === name);
if (engines.length === 0) throw new Error(`--engine is one of ${ENGINES.join(', ')}, all`);

const CONNECTIONS = 128;
const MAX_PROOFS = 5_000;

const missing = goIsMissing();
if (missing !== undefined) console.error(`Go referee left out: ${missing}`);

for (const engine of engines) {
  if (engine === 'postgres' && !(await hasPostgres())) {
    console.error('postgres: no PostgreSQL server binaries here, left out');
    continue;
  }
  const result = await judge(engine);
  console.log(JSON.stringify(result));
  if (!result.ok) process.exitCode = 1;
}

async function judge(engine: EngineName): Promise<{ ok: boolean } & Record<string, unknown>> {
  const folder = await temporaryDirectory();
  const databaseUrl = await freshDatabase(engine);
  const service = await ChildService.start(serviceEnv(join(folder, 'data'), databaseUrl));
  try {
    using caller = new LogCaller(service.url);
    const { head, kept, seconds: sealSeconds } = await timed(() => fill(caller));
    const directory = join(folder, 'export');
    const exported = await timed(() =>
      exportLog({ url: service.url, directory, older: head.checkpoint, answers: kept }),
    );
    const go = missing === undefined ? goVerdict(folder, directory, exported.files) : { ok: true, left_out: missing };
    const own = await timed(() => ownVerdict(kept, head.vkeys[0]));
    const audit = await timed(() => caller.read<{ ok: boolean; entries_rehashed: number }>('/api/astralock/audit'));
    return {
      ok: go.ok && own.ok && audit.ok,
      engine,
      seals,
      size: exported.size,
      seal_seconds: sealSeconds,
      seals_per_second: Math.round(seals / sealSeconds),
      export_seconds: exported.seconds,
      go,
      sigstore_and_verifier: own,
      audit: { ok: audit.ok, entries: audit.entries_rehashed, seconds: audit.seconds },
    };
  } finally {
    await service.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

/** All seals, of which some are kept for their proofs, and the head after the first third. */
async function fill(caller: LogCaller): Promise<{ head: { checkpoint: string; vkeys: [string] }; kept: SealAnswer[] }> {
  const kept: SealAnswer[] = [];
  const every = Math.ceil(seals / MAX_PROOFS);
  let count = 0;
  const onSeal = (answer: SealAnswer) => {
    if ((count += 1) % every === 0) kept.push(answer);
  };
  const first = Math.floor(seals / 3);
  await fillLog(caller, { seals: first, releases: 100, connections: CONNECTIONS, onSeal });
  const head = await caller.read<{ checkpoint: string; vkeys: [string] }>('/api/astralock/sth');
  await fillLog(caller, { seals: seals - first, releases: 100, connections: CONNECTIONS, onSeal });
  return { head, kept };
}

/** Go accepts the whole export, and refuses it with one byte of any kind of file changed. */
function goVerdict(
  folder: string,
  directory: string,
  files: Readonly<Record<string, readonly string[]>>,
): { ok: boolean } & Record<string, unknown> {
  const referee = GoReferee.build(folder);
  const startedMs = performance.now();
  const result = referee.check(directory);
  const seconds = secondsSince(startedMs);
  if (!result.ok) return { ok: false, reason: result.reason };
  const accepted = Object.values(files).flatMap((paths) => {
    const path = paths[Math.floor(paths.length / 2)] as string;
    const whole = readFileSync(join(directory, path));
    const at = Math.floor(whole.length / 2);
    writeFileSync(join(directory, path), whole.with(at, (whole[at] as number) ^ 1));
    const { ok } = referee.check(directory);
    writeFileSync(join(directory, path), whole);
    return ok ? [path] : [];
  });
  return { ok: accepted.length === 0, seconds, ...result.report, changed_but_accepted: accepted };
}

async function ownVerdict(kept: readonly SealAnswer[], vkey: string): Promise<{ ok: boolean; proofs: number }> {
  for (const answer of kept) {
    const { entry, seq, checkpoint, inclusion } = answer;
    const hashes = inclusion.hashes.map((hash) => Buffer.from(hash, 'base64'));
    checkWithSigstore({ entry: Buffer.from(entry, 'base64'), index: seq, hashes, checkpoint }, vkey);
    const isSeedGiven = answer.disclosure_seed !== undefined;
    const { valid } = await verifySealAnswer(answer, vkey, { ignoreClaim: !isSeedGiven });
    if (!valid) return { ok: false, proofs: kept.length };
  }
  return { ok: true, proofs: kept.length };
}

async function timed<T extends object>(work: () => Promise<T>): Promise<T & { seconds: number }> {
  const startedMs = performance.now();
  const value = await work();
  return { ...value, seconds: secondsSince(startedMs) };
}

function secondsSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) / 10) / 100;
}
