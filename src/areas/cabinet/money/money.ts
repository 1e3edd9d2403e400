import type { z } from 'zod';
import { type Clock, DAY_MS, isoTime } from '#kernel/clock.ts';
import { writeCsv } from '#kernel/csv.ts';
import type { Place } from '#kernel/newest-first.ts';
import { type Answer, type Call, FileResponse } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import {
  capabilityOf,
  readKinds,
  readSeals,
  readStatement,
  readWallet,
  type StatementLine,
} from '#platform/ledger/queries.ts';
import { CSV, statementCsv, statementItem, statementsCsv } from '#platform/ledger/statement.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import type { Store } from '#platform/storage/store.ts';
import type { AgentCalls } from '../activity/calls.ts';
import { alertsOf, LEDGER_HALTED } from './alerts.ts';
import { DailyTotals } from './daily-totals.ts';
import type { ledgerPage, spendPage, startTopUp } from './money-operations.ts';
import { balanceOf, spendingOf } from './spending.ts';
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
    newestOf(agentId: string, limit: number, before?: Place): Promise<TopUpView[]>;
  };
  /** An audit found what must not be: no money moves. */
  readonly isLedgerHalted: () => boolean;
  readonly calls: Pick<AgentCalls, 'countSince'>;
}

export type TopUpLine = z.output<typeof CabinetTopUps>['topups'][number];

const TOPUPS_SHOWN = 10;
const RECENT_SHOWN = 8;
const DEFAULT_DAYS = 30;

/** A ledger entry with whose it is. */
interface OwnedLine extends StatementLine {
  readonly agentId: string;
}

/** What the owner sees of the wallets of all agents. */
export class Money {
  readonly #options: MoneyOptions;
  readonly #totals: DailyTotals;

  constructor(options: MoneyOptions) {
    this.#options = options;
    this.#totals = new DailyTotals(options.store, options.clock);
  }

