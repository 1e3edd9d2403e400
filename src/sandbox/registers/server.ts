import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from '#kernel/node-http.ts';
import type { AddressInfo } from 'node:net';
import { CIR } from './cir.ts';
import { COMPANIES_HOUSE } from './companies-house.ts';
import { FSF } from './fsf.ts';
import { KVK } from './kvk.ts';
import { MOT, MOT_LOGIN } from './mot.ts';
import { RDW } from './rdw.ts';
import type { Simulator, SimulatorAnswer, SimulatorRequest } from './simulator.ts';
import { VIES } from './vies.ts';
import { CardProcessor } from '../card-processor/card-processor.ts';
import { DIGIKEY } from '../suppliers/digikey.ts';
import { EXAMPLE_SUPPLY } from '../suppliers/example-supply.ts';
import { MOUSER } from '../suppliers/mouser.ts';
import { NEXAR, NEXAR_LOGIN } from '../suppliers/nexar.ts';
import { Statistics } from '../open-data/figures.ts';
import { NDW, PDOK } from '../open-data/places.ts';
import { BWB, KOOP } from '../open-data/sru.ts';
import { TED, TENDERNED } from '../open-data/tenders.ts';
import { CodeHost } from '../venues/code-host.ts';
import { GITLAB } from '../venues/gitlab.ts';
import { Marketplace } from '../venues/opire.ts';

/** Path prefixes of the simulators. */
const SIMULATORS: Readonly<Record<string, Simulator>> = {
  vies: VIES,
  kvk: KVK,
  cir: CIR,
  rdw: RDW,
  ch: COMPANIES_HOUSE,
  mot: MOT,
  'mot-login': MOT_LOGIN,
  fsf: FSF,
  gitlab: GITLAB,
  nexar: NEXAR,
  'nexar-login': NEXAR_LOGIN,
  mouser: MOUSER,
  digikey: DIGIKEY,
  'example-supply': EXAMPLE_SUPPLY,
  koop: KOOP,
  bwb: BWB,
  tenderned: TENDERNED,
  ted: TED,
  pdok: PDOK,
  ndw: NDW,
};
export type SimulatorName =
  | ('vies' | 'kvk' | 'cir' | 'rdw' | 'ch' | 'mot' | 'mot-login' | 'fsf')
  | ('github' | 'gitlab' | 'opire')
  | ('koop' | 'bwb' | 'tenderned' | 'ted' | 'cbs' | 'pdok' | 'ndw')
  | ('nexar' | 'nexar-login' | 'mouser' | 'digikey' | 'example-supply')
  /** The card processor, whose client knows no path but its own. */
  | 'v1';

const MAX_SLOW_MS = 60_000;
const MAX_REQUEST_BYTES = 100_000;
const MAINTENANCE_PAGE = '<!DOCTYPE html><html><body><h1>Down for maintenance</h1></body></html>';

/** Faults that need nothing of the register; `slow:<ms>`, `throttle`, `truncate`, `huge` and `mismatch` are beside them. */
const PLAIN_FAULTS: Readonly<Record<string, Partial<SimulatorAnswer>>> = {
  '500': { status: 500, headers: { 'content-type': 'text/plain' }, body: 'Internal Server Error' },
  '404': { status: 404, headers: { 'content-type': 'text/html' }, body: '<html><body>Not Found</body></html>' },
  html: { status: 200, headers: { 'content-type': 'text/html' }, body: MAINTENANCE_PAGE },
  empty: { body: '' },
  badjson: { status: 200, body: '{"unexpected":[true,' },
  wrongjson: { status: 200, body: '{"unexpected":[true]}' },
  expired: { status: 401, headers: { 'content-type': 'application/json' }, body: '{"message":"Unauthorized"}' },
};

/** Registers, venues and the card processor of the sandbox on loopback: fictional data in the wire formats of the real ones, with a fault switch. */
export class RegisterSimulators implements AsyncDisposable {
  readonly url: string;
  readonly codeHost: CodeHost;
  readonly marketplace: Marketplace;
  readonly cards: CardProcessor;
  readonly statistics: Statistics;
  readonly #server: Server;
  readonly #faults: Map<string, string>;
  readonly #hanging: Hanging;

