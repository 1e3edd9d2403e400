import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessorEvent } from '#sandbox/card-processor/card-state.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import { ChildService } from '../support/child-service.ts';
import { type CallOptions, Client } from '../support/client.ts';
import { copySqliteTemplate } from '../support/databases.ts';
import { until } from '../support/until.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv, TestService } from '../support/service.ts';
import { registeredAgent, Sender, sessionOf, WEBHOOK_SECRET } from '../support/topup.ts';

test('a process that is killed while it credits leaves one credit', async () => {
  await using simulators = await RegisterSimulators.start(Date.now);
  const { cards } = simulators;
  cards.deliveries.mode = 'hold';
  await using stack = new AsyncDisposableStack();
  const dataDir = stack.adopt(await temporaryDirectory(), (path) => rm(path, { recursive: true }));
  await copySqliteTemplate(dataDir);
  const env = serviceEnv(dataDir, undefined, {
    AVOUCH_WALLET_TOPUP: 'stripe',
    AVOUCH_STRIPE_SECRET_KEY: 'sk_test_x',
    AVOUCH_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    AVOUCH_STRIPE_BASE_URL: simulators.url,
  });
  const child = await ChildService.start(env);
  let { url } = child;
  const client = new Client();
  const service = { call: (path: string, options?: CallOptions) => client.call(url, path, options) };
  const sender = new Sender(service, Date.now);
  const agent = await registeredAgent(service);
  const paidEvent = async (key: string) => {
    // On a busy machine the child does not wait long enough for the processor; the same key goes on with the top-up.
    const begun = await until('a checkout', async () => {
      const answer = await agent.topUp('starter', { 'idempotency-key': key });
      return answer.status === 201 && answer;
    });
    await cards.act(sessionOf(begun), 'pay');
    return cards.deliveries.held.splice(0).at(-1) as ProcessorEvent;
  };

  const paid = await paidEvent('first');
  // Its answer shows that the credit is durable; the processor, that was cut off, does not see it.
  await until('the credit', async () => (await sender.tell(paid)).status === 200);
  const alsoPaid = await paidEvent('second');
  const unanswered = sender.tell(alsoPaid).catch(() => 'cut');
  await pause(Math.random() * 10);
  await child.end('SIGKILL');
  await unanswered;
  await using again = await TestService.start({ dataDir, env });
  ({ url } = again);
  assert.equal(await sender.outcome(paid), 'duplicate_event');
  await Promise.all([sender.tell(alsoPaid), agent.wallet(), sender.tell(alsoPaid)]);
  assert.deepEqual(await agent.moved(), ['topup 10.00', 'topup 10.00']);
  client.close();
});

test('a start finds what happened while nobody was there to hear of it', async () => {
  await using simulators = await RegisterSimulators.start(Date.now);
  const { cards } = simulators;
  const dataDir = await temporaryDirectory();
  await copySqliteTemplate(dataDir);
  const start = () => TestService.start({ dataDir, registerSimulators: { simulators } });
  let key: string;
  {
    await using service = await start();
    const agent = await registeredAgent(service);
    key = agent.key;
    const session = sessionOf(await agent.topUp());
    await cards.act(session, 'pay');
    assert.deepEqual(await agent.moved(), ['topup 10.00']);
    cards.deliveries.mode = 'lose';
    await cards.act(session, 'refund');
  }
  {
    await using service = await start();
    const headers = { 'x-agent-key': key };
    const kinds = async () => {
      const { json } = await service.call('/api/agents/wallet/ledger', { headers });
      return (json['items'] as { kind: string }[]).map(({ kind }) => kind);
    };
    await until('the refund', async () => (await kinds()).length === 2);
    assert.deepEqual(await kinds(), ['refund', 'topup']);
  }
  await rm(dataDir, { recursive: true });
});
