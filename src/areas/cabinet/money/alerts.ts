import type { z } from 'zod';
import { DAY_MS } from '#kernel/clock.ts';
import type { WalletReading } from '#platform/ledger/queries.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import type { OwnedAgent } from '../owner.ts';
import type { CabinetOverview } from '../shapes.ts';

export type Alert = z.output<typeof CabinetOverview>['alerts'][number];

const LOW_MICRO = 1_000_000;
const UNUSED_MS = 90 * DAY_MS;

export interface Watched {
  readonly agent: OwnedAgent;
  readonly wallet: WalletReading;
  readonly topUps: readonly { readonly status: string }[];
}

export const LEDGER_HALTED: Alert = {
  kind: 'ledger_halted',
  agent_id: null,
  href: '/system/status',
  text: 'A ledger audit failed. Payments are paused until the operator resolves it.',
};

/** Tasks that go on when their owner answers, by agent. */
export function waitingTaskAlerts(waiting: readonly { readonly agentId: string; readonly count: number }[]): Alert[] {
  return waiting.map(({ agentId, count }) => ({
    kind: 'task_waits',
    agent_id: agentId,
    href: '/cabinet/tasks?show=needs_you',
    text: count === 1 ? 'A task waits for your answer.' : `${count} tasks wait for your answer.`,
  }));
}

/** What an owner should look at. */
export function alertsOf({ agent, wallet, topUps }: Watched, nowMs: number): Alert[] {
  const available = wallet.postedMicro - wallet.heldMicro;
  const about = (kind: Alert['kind'], text: string, href: string): Alert => ({
    kind,
    agent_id: agent.agentId,
    text,
    href,
  });
  if (!agent.isOwnerVerified) {
    const text = 'Someone registered this agent with your email address. Accept or refuse it.';
    return [about('not_yet_yours', text, '/cabinet')];
  }
  const hasPaid = topUps.some(({ status }) => status === 'credited') || wallet.postedMicro > 0;
  const unused = agent.keys.filter(
    ({ revokedAtMs, lastUsedAtMs, createdAtMs }) =>
      revokedAtMs === null && nowMs - (lastUsedAtMs ?? createdAtMs) >= UNUSED_MS,
  );
  const found: (Alert | false)[] = [
    hasPaid &&
      available < LOW_MICRO &&
      about('low_balance', `Only €${formatEur(available)} is available.`, '/cabinet/topup'),
    wallet.isFrozen &&
      about('frozen', 'A card payment is disputed. This wallet cannot pay until it is resolved.', '/cabinet/topup'),
    topUps.some(({ status }) => status === 'review') &&
      about('topup_in_review', 'A payment does not match its top-up. We are reviewing it.', '/cabinet/topup'),
    ...unused.map(({ keyId }) =>
      about(
        'key_unused',
        `Key ${keyId} has not been used for 90 days. Revoke it if you do not need it.`,
        '/cabinet/keys',
      ),
    ),
    agent.keys.every(({ revokedAtMs }) => revokedAtMs !== null) &&
      about('no_key', 'It has no active key, so its calls fail. Create one if it should work.', '/cabinet/keys'),
    agent.status === 'suspended' &&
      about('suspended', 'The agent is suspended. It cannot start new work or spend.', '/cabinet'),
  ];
  return found.filter((one) => one !== false);
}
