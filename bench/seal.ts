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
const HEAD = `POST /api/attest/seal HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n`;
const MINIMAL = { prefer: 'return=minimal' };
const whole = Buffer.from(`${HEAD}\r\n${BODY}`);
const minimal = Buffer.from(`${HEAD}prefer: ${MINIMAL.prefer}\r\n\r\n${BODY}`);
/** `minimal` is sent to the service too. */
const REQUESTS = { bare: whole, service: whole, minimal };
type Kind = keyof typeof REQUESTS;
const KINDS = Object.keys(REQUESTS) as Kind[];

async function start(kind: 'bare' | 'service'): Promise<BenchServer> {
  const child = fork(new URL('./_seal-server.ts', import.meta.url), [kind]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

interface Window {
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly latencies: readonly number[];
}

async function window(kind: Kind, connections: number, restMs = 0): Promise<Window> {
  const [server, request] = [servers[kind], REQUESTS[kind]];
  const before = await cpuMicros(server);
  const latencies = await load({ port: server.port, connections, windowMs, request, restMs });
  const micros = (await cpuMicros(server)) - before;
  return { cpuUs: micros / latencies.length, perSecond: (latencies.length * 1_000) / windowMs, latencies };
}

/** A service runs for weeks: the calls in which its code is still being compiled are not measured. */
async function warmUp(kind: Kind): Promise<void> {
  let left = Number(values.warm);
  const next = () => (left-- > 0 ? REQUESTS[kind] : undefined);
  await load({ port: servers[kind].port, connections: 64, windowMs: 600_000, request: next, spins: false });
}

const median = (figures: readonly number[]) => quantile(figures, 0.5);

const service = await start('service');
const servers = { bare: await start('bare'), service, minimal: service };
for (const kind of KINDS) await warmUp(kind);
const report: Record<string, unknown> = {};
let fullSpeed = 0;
for (const connections of [32, 256]) {
  const windows: Record<Kind, Window[]> = { bare: [], service: [], minimal: [] };
  for (let turn = -1; turn < rounds; turn += 1) {
    for (const kind of turn % 2 === 0 ? KINDS : KINDS.toReversed()) {
      const figures = await window(kind, connections);
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
    minimal_cpu_ratio_to_bare: round(cpu('bare') / cpu('minimal')),
    minimal_cpu_us: round(cpu('minimal')),
    minimal_seals_per_second: round(median(windows.minimal.map((one) => one.perSecond))),
  };
  fullSpeed = perSecond;
}
const paced = 64;
const half = await window('service', paced, (paced * 1_000) / (fullSpeed / 2));
report['half_load'] = {
  seals_per_second: round(half.perSecond),
  p50_ms: round(quantile(half.latencies, 0.5)),
  p99_ms: round(quantile(half.latencies, 0.99)),
};

const base = `http://127.0.0.1:${service.port}`;
async function sealed(preference: Readonly<Record<string, string>> = {}): Promise<string> {
  const headers = { 'content-type': 'application/json', ...preference };
  return (await fetch(`${base}/api/attest/seal`, { method: 'POST', headers, body: BODY })).text();
}
report['minimal_response_chars'] = (await sealed(MINIMAL)).length;
const text = await sealed();
report['response_chars'] = text.length;
const answer = JSON.parse(text) as { seq: number };
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
for (const { child } of [servers.bare, service]) child.disconnect();
console.log(JSON.stringify({ bench: 'seal', ...report }));
