import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { chooseRecoverEngine, type RecoverEngine } from '#protocol/payment/recover-engine.ts';
import { PaymentPayload, PaymentRequirements } from '#protocol/payment/wire.ts';
import { listenOnLoopback, type LoopbackServer } from '../loopback.ts';
import { type FacilitatorMode, isFacilitatorMode } from './mode.ts';
import { Relay } from './relay.ts';
import type { TokenCheck } from './token-check.ts';

const MAX_BODY_BYTES = 1_000_000;
const SettleRequest = z.object({
  x402Version: z.literal(2),
  paymentPayload: PaymentPayload,
  paymentRequirements: PaymentRequirements,
});
type SettleRequest = z.infer<typeof SettleRequest>;

export interface SimulatorOptions {
  readonly rpcUrl: string;
  readonly network: string;
  readonly mode?: FacilitatorMode;
  /** How late a slow answer comes. */
  readonly slowMs?: number;
  /** Refuses every call without this Authorization header, or without a token that passes. */
  readonly authorization?: string | TokenCheck;
  /** What the catalogue says of a settled payment, as EXTENSION-RESPONSES has it. */
  readonly listing?: object;
}

/** What a mode does with a settle request. */
type Behaviour = (simulator: FacilitatorSimulator, request: SettleRequest, response: ServerResponse) => Promise<void>;

/** A facilitator in front of the sandbox chain, with the wire format of the real ones and a switch for their faults. */
export class FacilitatorSimulator implements AsyncDisposable {
  readonly url: string;
  readonly settled: string[] = [];
  /** What it was sent to settle. */
  readonly asked: SettleRequest[] = [];
  mode: FacilitatorMode;
  readonly options: SimulatorOptions;
  readonly relay: Relay;
  readonly #server: LoopbackServer;
  readonly #pending = new Map<string, number>();

  private constructor(options: SimulatorOptions, server: LoopbackServer, engine: RecoverEngine) {
    this.options = options;
    this.mode = options.mode ?? 'clean';
    this.relay = new Relay(options.rpcUrl, engine);
    this.#server = server;
    this.url = server.url;
  }

  static async start(options: SimulatorOptions): Promise<FacilitatorSimulator> {
    const server = await listenOnLoopback((request, response) => simulator.#handle(request, response));
    const engine = await chooseRecoverEngine();
    const simulator: FacilitatorSimulator = new FacilitatorSimulator(options, server, engine);
    return simulator;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  /** Sends the payment to the chain and gives the answer of a facilitator. */
  async settle({ paymentPayload }: SettleRequest): Promise<Record<string, unknown>> {
    const { from: payer, nonce } = paymentPayload.payload.authorization;
    const { network } = this.options;
    try {
      const { transaction, isPaid } = await this.relay.settle(paymentPayload);
      if (!isPaid) return { success: false, errorReason: 'invalid_transaction_state', payer, transaction, network };
      this.settled.push(nonce);
      return { success: true, payer, transaction, network };
    } catch {
      return { success: false, errorReason: 'unexpected_settle_error', payer, transaction: '', network };
    }
  }

  /** Counts how often a payment was seen. */
  seen({ paymentPayload }: SettleRequest): number {
    const { nonce } = paymentPayload.payload.authorization;
    const count = (this.#pending.get(nonce) ?? 0) + 1;
    this.#pending.set(nonce, count);
    return count;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { pathname } = new URL(request.url ?? '/', this.url);
      const body = await bodyOf(request);
      if (pathname === '/mode') return this.#switch(body, response);
      if (!this.#isAllowed(request)) return answer(response, 401, { error: 'unauthorized' });
      if (pathname === '/supported') return this.#supported(response);
      if (pathname === '/verify') return this.#verify(body, response);
      if (pathname !== '/settle') return answer(response, 404, { error: 'not found' });
      const asked = SettleRequest.safeParse(parsed(body));
      if (!asked.success) return answer(response, 400, { error: 'invalid request' });
      this.asked.push(asked.data);
      const { listing } = this.options;
      if (listing !== undefined) response.setHeader('extension-responses', base64Json(listing));
      await BEHAVIOURS[this.mode](this, asked.data, response);
    } catch {
      response.destroy();
    }
  }

  #isAllowed({ method = '', url = '', headers: { authorization: sent } }: IncomingMessage): boolean {
    const { authorization } = this.options;
    if (authorization === undefined) return true;
    if (typeof authorization === 'string') return sent === authorization;
    return authorization.fault(sent, method, new URL(url, this.url).href) === null;
  }

  #switch(body: string, response: ServerResponse): void {
    const { mode } = (parsed(body) ?? {}) as { mode?: unknown };
    if (typeof mode !== 'string' || !isFacilitatorMode(mode)) return answer(response, 400, { error: 'unknown mode' });
    this.mode = mode;
    answer(response, 200, { mode });
  }

  #supported(response: ServerResponse): void {
    const { network } = this.options;
    const kinds = [{ x402Version: 2, scheme: 'exact', network }];
    answer(response, 200, { kinds, extensions: [], signers: { 'eip155:*': [this.relay.address] } });
  }