  private constructor(server: Server, { faults, hanging }: Serving, venues: Venues) {
    this.#server = server;
    this.#faults = faults;
    this.#hanging = hanging;
    this.codeHost = venues.github;
    this.marketplace = venues.opire;
    this.cards = venues.v1;
    this.statistics = venues.cbs;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(nowMs: () => number): Promise<RegisterSimulators> {
    const venues = {
      github: new CodeHost(nowMs()),
      opire: new Marketplace(),
      v1: new CardProcessor(nowMs),
      cbs: new Statistics(),
    };
    const simulators = { ...SIMULATORS, ...venues };
    const serving: Serving = { simulators, faults: new Map(), hanging: new Map(), nowMs };
    const server = createServer((request, response) => {
      void serve(request, response, serving).catch(() => response.destroy());
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject).listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve);
    await promise;
    server.unref();
    return new RegisterSimulators(server, serving, venues);
  }

  /** Everything that a register answers from now on goes through the fault; null mends it. Whoever hangs is let go. */
  setFault(register: SimulatorName, fault: string | null): void {
    for (const response of this.#hanging.get(register) ?? []) response.destroy();
    this.#hanging.delete(register);
    if (fault === null) this.#faults.delete(register);
    else this.#faults.set(register, fault);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cards[Symbol.dispose]();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }
}

interface Venues {
  readonly github: CodeHost;
  readonly opire: Marketplace;
  readonly v1: CardProcessor;
  readonly cbs: Statistics;
}

type Hanging = Map<string, ServerResponse[]>;

interface Serving {
  readonly simulators: Readonly<Record<string, Simulator>>;
  readonly faults: Map<string, string>;
  readonly hanging: Hanging;
  readonly nowMs: () => number;
}

async function serve(incoming: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { simulators, faults, hanging, nowMs } = serving;
  const url = new URL(incoming.url ?? '/', 'http://stand-in');
  const [, prefix = '', rest = ''] = /^\/([^/]+)(.*)$/.exec(url.pathname) ?? [];
  const simulator = simulators[prefix];
  const header = (name: string) => [incoming.headers[name]].flat()[0];
  const fault = header('x-fault') ?? url.searchParams.get('fault') ?? faults.get(prefix) ?? '';
  const request: SimulatorRequest = {
    method: incoming.method ?? 'GET',
    path: rest,
    query: url.searchParams,
    header,
    body: await bodyOf(incoming),
    nowMs: nowMs(),
    isMismatched: fault === 'mismatch',
  };
  if (fault === 'hang') return void hanging.set(prefix, [...(hanging.get(prefix) ?? []), response]);
  if (fault === 'reset') return void incoming.socket.resetAndDestroy();
  const [, slowMs] = /^slow:(\d{1,6})$/.exec(fault) ?? [];
  if (slowMs !== undefined) await delay(Math.min(Number(slowMs), MAX_SLOW_MS));
  if (simulator === undefined) return write(response, { status: 404, headers: {}, body: '' });
  const answer = fault === 'throttle' ? simulator.throttle(request) : simulator.answer(request);
  if (fault === 'truncate') return truncated(response, answer);
  if (fault === 'huge') return endless(response, answer);
  write(response, { ...answer, ...PLAIN_FAULTS[fault] });
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MAX_REQUEST_BYTES) throw new Error('too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function write(response: ServerResponse, { status, headers, body }: SimulatorAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Promises the whole answer, sends half of it and hangs up. */
function truncated(response: ServerResponse, { status, headers, body }: SimulatorAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
}

const BLOCK = ' '.repeat(65_536);

/** Goes on with blanks behind the answer until the caller hangs up. */
function endless(response: ServerResponse, { status, headers, body }: SimulatorAnswer): void {
  response.writeHead(status, headers).write(body);
  const more = (error?: Error | null) => {
    // Not within the same turn: whoever hung up is noticed only in the next.
    if (!error && !response.destroyed) setImmediate(() => response.write(BLOCK, more));
  };
  more();
}

function delay(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms).unref();
  return promise;
}
