import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import type { ProcessorEvent } from '#sandbox/card-processor/card-state.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { lockDatabase } from '../../support/service.ts';
import { bareService } from '../../support/shared-service.ts';
import { afterStartSweep, cardBench, registeredAgent, Sender, sessionOf } from '../../support/topup.ts';

const statuses = new PromisedStatuses('stripe_webhook');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/webhooks/stripe';

test('a signed event is taken byte for byte, credits once, and is refused while it cannot be kept', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 15));
  await using bench = await cardBench({ clock });
  await afterStartSweep(bench, clock);
  bench.cards.deliveries.mode = 'hold';
  const sender = new Sender(bench.service, () => clock.now());
  const agent = await registeredAgent(bench.service);
  await bench.cards.act(sessionOf(await agent.topUp()), 'pay');
  const [paid] = bench.cards.deliveries.held as [ProcessorEvent];
  {
    using _lock = lockDatabase(bench.service.dataDir);
    expectProblem(statuses.saw(await sender.tell(paid)), 503, 'storage_unavailable');
  }
  const answer = statuses.saw(await sender.tell(paid));
  assert.deepEqual([answer.status, answer.json], [200, { received: true, outcome: 'credited' }]);
  expectProblem(statuses.saw(await sender.tell(paid, { tamper: true })), 400, 'signature_invalid');
  const post = async (body: string, type: string) =>
    statuses.saw(await bench.service.call(PATH, { method: 'POST', body, headers: { 'content-type': type } }));
  expectProblem(await post('{', 'application/json'), 400, 'signature_invalid');
  expectProblem(await post('x', 'text/plain'), 415, 'unsupported_media_type');
  expectProblem(await post('x'.repeat(262_145), 'application/json'), 413, 'body_too_large');
});

test('without cards no event is taken', async () => {
  const { service } = await bareService();
  const answer = await service.call(PATH, { method: 'POST', body: {} });
  expectProblem(statuses.saw(answer), 503, 'payments_not_configured');
});