  #verify(body: string, response: ServerResponse): void {
    const asked = SettleRequest.safeParse(parsed(body));
    const payer = asked.data?.paymentPayload.payload.authorization.from;
    if (payer === undefined) answer(response, 400, { isValid: false, invalidReason: 'invalid_payload' });
    else answer(response, 200, { isValid: true, payer });
  }
}

const BEHAVIOURS: Readonly<Record<FacilitatorMode, Behaviour>> = {
  clean: async (simulator, request, response) => answer(response, 200, await simulator.settle(request)),
  accept_then_timeout: async (simulator, request) => void (await simulator.settle(request)),
  '5xx_after_settle': async (simulator, request, response) => {
    await simulator.settle(request);
    answer(response, 500, { error: 'internal server error' });
  },
  double_402: async (simulator, request, response) => {
    const { transaction } = simulator.seen(request) === 1 ? await simulator.settle(request) : { transaction: '' };
    answer(response, 402, { ...refusal(simulator, request, 'settlement_pending'), transaction });
  },
  pending_then_refused: async (simulator, request, response) => {
    const count = simulator.seen(request);
    if (count > 2) return answer(response, 200, await simulator.settle(request));
    const { nonce: transaction } = request.paymentPayload.payload.authorization;
    const said =
      count === 1
        ? { ...refusal(simulator, request, 'settlement_pending'), transaction }
        : refusal(simulator, request, 'invalid_exact_evm_payload_authorization_valid_before');
    answer(response, 402, said);
  },
  slow_answer: async (simulator, request, response) => {
    const settled = await simulator.settle(request);
    setTimeout(() => answer(response, 200, settled), simulator.options.slowMs ?? 1000).unref();
  },
  reconcile_unavailable: async (simulator, request, response) => {
    if (simulator.seen(request) === 1) await simulator.settle(request);
    answer(response, 502, { error: 'bad gateway' });
  },
  declared_safe: async (simulator, request, response) =>
    answer(response, 402, refusal(simulator, request, 'invalid_exact_evm_insufficient_balance')),
  redirect: async (simulator, _request, response) =>
    void response.writeHead(307, { location: `${simulator.url}/elsewhere` }).end(),
  success_false_with_200: async (simulator, request, response) =>
    answer(response, 200, refusal(simulator, request, 'unexpected_settle_error')),
  lying_success: async (simulator, request, response) => {
    const { network } = simulator.options;
    const { from: payer, nonce: transaction } = request.paymentPayload.payload.authorization;
    answer(response, 200, { success: true, payer, transaction, network });
  },
  bad_json: async (simulator, request, response) => {
    await simulator.settle(request);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":tru');
  },
  dropped_connection: async (simulator, request, response) => {
    await simulator.settle(request);
    response.destroy();
  },
};

function refusal({ options }: FacilitatorSimulator, { paymentPayload }: SettleRequest, errorReason: string) {
  const { from: payer } = paymentPayload.payload.authorization;
  return { success: false, errorReason, payer, transaction: '', network: options.network };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new Error('the body is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function base64Json(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
