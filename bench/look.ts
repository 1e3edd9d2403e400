// Looks per CPU second of the service, with a million marks and 100,000 live leases stored, beside bare node:http that
// sends the same answer:
//   node bench/look.ts [--rounds 8] [--window 1000] [--connections 50] [--marks 1000000] [--leases 100000]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { DAY_MS, HOUR_MS } from '#kernel/clock.ts';
import { type BenchServer, cpuMicros, load } from './_http-load.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '8' },
    window: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '50' },
    marks: { type: 'string', default: '1000000' },
    leases: { type: 'string', default: '100000' },
  },
});
const keys = Number(values.leases);
const WARM_UP_CALLS = 30_000;
const WARM_UP_WINDOWS = 10;
const dataDir = await mkdtemp(join(tmpdir(), 'avouch-bench-'));

async function start(variant: 'bare' | 'service', given: string): Promise<BenchServer> {
  const child = fork(new URL('./_look-server.ts', import.meta.url), [variant, given]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

/** As many agents hold and marked the keys in turn; a tenth of the marks is proven. */
function fill(): void {
  const database = new DatabaseSync(join(dataDir, 'avouch.db'));
  const nowMs = Date.now();
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  const lease = database.prepare(
    `INSERT INTO lease (key, id, agent, mode, tok, intent, hops, addr, since, evidence_at, expires_at, fence)
     VALUES (?, ?, ?, 'shared', 'hash', 'fix the parser', NULL, 'tag', ?, NULL, ?, ?)`,
  );
  for (let n = 0; n < keys; n += 1) {
    lease.run(`bench key ${n}`, `L${n}`, `agent-${n % 1_000}`, nowMs - 60_000, nowMs + HOUR_MS, n + 1);
  }
  const mark = database.prepare(
    `INSERT INTO mark (seq, rev, key, kind, agent, note, evidence, leased, addr, at, fades_at)
     VALUES (?, ?, ?, ?, ?, 'needs hardware', ?, ?, ?, ?, ?)`,
  );
  const kinds = ['declined', 'failed', 'note', 'done', 'blocked'];
  for (let n = 0; n < Number(values.marks); n += 1) {
    const isProven = n % 10 === 0;
    const evidence = isProven ? 'https://example.com/proof' : null;
    const times = [nowMs - (n % 1_000) * 1_000, nowMs + DAY_MS];
    const kind = kinds[n % kinds.length] as string;
    mark.run(
      1_000_000 + n,
      n,
      `bench key ${n % keys}`,
      kind,
      `agent-${n % 97}`,
      evidence,
      isProven ? 1 : 0,
      `t${n}`,
      ...times,
    );
  }
  database.exec('COMMIT; ANALYZE');
  database.close();
}

// The first start makes the tables.
const first = await start('service', dataDir);
first.child.disconnect();
await once(first.child, 'exit');
fill();

let turn = 0;
/** The next look at one of so many keys, by one of a hundred agents. */
const lookAt = (many: number) => () => {
  turn += 1;
  const key = encodeURIComponent(`bench key ${(turn * 7_919) % many}`);
  return Buffer.from(
    `GET /v1/look?key=${key}&agent=agent-${turn % 100}&slots=3&reward_usd=45&effort_usd=10 HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: */*\r\n\r\n`,
  );
};
const service = await start('service', dataDir);
const sample = await (
  await fetch(`http://127.0.0.1:${service.port}/v1/look?key=bench%20key%207&agent=a1&slots=3`)
).text();
const bare = await start('bare', sample);
/** Many callers look at few keys; the last row is what a look costs that finds nothing at hand. */
const contenders = [
  { name: 'bare', server: bare, request: lookAt(keys) },
  { name: 'look_at_100_keys', server: service, request: lookAt(100) },
  { name: 'look_at_all_keys', server: service, request: lookAt(keys) },
];
const cpuUs = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
const perSecond = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
const windowMs = Number(values.window);
const connections = Number(values.connections);
// Until the compiler has seen all of it a call costs several times as much.
for (const { server, request } of contenders) {
  for (let answers = 0, turns = 0; answers < WARM_UP_CALLS && turns < WARM_UP_WINDOWS; turns += 1) {
    answers += (await load({ port: server.port, connections, windowMs: 1_000, request, spins: false })).length;
  }
}
for (let turns = 0; turns < Number(values.rounds); turns += 1) {
  for (const { name, server, request } of contenders) {
    const before = await cpuMicros(server);
    const { length: answers } = await load({ port: server.port, connections, windowMs, request, spins: false });
    const micros = (await cpuMicros(server)) - before;
    cpuUs.get(name)?.push(micros / answers);
    perSecond.get(name)?.push((answers * 1_000) / windowMs);
  }
}
for (const { child } of [bare, service]) child.disconnect();
await once(service.child, 'exit');
await rm(dataDir, { recursive: true });

const median = (figures: readonly number[] = []) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
const bareUs = median(cpuUs.get('bare'));
const report = contenders.map(({ name }) => {
  const us = median(cpuUs.get(name));
  return [
    name,
    { ratio: round(bareUs / us), cpu_us: round(us), per_second: round(median(perSecond.get(name))) },
  ] as const;
});
const stored = { marks: Number(values.marks), leases: keys, answer_bytes: sample.length };
console.log(JSON.stringify({ bench: 'look', ...stored, ...Object.fromEntries(report) }));
