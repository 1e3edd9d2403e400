// An agent with money that executes capabilities.
import type { ModelError } from '#sandbox/model-provider/simulator.ts';
import { ModelSimulator } from '#sandbox/model-provider/simulator.ts';
import { type Answer } from './client.ts';
import { TestService, type TestServiceOptions } from './service.ts';
import { registeredAgent } from './wallet.ts';

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
  const agent = await registeredAgent(service);
  await agent.fund(amountMicro);
  return {
    id: agent.id,
    key: agent.key,
    get: (path) => agent.call(path),
    execute: (capability, sent, headers) => agent.post('/capabilities/execute', { capability, ...sent }, headers),
    async balance() {
      const wallet = (await agent.call('/api/agents/wallet')).json;
      return [String(wallet['posted_eur']), String(wallet['held_eur'])];
    },
  };
}

/** Only an answer that never comes is not waited for. */
const PATIENT_MS = 60_000;
const NEVER_ANSWERED_MS = 50;

/** A service whose model provider the test has in its hand. */
export async function withProvider(
  options: TestServiceOptions = {},
): Promise<{ service: TestService; provider: ModelSimulator; fail(fault: ModelError | null): void } & AsyncDisposable> {
  const provider = await ModelSimulator.start();
  const modelSimulator = {
    simulator: provider,
    get timeoutMs() {
      return provider.fault === 'timeout' ? NEVER_ANSWERED_MS : PATIENT_MS;
    },
  };
  const service = await TestService.start({ ...options, modelSimulator });
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
