// An agent with money that executes capabilities.
import assert from 'node:assert/strict';
import type { ModelFault } from '#sandbox/model-provider/stand-in.ts';
import { ModelStandIn } from '#sandbox/model-provider/stand-in.ts';
import { type Answer, TestService, type TestServiceOptions } from './_harness.ts';
import { fund } from './_wallet.ts';

export type Body = Record<string, unknown>;

export interface Buyer {
  readonly id: string;
  readonly key: string;
  execute(capability: string, body: Body, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Posted and held, in EUR. */
  balance(): Promise<readonly [string, string]>;
}

export async function buyer(service: TestService, amountMicro = 10_000_000): Promise<Buyer> {
  const body = { name: 'buyer-7', owner_email: 'ops@shop.example' };
  const { json, text } = await service.call('/api/agents/register', { method: 'POST', body });
  assert.equal(typeof json?.['agent_key'], 'string', text);
  const [id, key] = [String(json['agent_id']), String(json['agent_key'])];
  if (amountMicro > 0) await fund(service.service.store, id, amountMicro);
  const own = { 'x-agent-key': key };
  const get = (path: string) => service.call(path, { headers: own });
  return {
    id,
    key,
    get,
    execute: (capability, sent, headers = {}) =>
      service.call('/capabilities/execute', {
        method: 'POST',
        body: { capability, ...sent },
        headers: { ...own, ...headers },
      }),
    async balance() {
      const wallet = (await get('/api/agents/wallet')).json;
      return [String(wallet['posted_eur']), String(wallet['held_eur'])];
    },
  };
}

/** A service whose model provider the test has in its hand. */
export async function withProvider(
  options: TestServiceOptions & { timeoutMs?: number; threadLimitMs?: number } = {},
): Promise<{ service: TestService; provider: ModelStandIn; fail(fault: ModelFault | null): void } & AsyncDisposable> {
  const provider = await ModelStandIn.start();
  const { timeoutMs = 5_000, threadLimitMs = 30_000, ...rest } = options;
  const service = await TestService.start({ ...rest, modelStandIn: { standIn: provider, timeoutMs, threadLimitMs } });
  return {
    service,
    provider,
    fail(fault) {
      provider.fault = fault;
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}
