// Agents over HTTP, and money in their wallets without a card.
import assert from 'node:assert/strict';
import { newApiKey, newId } from '#kernel/ids.ts';
import { isRefused, ledger, walletOf } from '#ledger/steps.ts';
import { agentUnit } from '#areas/wallet/unit.ts';
import type { Store } from '#storage/store.ts';
import { type Answer, type CallOptions, expectProblem } from './client.ts';
import { type PromisedStatuses } from './promised-statuses.ts';
import { TestService } from './service.ts';

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

export async function registeredAgent(service: TestService): Promise<RegisteredAgent> {
  const { status, json, text } = await service.call('/api/agents/register', { method: 'POST', body: OWNER });
  assert.equal(status, 201, text);
  const key = String(json['agent_key']);
  const id = String(json['agent_id']);
  const call = (path: string, { headers = {}, ...rest }: CallOptions = {}) =>
    service.call(path, { ...rest, headers: { 'x-agent-key': key, ...headers } });
  return {
    ...{ id, key, keyId: String(json['key_id']), call },
    post: (path, body, headers = {}) => call(path, { method: 'POST', body, headers }),
    fund: (amountMicro) => fund(service.service.store, id, amountMicro),
  };
}

export async function suspend(service: TestService, agentId: string): Promise<void> {
  await service.service.store.run(agentUnit, { type: 'status', agentId, status: 'suspended' });
}

/** What every call under an agent key refuses, whatever it is about. */
export async function keyRefusals(
  statuses: PromisedStatuses,
  call: (headers: Record<string, string>) => Promise<Answer>,
): Promise<void> {
  const refused = async (headers: Record<string, string>, code: string) =>
    expectProblem(statuses.saw(await call(headers)), 401, code);
  await refused({}, 'key_missing');
  await refused({ 'x-agent-key': `agk_${'A'.repeat(49)}` }, 'key_malformed');
  await refused({ 'x-agent-key': newApiKey('agk_') }, 'key_invalid');
}
