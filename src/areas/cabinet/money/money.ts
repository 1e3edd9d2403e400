import type { z } from 'zod';
import { type Clock, DAY_MS, isoTime, utcDay } from '#kernel/clock.ts';
import { type Answer, type Call, FileResponse } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { readKinds, readSpent, readStatement, readWallet } from '#platform/ledger/queries.ts';
import { CSV, statementCsv, statementItem } from '#platform/ledger/statement.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import type { Store } from '#platform/storage/store.ts';
import type { ledgerPage, spendPage, startTopUp } from './money-operations.ts';
import type { AsOwner, OwnedAgent, Owner } from '../owner.ts';
import { agentNotAccepted } from '../problems.ts';
import type { CabinetLedger, CabinetOverview, CabinetSpend, CabinetTopUps } from '../shapes.ts';

type In<O extends { input: z.ZodType }> = z.output<O['input']>;

interface TopUpView {
  readonly topup_id: string;
  readonly tier: string;
  readonly price_eur: number;
  readonly status: string;
  readonly checkout_url: string | null;
  readonly created_at: string;
  readonly credited_at: string | null;
  readonly review: string | null;
}

type Tier = 'starter' | 'team' | 'fleet';

export interface MoneyOptions {
  readonly store: Pick<Store, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly asOwner: AsOwner;
  readonly tiers: readonly { readonly tier: Tier; readonly price_eur: number; readonly estimated_calls: string }[];
  readonly topUps: {
    create(asked: { agent_key: string; tier: Tier }): Promise<Answer<TopUpView> | Refusal>;
    newestOf(agentId: string, limit: number): Promise<TopUpView[]>;
  };
  /** An audit found what must not be: no money moves. */
  readonly isLedgerHalted: () => boolean;
}

const LOW_MICRO = 1_000_000;
const UNUSED_MS = 90 * DAY_MS;
const TOPUPS_SHOWN = 10;

/** What the owner sees of the wallets of all agents. */
export class Money {
  readonly #options: MoneyOptions;

  constructor(options: MoneyOptions) {
    this.#options = options;
  }

