// Wallets that are topped up by card: an agent, the service and the simulator of the card processor.
import assert from 'node:assert/strict';
import { Stripe } from 'stripe';
import type { ManualClock } from '#kernel/clock.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import type { CardProcessor } from '#sandbox/card-processor/card-processor.ts';
import { type ProcessorEvent, wireEvent } from '#sandbox/card-processor/card-state.ts';
import type { Answer, CallOptions } from './client.ts';
import { TestService, type TestServiceOptions } from './service.ts';
import { newAddress, sharedServiceOn, WEBHOOK_SECRET } from './shared-service.ts';
import { until } from './until.ts';

export { WEBHOOK_SECRET } from './shared-service.ts';

export const TOPUP = '/api/agents/wallet/topup';

export interface AgentOf {
  readonly id: string;
  readonly key: string;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Starts a top-up. */
  topUp(tier?: string, headers?: Record<string, string>): Promise<Answer>;
  state(topUpId: string): Promise<Record<string, unknown>>;
  wallet(): Promise<Record<string, unknown>>;
  /** Kinds and amounts of what moved, oldest first; nobody asks the processor for it. */
  moved(): Promise<string[]>;
}

/** Each from an address of its own, where the service believes it. */
export async function registeredAgent(service: Pick<TestService, 'call'>): Promise<AgentOf> {
  const body = { name: 'buyer-7', owner_email: 'ops@example.org' };
  const address = { 'x-forwarded-for': newAddress() };
  const { status, json, text } = await service.call('/api/agents/register', { method: 'POST', body, headers: address });
  assert.equal(status, 201, text);
  const key = String(json['agent_key']);
  const call = (path: string, { headers, ...options }: CallOptions = {}) =>
    service.call(path, { ...options, headers: { 'x-agent-key': key, ...headers } });
  return {
    id: String(json['agent_id']),
    key,
    call,
    topUp: (tier = 'starter', headers = {}) => call(TOPUP, { method: 'POST', body: { tier }, headers }),
    state: async (id) => (await call(`${TOPUP}/${id}`)).json,
    wallet: async () => (await call('/api/agents/wallet')).json,
    moved: async () => {
      const { items } = (await call('/api/agents/wallet/ledger')).json as { items: Record<string, string>[] };
      return items.map(({ kind, amount_eur }) => `${kind} ${amount_eur}`).toReversed();
    },
  };
}

/** A service with simulators that outlive it. */
export interface CardBench extends AsyncDisposable {
  readonly service: TestService;
  readonly simulators: RegisterSimulators;
  readonly cards: CardProcessor;
  /** Lets time pass at the processor alone: no top-up is due by it. */
  passAtProcessor(ms: number): void;
}

export async function cardBench(options: TestServiceOptions = {}): Promise<CardBench> {
  let aheadMs = 0;
  const nowMs = () => (options.clock?.now() ?? Date.now()) + aheadMs;
  const simulators = await RegisterSimulators.start(nowMs);
  const env = { AVOUCH_TRUSTED_PROXIES: '127.0.0.1', AVOUCH_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, ...options.env };
  const service = await TestService.start({ ...options, env, registerSimulators: { simulators } });
  return {
    service,
    simulators,
    cards: simulators.cards,
    passAtProcessor: (ms) => void (aheadMs += ms),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await simulators[Symbol.asyncDispose]();
    },
  };
}

/** The service that this process shares, with its simulators. */
export async function sharedCards(): Promise<Pick<CardBench, 'service' | 'simulators' | 'cards'>> {
  const { service, simulators } = await sharedServiceOn('sqlite');
  return { service, simulators, cards: simulators.cards };
}

export function sessionOf({ json }: Answer): string {
  return String(json['checkout_url']).split('/').at(-1) ?? '';
}

/** Events as the processor would send them, signed by its own client. */
export class Sender {
  readonly #service: Pick<TestService, 'call'>;
  readonly #stripe = new Stripe('sk_test_x');
  readonly #nowMs: () => number;

  constructor(service: Pick<TestService, 'call'>, nowMs: () => number) {
    this.#service = service;
    this.#nowMs = nowMs;
  }

  async tell(
    event: ProcessorEvent,
    change: { secret?: string; ageS?: number; tamper?: boolean } = {},
  ): Promise<Answer> {
    const payload = JSON.stringify(wireEvent(event));
    const { secret = WEBHOOK_SECRET, ageS = 0, tamper = false } = change;
    const timestamp = Math.floor(this.#nowMs() / 1_000) - ageS;
    const signature = this.#stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    const body = tamper ? payload.replace('"livemode":false', '"livemode":true ') : payload;
    return this.send(body, { 'stripe-signature': signature });
  }

  async outcome(event: ProcessorEvent): Promise<unknown> {
    const { status, json, text } = await this.tell(event);
    return status === 200 ? json['outcome'] : text;
  }

  send(body: string, headers: Record<string, string>): Promise<Answer> {
    const type = { 'content-type': 'application/json; charset=utf-8' };
    return this.#service.call('/api/webhooks/stripe', { method: 'POST', body, headers: { ...type, ...headers } });
  }
}

/** The service reads lost events soon after its start, which would come between a test and the webhooks that it keeps back. */
export async function afterStartSweep({ service, cards }: CardBench, clock?: ManualClock): Promise<void> {
  const agent = await registeredAgent(service);
  await cards.act(sessionOf(await agent.topUp()), 'pay_lose_webhook');
  clock?.advance(5_000);
  await until('the event that was lost', async () => {
    await service.runNow('topups');
    return (await agent.moved()).length > 0;
  });
}
