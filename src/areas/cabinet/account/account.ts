import type { z } from 'zod';
import { refuseFields } from '#kernel/general-problems.ts';
import type { Clock } from '#kernel/clock.ts';
import { type Answer, type Call, StreamResponse, WithHeaders } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { readWallet } from '#platform/ledger/queries.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import { type Step, step, type Store } from '#platform/storage/store.ts';
import type { changeKey, deleteAccount, newAgent } from './account-operations.ts';
import type { answerAgent } from '../money/money-operations.ts';
import { DELETES, KEEPS } from './erasure.ts';
import { exportPieces, keyView } from './export.ts';
import { loginUnit } from '../login/login-unit.ts';
import type { Money } from '../money/money.ts';
import { notOwned, type OwnedAgent, Owner } from '../owner.ts';
import { accountInUse, agentAccepted } from '../problems.ts';
import type { Sessions, Visitor } from '../login/sessions.ts';
import type { CabinetAccount as AccountShape, CabinetKeys } from '../shapes.ts';
import type { OwnerOrders } from '../activity/owner-orders.ts';
import type { OwnerTasks } from '../activity/owner-tasks.ts';
import type { Work } from '../activity/work.ts';

type In<O extends { input: z.ZodType }> = z.output<O['input']>;

export interface AccountOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly agents: {
    ofOwner(email: string): Promise<readonly OwnedAgent[]>;
    /** What was made, null where a key only ended. */
    changeKey(
      agentId: string,
      change: { readonly revoke?: string; readonly isNew: boolean },
    ): Promise<{ readonly keyId: string; readonly secret: string } | null | Refusal>;
    register(
      asked: { readonly name: string; readonly owner_email: string },
      call: Call,
    ): Promise<
      Answer<{ readonly agent_id: string; readonly key_id: string; readonly agent_key: string | null }> | Refusal
    >;
    answerOwnership(answer: {
      readonly agentId: string;
      readonly ownerEmail: string;
      readonly answer: 'accept' | 'refuse';
    }): Promise<'agent_accepted' | 'agent_not_found' | null>;
    eraseStep(email: string): Step;
  };
  readonly outbox: { forget(to: string): Step };
  readonly sessions: Sessions;
  readonly money: Money;
  readonly work: Work;
  readonly tasks: OwnerTasks;
  readonly orders: OwnerOrders;
}

