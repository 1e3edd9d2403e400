import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS, ManualClock } from '#kernel/clock.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import { expectProblem } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';
import { type Body, followed, fundedAgent, heard, ordered, SHIP_TO, states } from '../../support/orders.ts';

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';

  test(`offers are kept for a day, for whoever asked, and old ones are told (${engine})`, { skip }, async () => {
    const clock = new ManualClock(Date.now());
    await using simulators = await RegisterSimulators.start(() => clock.now());
    await using service = await TestService.start({ engine, clock, registerSimulators: { simulators } });
    const [agent, other] = [await fundedAgent(service), await fundedAgent(service)];
    const ask = async (by: typeof agent) => {
      const parts = ['EX-MCU-32', 'NOBODY-HAS-IT'].map((id) => ({ id, mpn: id }));
      const made = { id: 'A', make: { lines: parts.map(({ id }) => ({ part: id, qty: 1 })) } };
      const bom = { root: 'A', parts: [made, ...parts] };
      const { json } = await by.post('/api/v1/calculate', { bom, quantity: 1, catalogue: ['mouser'] });
      const [{ state } = {}] = json['adapters'] as Body[];
      const stale = (json['flags'] as Body[]).some(({ code }) => code === 'offer_stale');
      return [state, (json['coverage'] as Body)['priced'], stale];
    };
    const quote = { lines: [{ mpn: 'EX-MCU-32', qty: 1 }], supplier: 'Mouser', ship_to: SHIP_TO, mode: 'quote' };
    const order = () => agent.post('/api/v1/orders', quote);
    assert.deepEqual(await ask(agent), ['ok', 1, false]);
    assert.equal((await order()).status, 201);
    simulators.setFault('mouser', 'html');
    assert.deepEqual(await ask(agent), ['ok', 1, false], 'nobody is asked again');
    assert.deepEqual(await ask(other), ['down', 0, false], 'what one was told is not shown to another');
    clock.advance(7 * HOUR_MS);
    assert.deepEqual(await ask(agent), ['down', 1, false], 'that nobody has a part is asked sooner');
    clock.advance(18 * HOUR_MS);
    assert.deepEqual(await ask(agent), ['down', 1, true]);
    const { detail } = expectProblem(await order(), 409, 'nothing_to_order');
    assert.match(String(detail), /no usable offer of the last day for EX-MCU-32\. .+ \(mouser: down/);
    simulators.setFault('mouser', null);
    clock.advance(HOUR_MS);
    assert.deepEqual(await ask(agent), ['ok', 1, false]);
  });

  test(`a supplier that did not hear of an order is told again (${engine})`, { skip }, async () => {
    const clock = new ManualClock(Date.now());
    await using simulators = await RegisterSimulators.start(() => clock.now());
    await using service = await TestService.start({ engine, clock, registerSimulators: { simulators } });
    const agent = await fundedAgent(service);
    simulators.setFault('example-supply', 'reset');
    const order = await ordered(agent);
    assert.equal(order['state'], 'placed');
    simulators.setFault('example-supply', null);
    await heard(service, clock);
    const delivered = await followed({ service, agent }, order['order_id'], 'delivered');
    assert.deepEqual(states(delivered), ['quoted', 'placed', 'confirmed', 'shipped', 'delivered']);
  });

  test(`a supplier that did not hear of a cancellation is told again (${engine})`, { skip }, async () => {
    const clock = new ManualClock(Date.now());
    await using simulators = await RegisterSimulators.start(() => clock.now());
    await using service = await TestService.start({ engine, clock, registerSimulators: { simulators } });
    const agent = await fundedAgent(service);
    const { order_id: id } = await ordered(agent);
    const [{ ref } = {}] = await service.service.store.read('SELECT supplier_ref AS ref FROM supplier_order');
    const said = async () => {
      const answer = await fetch(`${simulators.url}/example-supply/orders/${String(ref)}`);
      return ((await answer.json()) as Body)['state'];
    };
    simulators.setFault('example-supply', 'reset');
    assert.equal((await agent.post(`/api/v1/orders/${String(id)}/cancel`, {})).json['state'], 'cancelled');
    simulators.setFault('example-supply', null);
    assert.equal(await said(), 'received');
    await heard(service, clock);
    assert.equal(await said(), 'cancelled');
    const [{ asks } = {}] = await service.service.store.read('SELECT asks_at AS asks FROM supplier_order');
    assert.equal(asks, null, 'once told is enough');
  });
}
