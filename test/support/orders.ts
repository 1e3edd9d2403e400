// Bills of materials and orders over HTTP.
import assert from 'node:assert/strict';
import { type ManualClock, MINUTE_MS } from '#kernel/clock.ts';
import { until } from './until.ts';
import type { TestService } from './service.ts';
import { type RegisteredAgent, registeredAgent } from './wallet.ts';

export type Body = Record<string, unknown>;
export const SHIP_TO = { country: 'NL', postcode: '1234 AB', lines: ['Secret Lane 1', 'Exampletown'] };

/** So many of one part with one offer. */
export function bill(quantity: number, offer: Body = {}): Body {
  const offers = [{ supplier: 'EXAMPLE-SUPPLY', sku: 'ES-1', breaks: [[1, '2.00']], ...offer }];
  return { bom: { root: 'P', parts: [{ id: 'P', mpn: 'P-1', offers }] }, quantity, catalogue: ['inline'] };
}

export async function fundedAgent(service: TestService, micro = 10_000_000): Promise<RegisteredAgent> {
  const agent = await registeredAgent(service);
  await agent.fund(micro);
  return agent;
}

/** The id of a calculation of goods for so many times 2 EUR. */
export async function calculated(agent: RegisteredAgent, pieces: number, offer: Body = {}): Promise<string> {
  const { status, json, text } = await agent.post('/api/v1/calculate', bill(pieces, offer));
  assert.equal(status, 200, text);
  return String(json['calculation_id']);
}

export async function ordered(agent: RegisteredAgent, more: Body = {}, pieces = 10, offer: Body = {}): Promise<Body> {
  const calculation_id = await calculated(agent, pieces, offer);
  const body = { calculation_id, supplier: 'EXAMPLE-SUPPLY', ship_to: SHIP_TO, ...more };
  const { status, json, text } = await agent.post('/api/v1/orders', body);
  assert.equal(status, 201, text);
  return json;
}

export async function money(agent: RegisteredAgent): Promise<readonly [posted: unknown, held: unknown]> {
  const { json } = await agent.call('/api/agents/wallet');
  return [json['posted_eur'], json['held_eur']];
}

export const states = (order: Body) => (order['history'] as { state: string }[]).map(({ state }) => state);

/** A supplier that did not hear of an order hears of it, and has had the time to deliver. */
export async function heard(service: TestService, clock: ManualClock): Promise<void> {
  clock.advance(MINUTE_MS);
  // The first time may only wait for a run that began before the time passed.
  for (let turn = 0; turn < 2; turn += 1) await service.runNow('orders');
  clock.advance(9_000);
}

/** Follows the order until it is in a state. */
export async function followed(
  { service, agent }: { readonly service: TestService; readonly agent: RegisteredAgent },
  id: unknown,
  state: string,
  isSealed = false,
): Promise<Body> {
  let order: Body = {};
  await until(`the order to be ${state}`, async () => {
    await service.runNow('orders');
    order = (await agent.call(`/api/v1/orders/${String(id)}`)).json;
    const open = (order['history'] as { attestation_id: unknown }[]).some((one) => one.attestation_id === null);
    return order['state'] === state && !(isSealed && open);
  });
  return order;
}
