// Durable seals with their proof over HTTP, beside a bare JSON POST in the same run:
//   node bench/seal.ts [--rounds 7] [--window 1000] [--warm 20000]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { verifySealAnswer } from '../verify/avouch-verify.mjs';
import { type BenchServer, cpuMicros, load, quantile } from './_http-load.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    window: { type: 'string', default: '1000' },
    warm: { type: 'string', default: '20000' },
  },
});
const rounds = Number(values.rounds);
const windowMs = Number(values.window);
const BODY = JSON.stringify({
  schema_id: 'record.integrity.v1',
  claim: { statement: 'order 4711 was delivered complete and undamaged', evidence_digests: ['5e'.repeat(32)] },
});
const HEAD = `POST /api/attest/seal HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n`;
const request = Buffer.from(HEAD + BODY);
const KINDS = ['bare', 'service'] as const;
type Kind = (typeof KINDS)[number];

async function start(kind: Kind): Promise<BenchServer> {
  const child = fork(new URL('./_seal-server.ts', import.meta.url), [kind]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

interface Window {
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly latencies: readonly number[];
}

async function window(server: BenchServer, connections: number, restMs = 0): Promise<Window> {
  const before = await cpuMicros(server);
  const latencies = await load({ port: server.port, connections, windowMs, request, restMs });
  const micros = (await cpuMicros(server)) - before;
  return { cpuUs: micros / latencies.length, perSecond: (latencies.length * 1_000) / windowMs, latencies };
}

/** A service runs for weeks: the calls in which its code is still being compiled are not measured. */
async function warmUp(server: BenchServer): Promise<void> {
  let left = Number(values.warm);
  const next = () => (left-- > 0 ? request : undefined);
  await load({ port: server.port, connections: 64, windowMs: 600_000, request: next, spins: false });
}

const median = (figures: readonly number[]) => quantile(figures, 0.5);

const servers = { bare: await start('bare'), service: await start('service') };
for (const kind of KINDS) await warmUp(servers[kind]);
const report: Record<string, unknown> = {};
let fullSpeed = 0;
for (const connections of [32, 256]) {
  const windows: Record<Kind, Window[]> = { bare: [], service: [] };
  for (let turn = -1; turn < rounds; turn += 1) {
    for (const kind of KINDS) {
      const figures = await window(servers[kind], connections);
      if (turn >= 0) windows[kind].push(figures);
    }
  }
  const cpu = (kind: Kind) => median(windows[kind].map(({ cpuUs }) => cpuUs));
  const perSecond = median(windows.service.map((one) => one.perSecond));
  const latencies = windows.service.flatMap((one) => one.latencies);
  report[`connections_${connections}`] = {
    cpu_ratio_to_bare: round(cpu('bare') / cpu('service')),
    cpu_us: round(cpu('service')),
    bare_cpu_us: round(cpu('bare')),
    seals_per_second: round(perSecond),
    seals_per_cpu_second: round(1e6 / cpu('service')),
    p50_ms: round(quantile(latencies, 0.5)),
    p99_ms: round(quantile(latencies, 0.99)),
  };
  fullSpeed = perSecond;
}
const paced = 64;
const half = await window(servers.service, paced, (paced * 1_000) / (fullSpeed / 2));
report['half_load'] = {
  seals_per_second: round(half.perSecond),
  p50_ms: round(quantile(half.latencies, 0.5)),
  p99_ms: round(quantile(half.latencies, 0.99)),
};

const base = `http://127.0.0.1:${servers.service.port}`;
const sealed = await fetch(`${base}/api/attest/seal`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: BODY,
});
const answer = (await sealed.json()) as { seq: number };
const head = (await (await fetch(`${base}/api/astralock/sth`)).json()) as { vkeys: string[] };
const VERIFICATIONS = 500;
const startedMs = performance.now();
const startedCpu = process.cpuUsage();
for (let turn = 0; turn < VERIFICATIONS; turn += 1) {
  const { valid } = await verifySealAnswer(answer, head.vkeys);
  if (!valid) throw new Error('the seal does not verify');
}
report['verify_bundle_ms'] = round((performance.now() - startedMs) / VERIFICATIONS);
const { user, system } = process.cpuUsage(startedCpu);
report['verify_bundle_cpu_ms'] = round((user + system) / 1_000 / VERIFICATIONS);
report['log_size'] = answer.seq + 1;
for (const { child } of Object.values(servers)) child.disconnect();
console.log(JSON.stringify({ bench: 'seal', ...report }));
