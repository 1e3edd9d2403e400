// The service as a process of its own whose chain lies in the parent: it may be killed at any point.
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { systemClock } from '#kernel/clock.ts';
import type { TransferAuthorization } from '#protocol/payment/authorization-digest.ts';
import type {
  PayerFacts,
  Reconciliation,
  Settleable,
  Settlement,
  SettlementBackend,
} from '#platform/payments/settlement.ts';
import { startService } from '../../src/service.ts';

const parent = process.env['AVOUCH_TEST_CHAIN'] ?? '';
const aheadMs = Number(process.env['AVOUCH_TEST_AHEAD_MS']);

async function ask<T>(what: string, question: unknown): Promise<T> {
  const body = JSON.stringify(question, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  const response = await fetch(`${parent}/${what}`, { method: 'POST', body });
  return (await response.json()) as T;
}

const backend: SettlementBackend = {
  name: 'chain',
  async payerFacts(authorization: TransferAuthorization): Promise<PayerFacts> {
    const facts = await ask<Omit<PayerFacts, 'balance'> & { balance: string }>('facts', authorization);
    return { ...facts, balance: BigInt(facts.balance) };
  },
  settle: ({ authorization }: Settleable) => ask<Settlement>('settle', authorization),
  reconcile: ({ authorization }: Settleable) => ask<Reconciliation>('reconcile', authorization),
  status: () => ({ state: 'up', detail: null }),
  async [Symbol.asyncDispose]() {},
};

const real = systemClock();
const clock = { now: () => real.now() + aheadMs, monotonicMs: () => real.monotonicMs() };
const config = readConfig(process.env);
const service = await startService({ config, secrets: readSecrets(config), settlement: backend, clock });
process.stdout.write(`listens on ${service.url}\n`);