  async overview(owner: Owner): Promise<z.output<typeof CabinetOverview>> {
    const { store, topUps } = this.#options;
    const seen = await Promise.all(
      owner.agents.map(async (agent) => ({
        agent,
        wallet: await readWallet(store, agent.agentId),
        topUps: await topUps.newestOf(agent.agentId, TOPUPS_SHOWN),
      })),
    );
    const agents = seen.map(({ agent, wallet }) => ({
      agent_id: agent.agentId,
      untrusted_name: agent.name,
      status: agent.status,
      owner_verified: agent.isOwnerVerified,
      posted_eur: formatEur(wallet.postedMicro),
      held_eur: formatEur(wallet.heldMicro),
      available_eur: formatEur(wallet.postedMicro - wallet.heldMicro),
      receivable_eur: formatEur(wallet.receivableMicro),
      frozen: wallet.isFrozen,
      live_keys: agent.keys.filter(({ revokedAtMs }) => revokedAtMs === null).length,
      created_at: isoTime(agent.createdAtMs),
    }));
    const total = seen.reduce((sum, { wallet }) => sum + wallet.postedMicro - wallet.heldMicro, 0);
    return { ...owner.head, agents, total_available_eur: formatEur(total), alerts: this.#alerts(seen) };
  }

  async ledger(owner: Owner, input: In<typeof ledgerPage>, { mediaType }: Pick<Call, 'mediaType'>) {
    const { store } = this.#options;
    const { agent_id, before_seq: beforeSeq = Number.MAX_SAFE_INTEGER, limit, csv } = input;
    const kind = input.kind === '' ? undefined : input.kind;
    const agent = agent_id === undefined ? owner.agents[0] : owner.agent(agent_id);
    if (agent instanceof Refusal) return agent;
    const lines = agent === undefined ? [] : await readStatement(store, agent.agentId, { beforeSeq, limit, kind });
    const items = lines.slice(0, limit).map(statementItem);
    if (csv === 'yes' || mediaType === CSV) return new FileResponse(CSV, statementCsv(items));
    return {
      ...owner.head,
      agents: owner.names,
      agent_id: agent?.agentId ?? null,
      kinds: agent === undefined ? [] : await readKinds(store, agent.agentId),
      kind: kind ?? null,
      items,
      next_before_seq: lines.length > limit ? (items.at(-1)?.seq ?? null) : null,
    } satisfies z.output<typeof CabinetLedger>;
  }

  async spend(
    owner: Owner,
    { agent_id, days }: In<typeof spendPage>,
  ): Promise<z.output<typeof CabinetSpend> | Refusal> {
    const { store, clock } = this.#options;
    const one = agent_id === undefined || agent_id === '' ? undefined : owner.agent(agent_id);
    if (one instanceof Refusal) return one;
    const todayMs = clock.now() - (clock.now() % DAY_MS);
    const sinceMs = todayMs - (days - 1) * DAY_MS;
    const agents = one === undefined ? owner.agents : [one];
    const spent = (await Promise.all(agents.map((agent) => readSpent(store, agent.agentId, sinceMs)))).flat();
    const sum = (list: readonly { readonly amountMicro: number }[]) =>
      list.reduce((left, { amountMicro }) => left + amountMicro, 0);
    const byWhat = [...Map.groupBy(spent, ({ what }) => what)].toSorted(([, a], [, b]) => sum(b) - sum(a));
    const byDay = Map.groupBy(spent, ({ atMs }) => utcDay(atMs));
    return {
      ...owner.head,
      agents: owner.names,
      agent_id: one?.agentId ?? null,
      from: utcDay(sinceMs),
      to: utcDay(todayMs),
      whats: byWhat.map(([what]) => what),
      days: Array.from({ length: days }, (_, index) => {
        const day = utcDay(todayMs - index * DAY_MS);
        const ofDay = byDay.get(day) ?? [];
        const amounts = byWhat.map(([name]) => formatEur(sum(ofDay.filter(({ what }) => what === name))));
        return { day, total_eur: formatEur(sum(ofDay)), amounts_eur: amounts };
      }),
      totals_eur: byWhat.map(([, list]) => formatEur(sum(list))),
      total_eur: formatEur(sum(spent)),
    };
  }

  async topUps(
    owner: Owner,
    startedId: string | null = null,
    limit = TOPUPS_SHOWN,
  ): Promise<z.output<typeof CabinetTopUps>> {
    const { store, topUps, tiers } = this.#options;
    const newest = await Promise.all(
      owner.accepted.map(async ({ agentId }) =>
        (await topUps.newestOf(agentId, limit)).map((one) => topUpOf(one, agentId)),
      ),
    );
    const list = newest.flat().toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
    const agents = await Promise.all(
      owner.accepted.map(async ({ agentId, name }) => {
        const { postedMicro, heldMicro } = await readWallet(store, agentId);
        return { agent_id: agentId, untrusted_name: name, available_eur: formatEur(postedMicro - heldMicro) };
      }),
    );
    return {
      ...owner.head,
      agents,
      topups: list,
      tiers: tiers.map(({ tier, price_eur, estimated_calls }) => ({ tier, price_eur, estimated_calls })),
      started: list.find(({ topup_id }) => topup_id === startedId) ?? null,
    };
  }

  async available(agentId: string): Promise<string> {
    const { postedMicro, heldMicro } = await readWallet(this.#options.store, agentId);
    return formatEur(postedMicro - heldMicro);
  }

  async startTopUp(owner: Owner, { agent_id, tier }: In<typeof startTopUp>) {
    const agent = owner.agent(agent_id);
    if (agent instanceof Refusal) return agent;
    if (!agent.isOwnerVerified) {
      return new Refusal(agentNotAccepted, { detail: 'Accept this agent at /dashboard first. Nothing was charged.' });
    }
    const { asOwner, topUps } = this.#options;
    const started = await asOwner(agent, (pass) => topUps.create({ agent_key: pass, tier }));
    return started instanceof Refusal ? started : this.topUps(owner, started.body.topup_id);
  }

  #alerts(
    seen: readonly {
      readonly agent: OwnedAgent;
      readonly wallet: Awaited<ReturnType<typeof readWallet>>;
      readonly topUps: readonly TopUpView[];
    }[],
  ): z.output<typeof CabinetOverview>['alerts'] {
    const nowMs = this.#options.clock.now();
    const ofAgents = seen.flatMap(({ agent, wallet, topUps }) => {
      const available = wallet.postedMicro - wallet.heldMicro;
      const hasPaid = topUps.some(({ status }) => status === 'credited') || wallet.postedMicro > 0;
      const unused = agent.keys.filter(
        ({ revokedAtMs, lastUsedAtMs, createdAtMs }) =>
          revokedAtMs === null && nowMs - (lastUsedAtMs ?? createdAtMs) >= UNUSED_MS,
      );
      const about = (kind: z.output<typeof CabinetOverview>['alerts'][number]['kind'], text: string, href: string) => [
        { kind, agent_id: agent.agentId, text, href },
      ];
      if (!agent.isOwnerVerified) {
        const text = 'Someone registered this agent with your email address. Accept or refuse it.';
        return about('not_yet_yours', text, '/cabinet');
      }
      return [
        ...(hasPaid && available < LOW_MICRO
          ? about('low_balance', `Only €${formatEur(available)} is available.`, '/cabinet/topup')
          : []),
        ...(wallet.isFrozen
          ? about(
              'frozen',
              'A card payment is disputed. This wallet cannot pay until it is resolved.',
              '/cabinet/topup',
            )
          : []),
        ...(topUps.some(({ status }) => status === 'review')
          ? about('topup_in_review', 'A payment does not match its top-up. We are reviewing it.', '/cabinet/topup')
          : []),
        ...unused.flatMap(({ keyId }) =>
          about(
            'key_unused',
            `Key ${keyId} has not been used for 90 days. Revoke it if you do not need it.`,
            '/cabinet/keys',
          ),
        ),
        ...(agent.status === 'suspended'
          ? about('suspended', 'The agent is suspended. It cannot start new work or spend.', '/cabinet')
          : []),
      ];
    });
    const halted = {
      kind: 'ledger_halted' as const,
      agent_id: null,
      href: '/system/status',
      text: 'A ledger audit failed. Payments are paused until the operator resolves it.',
    };
    return [...(this.#options.isLedgerHalted() ? [halted] : []), ...ofAgents];
  }
}

function topUpOf(one: TopUpView, agentId: string): z.output<typeof CabinetTopUps>['topups'][number] {
  const { topup_id, tier, price_eur, status, checkout_url, created_at, credited_at, review } = one;
  return { topup_id, agent_id: agentId, tier, price_eur, status, checkout_url, created_at, credited_at, review };
}
