// A validated GET per CPU second of the server, layer by layer, beside bare node:http in the same run:
//   node bench/http.ts [--rounds 12] [--window 1000] [--connections 50]
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    window: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '50' },
  },
});
const VARIANTS = ['bare', 'bare_with_headers', 'binding', 'rate_limit', 'all'] as const;
const QUERY =
  'amount_usd=12.5&period_days=30&attempts=2&p_basis=measured&delivery=escrow&reversible=yes&agent=bench-agent&intent_id=i-42';
const REQUEST = Buffer.from(`GET /v1/bench?${QUERY} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: */*\r\n\r\n`);

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

async function start(variant: string): Promise<Server> {
  const child = fork(new URL('./_http-server.ts', import.meta.url), [variant]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

async function cpuMicros({ child }: Server): Promise<number> {
  const answer = once(child, 'message') as Promise<[{ cpu: NodeJS.CpuUsage }]>;
  child.send('cpu');
  const [{ cpu }] = await answer;
  return cpu.user + cpu.system;
}

/** Keeps every connection busy with one request at a time until the window is over; gives the number of answers. */
async function load(port: number, connections: number, windowMs: number): Promise<number> {
  let answers = 0;
  const endMs = performance.now() + windowMs;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      let expected = 0;
      let received = 0;
      socket.on('connect', () => socket.write(REQUEST));
      socket.on('error', reject);
      socket.on('data', (chunk: Buffer) => {
        if (expected === 0) expected = answerLength(chunk);
        received += chunk.length;
        if (received < expected) return;
        answers += 1;
        received = 0;
        expected = 0;
        if (performance.now() < endMs) socket.write(REQUEST);
        else socket.destroy();
      });
      socket.on('close', () => resolve());
    });
  // The generator never sleeps: otherwise each answer of a slower server would also pay for waking it.
  const spin = () => void (performance.now() < endMs && setImmediate(spin));
  spin();
  await Promise.all(Array.from({ length: connections }, one));
  return answers;
}

function answerLength(chunk: Buffer): number {
  const head = chunk.toString('latin1', 0, Math.min(chunk.length, 2_000));
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(head);
  const bodyAt = head.indexOf('\r\n\r\n') + 4;
  return bodyAt + Number(/content-length: (\d+)/i.exec(head)?.[1]);
}

const servers = new Map<string, Server>();
for (const variant of VARIANTS) servers.set(variant, await start(variant));
const perCpuSecond = new Map<string, number[]>(VARIANTS.map((variant) => [variant, []]));
const perSecond = new Map<string, number[]>(VARIANTS.map((variant) => [variant, []]));
const windowMs = Number(values.window);
for (let turn = -1; turn < Number(values.rounds); turn += 1) {
  for (const [variant, server] of servers) {
    const before = await cpuMicros(server);
    const answers = await load(server.port, Number(values.connections), windowMs);
    const micros = (await cpuMicros(server)) - before;
    if (turn < 0) continue;
    perCpuSecond.get(variant)?.push((answers * 1e6) / micros);
    perSecond.get(variant)?.push((answers * 1_000) / windowMs);
  }
}
for (const { child } of servers.values()) child.disconnect();

const median = (figures: readonly number[] = []) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
const bare = median(perCpuSecond.get('bare'));
const report = VARIANTS.map((variant) => {
  const figure = median(perCpuSecond.get(variant));
  const shown = {
    ratio: round(figure / bare),
    per_cpu_second: round(figure),
    cpu_us: round(1e6 / figure),
    per_second: round(median(perSecond.get(variant))),
  };
  return [variant, shown] as const;
});
console.log(JSON.stringify({ bench: 'http', ...Object.fromEntries(report) }));
