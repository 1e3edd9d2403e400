// Durable exclusive claim and its release over HTTP, beside etcd's HTTP gateway (grant, transaction, revoke), in one run:
//   node bench/crossing.ts [--rounds 5] [--window 1000] [--callers 64]
import { rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import { ChildService, serviceEnv, temporaryDirectory } from '../test/_harness.ts';
import { postJson, startEtcd } from './_etcd.ts';
import { type Contender, interleave, round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    window: { type: 'string', default: '1000' },
    callers: { type: 'string', default: '64' },
  },
});
let counter = 0;
const freshKey = () => `https://github.com/bench/repo/issues/${(counter += 1)}`;

const dataDir = await temporaryDirectory();
const service = await ChildService.start(serviceEnv(dataDir, undefined));
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const port = Number(new URL(service.url).port);
const claimAndRelease = async () => {
  const lease = await postJson(agent, port, '/v1/claim', { key: freshKey(), agent: 'bench', mode: 'exclusive' });
  const released = await postJson(agent, port, '/v1/release', { lease: lease['lease'], token: lease['token'] });
  if (released['released'] !== true) throw new Error(`the service answered ${JSON.stringify(released)}`);
};
const etcd = await startEtcd(23793);
const contenders: Contender[] = [
  { name: 'avouch', operate: claimAndRelease },
  ...(etcd === undefined ? [] : [{ name: 'etcd', operate: () => etcd.claimAndRelease(freshKey()) }]),
];
const options = { callers: Number(values.callers), rounds: Number(values.rounds), windowMs: Number(values.window) };
const figures = await interleave(contenders, options);
const [ours, theirs] = ['avouch', 'etcd'].map((name) => figures.get(name)?.perSecond);
const ratio = ours === undefined || theirs === undefined ? null : round(ours / theirs);
console.log(
  JSON.stringify({
    bench: 'crossing',
    what: 'exclusive claim and release, durable, over HTTP',
    ...options,
    avouch_vs_etcd: ratio,
    goal: 5,
    figures: Object.fromEntries(figures),
  }),
);

agent.destroy();
await Promise.all([service.end('SIGTERM'), etcd?.stop()]);
await rm(dataDir, { recursive: true, force: true });
