// An account whose agents paid for something on several days: what the pages about money show.
import { DAY_MS, HOUR_MS, type ManualClock, MINUTE_MS } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { isRefused, ledger, walletOf } from '#platform/ledger/steps.ts';
import { type OwnedAgent, ownedOrder, registered } from '../support/cabinet.ts';
import type { TestService } from '../support/service.ts';

export interface SpendingAccount {
  readonly email: string;
  readonly buyer: OwnedAgent;
  readonly scout: OwnedAgent;
}

/** A top-up as the card processor's word would credit it. */
async function credit(service: TestService, { id }: OwnedAgent, amountMicro: number): Promise<void> {
  const txId = newId('tx_');
  const legs = [
    { account: 'psp:stripe', amountMicro },
    { account: walletOf(id), amountMicro: -amountMicro },
  ];
  const post = ledger.post({ txId, kind: 'topup', idem: `topup:${txId}`, ref: newId('tu_'), legs });
  const results = await service.service.store.runAll([ledger.open({ agentId: id }), post], isRefused);
  if (results.some(isRefused)) throw new Error(JSON.stringify(results));
}

async function run(service: TestService, { key }: OwnedAgent, capability: string, input: object): Promise<void> {
  const body = { capability, input };
  await service.call('/capabilities/execute', { method: 'POST', body, headers: { 'x-agent-key': key } });
}

const SPENT_DAYS = [26, 21, 20, 13, 12, 6, 5, 4, 2, 1];

/** Thirty days pass on the clock. */
export async function spendingAccount(
  service: TestService,
  clock: ManualClock,
  email: string,
): Promise<SpendingAccount> {
  const buyer = await registered(service, email, 'buyer-7');
  const scout = await registered(service, email, 'scout');
  await credit(service, buyer, 10_000_000);
  let passed = 30;
  for (const ago of SPENT_DAYS) {
    clock.advance((passed - ago) * DAY_MS);
    passed = ago;
    if (ago === 13) await credit(service, scout, 2_000_000);
    await run(service, buyer, 'text.redact', { text: 'Call Anna' });
    if (ago % 2 === 0) await run(service, buyer, 'text.draft', { template: 'x' });
    if (ago < 13) await run(service, scout, 'text.draft', { template: 'y' });
    if (ago === 5) await ownedOrder({ service, agent: buyer, owner: undefined as never }, { supplier: 'OTHER' });
    clock.advance(MINUTE_MS);
  }
  clock.advance(DAY_MS - SPENT_DAYS.length * MINUTE_MS - HOUR_MS);
  await run(service, buyer, 'text.redact', { text: 'Call Bob' });
  clock.advance(MINUTE_MS);
  const headers = { 'x-agent-key': buyer.key };
  const body = { agent_id: buyer.id, need: 'Summarise this contract for me', inputs: { text: 'A contract. It ends.' } };
  await service.call('/api/tasks', { method: 'POST', body, headers });
  clock.advance(MINUTE_MS);
  await service.call('/api/agents/wallet', { headers });
  await service.call(`/api/agents/wallet/topup/tu_${'0'.repeat(20)}`, { headers });
  await run(service, scout, 'text.nothing', {});
  clock.advance(55 * MINUTE_MS);
  return { email, buyer, scout };
}
