// Wallets that are topped up by card: an agent, the service and the stand-in of the card processor.
import assert from 'node:assert/strict';
import { RegisterStandIns } from '#sandbox/registers/server.ts';
import type { CardProcessor } from '#sandbox/card-processor/card-processor.ts';
import { type Answer, type CallOptions, TestService, type TestServiceOptions } from './_harness.ts';

export const TOPUP = '/api/agents/wallet/topup';

export interface AgentOf {
  readonly id: string;
  readonly key: string;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Starts a top-up. */
  topUp(tier?: string, headers?: Record<string, string>): Promise<Answer>;
  state(topUpId: string): Promise<Record<string, unknown>>;
  wallet(): Promise<Record<string, unknown>>;
}

export async function registeredAgent(service: TestService): Promise<AgentOf> {
  const body = { name: 'buyer-7', owner_email: 'ops@example.org' };
  const { status, json, text } = await service.call('/api/agents/register', { method: 'POST', body });
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
  };
}

/** A service with stand-ins that outlive it. */
export interface CardBench extends AsyncDisposable {
  readonly service: TestService;
  readonly standIns: RegisterStandIns;
  readonly cards: CardProcessor;
}

export async function cardBench(options: TestServiceOptions = {}): Promise<CardBench> {
  const nowMs = () => options.clock?.now() ?? Date.now();
  const standIns = await RegisterStandIns.start(nowMs);
  const service = await TestService.start({ ...options, registerStandIns: { standIns } });
  return {
    service,
    standIns,
    cards: standIns.cards,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await standIns[Symbol.asyncDispose]();
    },
  };
}

export function sessionOf({ json }: Answer): string {
  return String(json['checkout_url']).split('/').at(-1) ?? '';
}
