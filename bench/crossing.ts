// Durable exclusive claim and its release over HTTP, beside etcd's HTTP gateway (grant, transaction, revoke), in one run:
// Both servers first take calls for `--warm` milliseconds: until the compiler has seen all of it, a call of ours costs twice as much.
//   node bench/crossing.ts [--rounds 5] [--window 1000] [--callers 64] [--warm 12000]
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ChildService } from '../test/support/child-service.ts';
import { temporaryDirectory } from '../test/support/temporary.ts';
import { serviceEnv } from '../test/support/service.ts';
import { startEtcd } from './_etcd.ts';
import { type RawClient, rawClient } from './_raw-post.ts';
import { type Contender, interleave, round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    window: { type: 'string', default: '1000' },
    callers: { type: 'string', default: '64' },
    warm: { type: 'string', default: '12000' },
  },
});
let counter = 0;
const freshKey = () => `https://github.com/bench/repo/issues/${(counter += 1)}`;

const callers = Number(values.callers);
const dataDir = await temporaryDirectory();
const service = await ChildService.start(serviceEnv(dataDir, undefined));
const clientsOf = (port: number) => Array.from({ length: callers }, () => rawClient(port));
const ours = clientsOf(Number(new URL(service.url).port));
const claimAndRelease = async (caller: number) => {
  const { post } = ours[caller] as RawClient;
  const { lease, token } = await post('/v1/claim', { key: freshKey(), agent: 'bench', mode: 'exclusive' });
  const released = await post('/v1/release', { lease, token });
  if (released['released'] !== true) throw new Error(`the service answered ${JSON.stringify(released)}`);
};
const ETCD_PORT = 23793;
const etcd = await startEtcd(ETCD_PORT);
const theirs = etcd === undefined ? [] : clientsOf(ETCD_PORT);
const peers = [
  { name: 'avouch', pid: service.process.pid ?? 0, operate: claimAndRelease },
  ...(etcd === undefined
    ? []
    : [
        {
          name: 'etcd',
          pid: etcd.pid,
          operate: (caller: number) => etcd.claimAndRelease(freshKey(), (theirs[caller] as RawClient).post),
        },
      ]),
];

async function warmUp(operate: Contender['operate']): Promise<void> {
  const endMs = performance.now() + Number(values.warm);
  const loop = async (caller: number) => {
    while (performance.now() < endMs) await operate(caller);
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => loop(caller)));
}
for (const { operate } of peers) await warmUp(operate);

/** Server CPU beside the operations that it was spent on, in microseconds. */
const spent = new Map<string, { micros: number; operations: number }>();

function measured(name: string, pid: number, operate: Contender['operate']): Contender {
  const total = { micros: -cpuMicros(pid), operations: 0 };
  spent.set(name, total);
  return {
    name,
    async operate(caller) {
      await operate(caller);
      total.operations += 1;
    },
  };
}

/** User and system time so far: fields 14 and 15 of /proc/<pid>/stat, in hundredths of a second. */
function cpuMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10_000 * (Number(fields[11]) + Number(fields[12]));
}

function serverCpu(name: string, pid: number): number {
  const { micros, operations } = spent.get(name) as { micros: number; operations: number };
  return round((cpuMicros(pid) + micros) / operations);
}

const contenders = peers.map(({ name, pid, operate }) => measured(name, pid, operate));
const options = { callers, rounds: Number(values.rounds), windowMs: Number(values.window) };
const figures = await interleave(contenders, options);
const [fast, slow] = ['avouch', 'etcd'].map((name) => figures.get(name)?.perSecond);
const ratio = fast === undefined || slow === undefined ? null : round(fast / slow);
const serverCpuUs = {
  avouch: serverCpu('avouch', service.process.pid ?? 0),
  etcd: etcd === undefined ? null : serverCpu('etcd', etcd.pid),
};
console.log(
  JSON.stringify({
    bench: 'crossing',
    what: 'exclusive claim and release, durable, over HTTP',
    ...options,
    avouch_vs_etcd: ratio,
    goal: 5,
    server_cpu_us: serverCpuUs,
    figures: Object.fromEntries(figures),
  }),
);

for (const client of [...ours, ...theirs]) client.close();
await Promise.all([service.end('SIGTERM'), etcd?.stop()]);
await rm(dataDir, { recursive: true, force: true });
