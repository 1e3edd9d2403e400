// An order of an agent that has an owner.
import type { Visited } from './cabinet.ts';
import { ordered } from './orders.ts';
import { fund } from './wallet.ts';
import type { CallOptions } from './client.ts';

export async function ownedOrder({ service, agent }: Visited, more: Record<string, unknown> = {}): Promise<string> {
  const { store } = service.service;
  await fund(store, agent.id, 5_000_000);
  const call = (path: string, { headers = {}, ...rest }: CallOptions = {}) =>
    service.call(path, { ...rest, headers: { 'x-agent-key': agent.key, ...headers } });
  const order = await ordered(
    {
      ...{ id: agent.id, key: agent.key, keyId: agent.keyId, call },
      post: (path, body, headers = {}) => call(path, { method: 'POST', body, headers }),
      fund: (amountMicro) => fund(store, agent.id, amountMicro),
    },
    more,
    10,
    more['supplier'] === undefined ? {} : { supplier: more['supplier'] },
  );
  return String(order['order_id']);
}
