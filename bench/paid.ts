// Paid calls of the service beside the official x402 flow on the same chain, and what they are made of:
//   node bench/paid.ts [--seconds 3] [--connections 64] [--rounds 3]
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { decodeChallengeHeader } from '#protocol/payment/header.ts';
import type { PaymentRequired } from '#protocol/payment/wire.ts';
import { SandboxMoney } from '../src/sandbox/chain/sandbox-money.ts';
import { Buyer } from '../test/support/buyer.ts';
import { type BenchServer, cpuMicros, load, quantile } from './_http-load.ts';
import { round } from './_rounds.ts';
import { keccakSpeed, signatureSpeed } from './_signature-speed.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
    rounds: { type: 'string', default: '3' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const rounds = Number(values.rounds);
const PATH = '/v1/agent-coordination-audit?system=demo&claim_before_work=yes';
const HEAD = `GET ${PATH} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: */*\r\n`;
const BLOCK_MS = 2_000;
/** A crowd beside the usual load where every call waits for a block. */
const CROWD = 4;
/** After so many a server runs as it will for days: before, the engine still compiles it. */
const WARM_UP_CALLS = { service: 1_500, official: 200 } as const;
const GUESSED_PER_SECOND = { service: 150, official: 30 } as const;
type Kind = keyof typeof WARM_UP_CALLS;
const FILES: Readonly<Record<Kind, string>> = { service: './_paid-service.ts', official: './_official-server.ts' };

interface Bought {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly latencies: readonly number[];
}

async function started<T>(file: string, argument?: string): Promise<T & { readonly child: ChildProcess }> {
  const child = fork(new URL(file, import.meta.url), argument === undefined ? [] : [argument]);
  const [told] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended`))),
  ])) as [T];
  return { ...told, child };
}

/** A chain of its own process with buyers who can pay everything. */
async function startChain(blockMs?: number) {
  const { child, rpcUrl } = await started<{ rpcUrl: string }>('./_paid-chain.ts', blockMs?.toString());
  const buyers = [new Buyer(), new Buyer(), new Buyer(), new Buyer()];
  const money = new SandboxMoney(rpcUrl);
  for (const { address } of buyers) await money.mint(address, 10n ** 15n);
  return { child, rpcUrl, buyers };
}

class Contender {
  readonly #kind: Kind;
  readonly #buyers: readonly Buyer[];
  readonly #server: BenchServer;
  readonly #challenge: PaymentRequired;
  /** What it did in a second when it was last asked. */
  #perSecond: number;

  private constructor(kind: Kind, server: BenchServer, buyers: readonly Buyer[], challenge: PaymentRequired) {
    this.#server = server;
    this.#buyers = buyers;
    this.#challenge = challenge;
    this.#kind = kind;
    this.#perSecond = GUESSED_PER_SECOND[kind];
  }

  static async start(kind: Kind, rpcUrl: string, buyers: readonly Buyer[]): Promise<Contender> {
    const server = await started<{ port: number }>(FILES[kind], rpcUrl);
    const response = await fetch(`http://127.0.0.1:${server.port}${PATH}`);
    const challenge = decodeChallengeHeader(response.headers.get('payment-required') ?? '');
    if (challenge === undefined) throw new Error(`${kind} asks for no payment: ${response.status}`);
    return new Contender(kind, server, buyers, challenge);
  }

  /** Buys for some seconds with payments that were signed before. */
  async buy(callers: number, windowSeconds: number): Promise<Bought> {
    const requests = await this.#signed(Math.ceil(this.#perSecond * windowSeconds * 1.5) + callers);
    const cpuBefore = await cpuMicros(this.#server);
    const startedMs = performance.now();
    const request = () => requests.pop();
    const { port } = this.#server;
    const options = { port, connections: callers, windowMs: windowSeconds * 1_000, request, status: 200, spins: false };
    const latencies = await load(options);
    this.#perSecond = (latencies.length * 1_000) / (performance.now() - startedMs);
    const micros = (await cpuMicros(this.#server)) - cpuBefore;
    return { perSecond: this.#perSecond, cpuMs: micros / 1_000 / latencies.length, latencies };
  }

  async warmUp(): Promise<void> {
    for (let done = 0; done < WARM_UP_CALLS[this.#kind]; )
      done += (await this.buy(connections, seconds)).latencies.length;
  }

  async askUnpaid(callers: number, windowSeconds: number): Promise<Bought> {
    const cpuBefore = await cpuMicros(this.#server);
    const request = Buffer.from(`${HEAD}\r\n`);
    const windowMs = windowSeconds * 1_000;
    const latencies = await load({ port: this.#server.port, connections: callers, windowMs, request, status: 402 });
    const micros = (await cpuMicros(this.#server)) - cpuBefore;
    return { perSecond: latencies.length / windowSeconds, cpuMs: micros / 1_000 / latencies.length, latencies };
  }

  end(): void {
    this.#server.child.disconnect();
  }

  async #signed(count: number): Promise<Buffer[]> {
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const requests: Buffer[] = [];
    for (let i = 0; i < count; i += 1) {
      const buyer = this.#buyers[i % this.#buyers.length] as Buyer;
      const { header } = await buyer.sign(this.#challenge, { nowSeconds });
      requests.push(Buffer.from(`${HEAD}payment-signature: ${header}\r\n\r\n`));
    }
    return requests;
  }
}

function figuresOf(windows: readonly Bought[]) {
  const latencies = windows.flatMap((one) => one.latencies);
  return {
    cpu_ms: round(cpuOf(windows)),
    calls_per_second: round(
      quantile(
        windows.map(({ perSecond }) => perSecond),
        0.5,
      ),
    ),
    p50_ms: round(quantile(latencies, 0.5)),
    p99_ms: round(quantile(latencies, 0.99)),
    calls: latencies.length,
  };
}

function cpuOf(windows: readonly Bought[]): number {
  return quantile(
    windows.map(({ cpuMs }) => cpuMs),
    0.5,
  );
}

const automine = await startChain();
const contenders = {
  service: await Contender.start('service', automine.rpcUrl, automine.buyers),
  official: await Contender.start('official', automine.rpcUrl, automine.buyers),
};
const windows: Record<Kind, Bought[]> = { service: [], official: [] };
for (const kind of ['service', 'official'] as const) await contenders[kind].warmUp();
for (let turn = 0; turn < rounds; turn += 1) {
  for (const kind of ['service', 'official'] as const) {
    windows[kind].push(await contenders[kind].buy(connections, seconds));
  }
}
contenders.official.end();
const [unpaidAlone, unpaidBusy] = [
  await contenders.service.askUnpaid(1, seconds),
  await contenders.service.askUnpaid(connections, seconds),
];
contenders.service.end();
automine.child.disconnect();

const slow = await startChain(BLOCK_MS);
const onBlocks = await Contender.start('service', slow.rpcUrl, slow.buyers);
await onBlocks.buy(connections, 1);
const blockSeconds = Math.max(seconds, (BLOCK_MS * 4) / 1_000);
const inBlocks: Record<string, ReturnType<typeof figuresOf>> = {};
for (const callers of [connections, connections * CROWD]) {
  inBlocks[`connections_${callers}`] = figuresOf([await onBlocks.buy(callers, blockSeconds)]);
}
onBlocks.end();
slow.child.disconnect();

const unpaid = (one: Bought) => ({ cpu_us: round(one.cpuMs * 1_000), p50_ms: round(quantile(one.latencies, 0.5)) });
const report = {
  bench: 'paid',
  cpu_ratio_to_official: round(cpuOf(windows.service) / cpuOf(windows.official)),
  automine: { connections, service: figuresOf(windows.service), official: figuresOf(windows.official) },
  blocks_of_2_s: inBlocks,
  unpaid: { connections_1: unpaid(unpaidAlone), [`connections_${connections}`]: unpaid(unpaidBusy) },
  signature: await signatureSpeed(rounds),
  keccak: await keccakSpeed(rounds),
};
console.log(JSON.stringify(report));
