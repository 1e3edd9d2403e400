// Agents over HTTP, and money in their wallets without a card.
import assert from 'node:assert/strict';
import { newId } from '#kernel/ids.ts';
import { isRefused, ledger, walletOf } from '#platform/ledger/steps.ts';
import { agentUnit } from '#areas/wallet/unit.ts';
import type { Store } from '#platform/storage/store.ts';
import type { Answer, CallOptions } from './client.ts';
import type { TestService } from './service.ts';
import { newAddress } from './shared-service.ts';

/** The wallet is opened where there is none. */
export async function fund(store: Store, agentId: string, amountMicro: number): Promise<void> {
  const txId = newId('tx_');
  const legs = [
    { account: 'psp:stripe', amountMicro },
    { account: walletOf(agentId), amountMicro: -amountMicro },
  ];
  const post = ledger.post({ txId, kind: 'test_credit', idem: `credit:${txId}`, ref: txId, legs });
  const results = await store.runAll([ledger.open({ agentId }), post], isRefused);
  if (results.some(isRefused)) throw new Error(JSON.stringify(results));
}

export const OWNER = { name: 'buyer-7', owner_email: 'ops@example.org' };

export interface RegisteredAgent {
  readonly id: string;
  readonly key: string;
  readonly keyId: string;
  call(path: string, options?: CallOptions): Promise<Answer>;
  post(path: string, body: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
  fund(amountMicro: number): Promise<void>;
}

/** From an address of its own where the service takes it from a header: an address registers few. */
export async function registeredAgent(service: TestService): Promise<RegisteredAgent> {
  const headers = { 'x-forwarded-for': newAddress() };
  const { status, json, text } = await service.call('/api/agents/register', { method: 'POST', body: OWNER, headers });
  assert.equal(status, 201, text);
  const names = { id: String(json['agent_id']), key: String(json['agent_key']), keyId: String(json['key_id']) };
  return agentOf(service, names);
}

/** An agent that was registered before. */
export function agentOf(
  service: TestService,
  { id, key, keyId }: Pick<RegisteredAgent, 'id' | 'key' | 'keyId'>,
): RegisteredAgent {
  const call = (path: string, { headers: more = {}, ...rest }: CallOptions = {}) =>
    service.call(path, { ...rest, headers: { 'x-agent-key': key, ...more } });
  return {
    id,
    key,
    keyId,
    call,
    post: (path, body, more = {}) => call(path, { method: 'POST', body, headers: more }),
    fund: (amountMicro) => fund(service.service.store, id, amountMicro),
  };
}

export async function suspend(service: TestService, agentId: string): Promise<void> {
  await service.service.store.run(agentUnit, { type: 'status', agentId, status: 'suspended' });
}