/** Keys, export and the end of an account. */
export class AccountService {
  readonly #options: AccountOptions;

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  async owner(visitor: Visitor): Promise<Owner> {
    return new Owner(visitor, await this.#options.agents.ofOwner(visitor.email));
  }

  /** Anybody can register an agent under a mail address: whether it is theirs says the owner alone. */
  async answerAgent(owner: Owner, { agent_id, answer }: In<typeof answerAgent>) {
    const agent = owner.agent(agent_id);
    if (agent instanceof Refusal) return agent;
    const { agents, money } = this.#options;
    const { email } = owner.visitor;
    const failed = await agents.answerOwnership({ agentId: agent.agentId, ownerEmail: email, answer });
    if (failed === 'agent_accepted')
      return new Refusal(agentAccepted, { detail: 'This agent was already accepted. Nothing was changed.' });
    return failed === null ? money.overview(await this.owner(owner.visitor)) : notOwned();
  }

  keys(
    owner: Owner,
    done: Partial<Pick<z.output<typeof CabinetKeys>, 'new_key' | 'ended_key'>> = {},
  ): z.output<typeof CabinetKeys> {
    const agents = owner.agents.map(({ agentId, name, keys }) => ({
      agent_id: agentId,
      untrusted_name: name,
      keys: keys.map(keyView),
    }));
    return { ...owner.head, agents, new_key: null, ended_key: null, ...done };
  }

  async changeKey(owner: Owner, { agent_id, action, key_id }: In<typeof changeKey>) {
    const agent = owner.agent(agent_id);
    if (agent instanceof Refusal) return agent;
    const change = { ...(key_id !== undefined && { revoke: key_id }), isNew: action !== 'revoke' };
    if (key_id !== undefined && !agent.keys.some(({ keyId }) => keyId === key_id)) return notOwned();
    const made = await this.#options.agents.changeKey(agent_id, change);
    if (made instanceof Refusal) return made;
    const shown = made && { agent_id, key_id: made.keyId, agent_key: made.secret };
    return this.keys(await this.owner(owner.visitor), { new_key: shown, ended_key: key_id ?? null });
  }

  /** An agent of the owner's own making needs no question whose it is. */
  async newAgent(owner: Owner, { name }: In<typeof newAgent>, call: Call) {
    const { agents } = this.#options;
    const { email } = owner.visitor;
    const made = await agents.register({ name, owner_email: email }, call);
    if (made instanceof Refusal) return made;
    const { agent_id, key_id, agent_key } = made.body;
    await agents.answerOwnership({ agentId: agent_id, ownerEmail: email, answer: 'accept' });
    const shown = { agent_id, key_id, agent_key: agent_key ?? '' };
    return this.keys(await this.owner(owner.visitor), { new_key: shown });
  }

  async wallet(agentId: string): Promise<{ readonly availableEur: string; readonly heldEur: string }> {
    const { postedMicro, heldMicro } = await readWallet(this.#options.store, agentId);
    return { availableEur: formatEur(postedMicro - heldMicro), heldEur: formatEur(heldMicro) };
  }

  async view(owner: Owner): Promise<z.output<typeof AccountShape>> {
    const { inUse, availableMicro } = await this.#standing(owner);
    return {
      ...owner.head,
      agents: owner.agents.length,
      total_available_eur: formatEur(availableMicro),
      in_use: inUse,
      deletes: [...DELETES],
      keeps: [...KEEPS],
      export: '/cabinet/export',
    };
  }

  /**
   * What may be much goes first, in portions: who is stopped there still has the account, and deletes it again. The
   * account itself ends in one transaction; what its agents did meanwhile goes after that.
   */
  async delete(owner: Owner, { confirm, give_up_credit }: In<typeof deleteAccount>) {
    const { store, agents, outbox, work } = this.#options;
    const { email } = owner.visitor;
    if (confirm !== email) {
      const detail = 'Must be the email address of this account. Nothing was deleted.';
      return refuseFields([{ pointer: '#/confirm', code: 'not_allowed', detail }]);
    }
    const { inUse, availableMicro } = await this.#standing(owner);
    const credit = `€${formatEur(availableMicro)} of credit is left.`;
    const ways = [...inUse, ...(availableMicro > 0 && give_up_credit === undefined ? [credit] : [])];
    if (ways.length > 0) {
      return new Refusal(accountInUse, { detail: `${ways.join(' ')} Nothing was deleted.`, members: { in_use: ways } });
    }
    for (const agent of owner.agents) await work.erase(agent);
    await store.runAll([agents.eraseStep(email), step(loginUnit, { type: 'forget', email }), outbox.forget(email)]);
    for (const agent of owner.agents) await work.erase(agent);
    return { status: 'deleted' as const, agents: owner.agents.length, keeps: [...KEEPS] };
  }

  /** Everything as one file. */
  export(owner: Owner) {
    const headers = ['content-disposition', 'attachment; filename="avouch-export.json"'];
    return new WithHeaders<never>(headers, new StreamResponse(() => exportPieces(this.#options, owner)));
  }

  /** What stands in the way of a deletion, and the credit. */
  async #standing({ agents }: Owner): Promise<{ inUse: string[]; availableMicro: number }> {
    // First: looking at a payment under way may bring its money in.
    const open = (await Promise.all(agents.map((agent) => this.#options.work.openOf(agent)))).flat();
    const wallets = await Promise.all(agents.map(({ agentId }) => readWallet(this.#options.store, agentId)));
    const heldMicro = wallets.reduce((sum, one) => sum + one.heldMicro, 0);
    return {
      inUse: [...(heldMicro > 0 ? [`€${formatEur(heldMicro)} is on hold.`] : []), ...open],
      availableMicro: wallets.reduce((sum, one) => sum + one.postedMicro - one.heldMicro, 0),
    };
  }
}