  /** What an agent can spend. */
  async available(agentId: string): Promise<string> {
    const { postedMicro, heldMicro } = await readWallet(this.#options.store, agentId);
    return formatEur(postedMicro - heldMicro);
  }

  /** Of some agents or of all; the list of agents has them all. */
  async overview(
    owner: Owner,
    { chosen = owner.agents, days = DEFAULT_DAYS }: { chosen?: readonly OwnedAgent[]; days?: number } = {},
  ): Promise<z.output<typeof CabinetOverview>> {
    const { store, topUps, clock, calls, isLedgerHalted } = this.#options;
    const seen = await Promise.all(
      owner.agents.map(async (agent) => ({
        agent,
        wallet: await readWallet(store, agent.agentId),
        topUps: await topUps.newestOf(agent.agentId, TOPUPS_SHOWN),
      })),
    );
    const shown = seen.filter(({ agent }) => chosen.includes(agent));
    const wallets = await this.#days(chosen);
    const range = { days, nowMs: clock.now() };
    const sum = (of: (wallet: (typeof seen)[number]['wallet']) => number) =>
      shown.reduce((left, { wallet }) => left + of(wallet), 0);
    const counted = await Promise.all(chosen.map(({ agentId }) => calls.countSince(agentId, range.nowMs - DAY_MS)));
    return {
      ...owner.head,
      agents: seen.map(agentBalance),
      agent_id: null,
      total_available_eur: formatEur(sum(({ postedMicro, heldMicro }) => postedMicro - heldMicro)),
      total_held_eur: formatEur(sum(({ heldMicro }) => heldMicro)),
      spending: spendingOf(wallets, 'capability', range),
      balance: balanceOf(
        wallets,
        sum(({ postedMicro }) => postedMicro),
        range,
      ),
      calls_24h: {
        total: counted.reduce((left, { total }) => left + total, 0),
        failed: counted.reduce((left, { failed }) => left + failed, 0),
        at_least: counted.some(({ isMore }) => isMore),
      },
      recent: (await this.#lines(chosen, { beforeSeq: Number.MAX_SAFE_INTEGER, limit: RECENT_SHOWN }))
        .slice(0, RECENT_SHOWN)
        .map(recentItem),
      alerts: [...(isLedgerHalted() ? [LEDGER_HALTED] : []), ...shown.flatMap((one) => alertsOf(one, range.nowMs))],
    };
  }

  /** The entries of one agent or of all. Programs that name none are shown the first one's, as ever. */
  async ledger(owner: Owner, input: In<typeof ledgerPage>, { mediaType, wantsPage }: Call) {
    const { agent_id, before_seq: beforeSeq = Number.MAX_SAFE_INTEGER, limit, csv } = input;
    const isOfFirst = agent_id === undefined && !wantsPage;
    const agents = isOfFirst ? owner.agents.slice(0, 1) : owner.only(agent_id);
    if (agents instanceof Refusal) return agents;
    const lines = await this.#lines(agents, { beforeSeq, limit, ...filterOf(input) });
    const shown = lines.slice(0, limit);
    const items = shown.map((line) => ({ ...statementItem(line), agent_id: line.agentId }));
    if (csv === 'yes' || mediaType === CSV) {
      return new FileResponse(CSV, agents.length > 1 ? statementsCsv(items) : statementCsv(items));
    }
    const kinds = await Promise.all(agents.map(({ agentId }) => readKinds(this.#options.store, agentId)));
    const output: z.output<typeof CabinetLedger> = {
      ...owner.head,
      agents: owner.names,
      agent_id: isOfFirst ? (agents[0]?.agentId ?? null) : agent_id || null,
      kinds: [...new Set(kinds.flat())].toSorted(),
      kind: input.kind || null,
      items,
      next_before_seq: lines.length > limit ? (items.at(-1)?.seq ?? null) : null,
    };
    return { output, lines: shown };
  }

  /** When each of these entries was covered by a seal of the ledger; those that no seal covers yet are left out. */
  async sealedAt(lines: readonly { readonly seq: number }[]): Promise<ReadonlyMap<number, number>> {
    if (lines.length === 0) return new Map();
    const seals = await readSeals(this.#options.store, Math.min(...lines.map(({ seq }) => seq)));
    const found = lines.flatMap(({ seq }) => {
      const seal = seals.find(({ uptoSeq }) => uptoSeq >= seq);
      return seal === undefined ? [] : [[seq, seal.atMs] as const];
    });
    return new Map(found);
  }

  async spend(owner: Owner, input: In<typeof spendPage>, { mediaType }: Pick<Call, 'mediaType'>) {
    const { agent_id, days, group_by, csv } = input;
    const agents = owner.only(agent_id);
    if (agents instanceof Refusal) return agents;
    const range = { days, nowMs: this.#options.clock.now() };
    const spending = spendingOf(await this.#days(agents), group_by, range);
    if (csv === 'yes' || mediaType === CSV) return new FileResponse(CSV, spendingCsv(spending));
    return {
      ...owner.head,
      agents: owner.names,
      agent_id: agent_id || null,
      ...spending,
    } satisfies z.output<typeof CabinetSpend>;
  }

  /** Top-ups of an agent that follow one in the list, newest first. */
  async topUpPage({ agentId }: OwnedAgent, last: TopUpLine | undefined, limit: number): Promise<TopUpLine[]> {
    const before = last && { id: last.topup_id, createdAtMs: Date.parse(last.created_at) };
    return (await this.#options.topUps.newestOf(agentId, limit, before)).map((one) => topUpOf(one, agentId));
  }

  async topUps(owner: Owner, startedId: string | null = null): Promise<z.output<typeof CabinetTopUps>> {
    const { store, tiers } = this.#options;
    const newest = await Promise.all(owner.accepted.map((agent) => this.topUpPage(agent, undefined, TOPUPS_SHOWN)));
    const list = newest.flat().toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
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

  /** The newest entries of several wallets, newest first; one more than the limit where there are more. */
  async #lines(agents: readonly OwnedAgent[], asked: Parameters<typeof readStatement>[2]): Promise<OwnedLine[]> {
    const found = await Promise.all(
      agents.map(async ({ agentId }) =>
        (await readStatement(this.#options.store, agentId, asked)).map((line) => ({ ...line, agentId })),
      ),
    );
    return found
      .flat()
      .toSorted((a, b) => b.seq - a.seq)
      .slice(0, asked.limit + 1);
  }

  #days(agents: readonly OwnedAgent[]) {
    return Promise.all(agents.map(async ({ agentId }) => ({ agentId, totals: await this.#totals.of(agentId) })));
  }
}

function filterOf({ kind, capability, from, to }: In<typeof ledgerPage>) {
  return {
    kind: kind || undefined,
    capability: capability || undefined,
    fromMs: from ? Date.parse(`${from}T00:00:00Z`) : undefined,
    toMs: to ? Date.parse(`${to}T00:00:00Z`) + DAY_MS : undefined,
  };
}

function agentBalance({ agent, wallet }: { agent: OwnedAgent; wallet: Awaited<ReturnType<typeof readWallet>> }) {
  const usedAtMs = Math.max(...agent.keys.map(({ lastUsedAtMs }) => lastUsedAtMs ?? 0), 0);
  return {
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
    last_used_at: usedAtMs === 0 ? null : isoTime(usedAtMs),
  };
}

function recentItem({ seq, atMs, agentId, kind, meta, ref, amountMicro }: OwnedLine) {
  const capability = capabilityOf(meta);
  return { seq, at: isoTime(atMs), agent_id: agentId, kind, capability, ref, amount_eur: formatEur(amountMicro) };
}

function spendingCsv({ whats, days }: z.output<typeof CabinetOverview>['spending']): string {
  return writeCsv([
    ['day', ...whats, 'total_eur'],
    ...days.map(({ day, amounts_eur, total_eur }) => [day, ...amounts_eur, total_eur]),
  ]);
}

function topUpOf(one: TopUpView, agentId: string): TopUpLine {
  const { topup_id, tier, price_eur, status, checkout_url, created_at, credited_at, review } = one;
  return { topup_id, agent_id: agentId, tier, price_eur, status, checkout_url, created_at, credited_at, review };
}
