import type { z } from 'zod';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { type Call, FileResponse } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { readStatement, readWallet } from '#platform/ledger/queries.ts';
import { CSV, statementCsv, statementItem } from '#platform/ledger/statement.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import type { Store } from '#platform/storage/store.ts';
import type { Agents } from './agents/agents.ts';
import { TIERS } from './topup/tiers.ts';
import type { getWallet, getWalletLedger, OpenTopup } from './wallet-operations.ts';

type In<O extends { input: z.ZodType }> = z.output<O['input']>;
type Out<O extends { output: z.ZodType }> = z.output<O['output']>;

export interface WalletsOptions {
  readonly store: Pick<Store, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly agents: Agents;
  /** Card payments of the agent that are under way. */
  readonly openTopups: (agentId: string) => Promise<z.output<typeof OpenTopup>[]>;
  readonly sandbox: boolean;
}

/** A wallet as its agent sees it; nothing here moves money. */
export class Wallets {
  readonly #options: WalletsOptions;

  constructor(options: WalletsOptions) {
    this.#options = options;
  }

  async view({ agent_key }: In<typeof getWallet>): Promise<Out<typeof getWallet> | Refusal> {
    const { store, clock, agents, openTopups, sandbox } = this.#options;
    const caller = await agents.recognise(agent_key);
    if (caller instanceof Refusal) return caller;
    // First: looking at a payment under way may bring its money in.
    const open_topups = await openTopups(caller.agentId);
    const { postedMicro, heldMicro, receivableMicro, isFrozen } = await readWallet(store, caller.agentId);
    const available = postedMicro - heldMicro;
    return {
      agent_id: caller.agentId,
      currency: 'EUR',
      posted_eur: formatEur(postedMicro),
      held_eur: formatEur(heldMicro),
      available_eur: formatEur(available),
      posted_micro: postedMicro,
      held_micro: heldMicro,
      available_micro: available,
      frozen: isFrozen,
      receivable_eur: formatEur(receivableMicro),
      open_topups,
      tiers: [...TIERS],
      as_of: isoTime(clock.now()),
      sandbox,
    };
  }

  async ledger(
    { agent_key, before_seq: beforeSeq = Number.MAX_SAFE_INTEGER, limit }: In<typeof getWalletLedger>,
    { mediaType }: Pick<Call, 'mediaType'>,
  ): Promise<Out<typeof getWalletLedger> | FileResponse | Refusal> {
    const { store, agents } = this.#options;
    const caller = await agents.recognise(agent_key);
    if (caller instanceof Refusal) return caller;
    const lines = await readStatement(store, caller.agentId, { beforeSeq, limit });
    const items = lines.slice(0, limit).map(statementItem);
    if (mediaType === CSV) return new FileResponse(CSV, statementCsv(items));
    return { items, next_before_seq: lines.length > limit ? (items.at(-1)?.seq ?? null) : null };
  }
}
