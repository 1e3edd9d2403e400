import type { Refusal } from '#kernel/problem.ts';
import { Refusal as RefusalValue } from '#kernel/problem.ts';
import { notOfAccount } from './problems.ts';
import type { Visitor } from './login/sessions.ts';

/** An agent of the account, as the wallet tells of it. */
export interface OwnedAgent {
  readonly agentId: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly isOwnerVerified: boolean;
  readonly createdAtMs: number;
  readonly keys: readonly {
    readonly keyId: string;
    readonly scopes: readonly string[];
    readonly createdAtMs: number;
    readonly lastUsedAtMs: number | null;
    readonly revokedAtMs: number | null;
  }[];
}

/** Does a call of an agent for its owner; what it is handed stands for a key. */
export type AsOwner = <T>(agent: OwnedAgent, work: (pass: string) => Promise<T>) => Promise<T>;

/** Who is logged in, with the agents of the account: whatever is not of them is not there. */
export class Owner {
  readonly visitor: Visitor;
  readonly agents: readonly OwnedAgent[];

  constructor(visitor: Visitor, agents: readonly OwnedAgent[]) {
    this.visitor = visitor;
    this.agents = agents;
  }

  get head() {
    return { email: this.visitor.email, csrf: this.visitor.csrf };
  }

  /** Those that the owner said are theirs: money goes to no other. */
  get accepted(): readonly OwnedAgent[] {
    return this.agents.filter(({ isOwnerVerified }) => isOwnerVerified);
  }

  get names() {
    return this.agents.map(({ agentId, name }) => ({ agent_id: agentId, untrusted_name: name }));
  }

  /** One agent, or all where none is named. */
  only(agentId: string | undefined): readonly OwnedAgent[] | Refusal {
    if (agentId === undefined || agentId === '') return this.agents;
    const agent = this.agent(agentId);
    return agent instanceof RefusalValue ? agent : [agent];
  }

  agent(agentId: string | undefined): OwnedAgent | Refusal {
    return this.agents.find((one) => one.agentId === agentId) ?? notOwned();
  }
}

export function notOwned(): Refusal {
  return new RefusalValue(notOfAccount, { detail: 'Your account has nothing with this id. Nothing was changed.' });
}
