import type { z } from 'zod';
import { newToken, sameHash, tokenHash } from '#kernel/ids.ts';
import { Answer, type Call, Redirect, WithHeaders, WithPage } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { AccountService } from '../account/account.ts';
import type { LoginLinks } from '../login/links.ts';
import type { Sessions } from '../login/sessions.ts';
import { emailField } from '../fields.ts';
import type { Money } from '../money/money.ts';
import type { Owner } from '../owner.ts';
import { agentNotAccepted, noSession } from '../problems.ts';
import type { start, startCall, StartedTopUp, startPage, startTopUp, StartView } from './start-operations.ts';
import {
  calledHtml,
  type MoneyStep,
  registeredHtml,
  startHtml,
  STEP_FOUR,
  topUpHtml,
  wrongCodeHtml,
} from './start-page.ts';

type In<O extends { input: z.ZodType }> = z.output<O['input']>;
type View = z.output<typeof StartView>;

interface Registered {
  readonly agent_id: string;
  readonly name: string;
  readonly agent_key: string | null;
  readonly key_id: string;
  readonly created_at: string;
}

export interface StartOptions {
  readonly links: LoginLinks;
  readonly sessions: Sessions;
  readonly account: AccountService;
  readonly money: Money;
  readonly baseUrl: () => string;
  readonly tiers: readonly { readonly tier: string; readonly price_eur: number }[];
  /** Registers as the API does, with the same limits. */
  readonly register: (
    asked: { readonly name: string; readonly owner_email: string; readonly idempotency_key?: string | undefined },
    call: Call,
  ) => Promise<Answer<Registered> | Refusal>;
  /** What GET /api/agents/me says under a key. */
  readonly view: (agentKey: string) => Promise<Readonly<Record<string, unknown>> | Refusal>;
  /** Keyed hash that ties an agent to the browser that has its key. */
  readonly proofSecret: (...parts: readonly string[]) => string;
  /** Emails of a sandbox are shown to whoever looks, so the page shows the code too. */
  readonly showsCodes: boolean;
}

const REGISTER = '/api/agents/register';

/** A person's way from no account to an agent with a key and money. */
export class Start {
  readonly #options: StartOptions;

  constructor(options: StartOptions) {
    this.#options = options;
  }

  async page({ step, agent_id }: In<typeof startPage>, call: Call) {
    const view = await this.#view(step, agent_id, call);
    if (view instanceof Refusal || !call.wantsPage) return view;
    return new WithPage(view, (site) => startHtml(view, site, { idempotencyKey: newToken() }));
  }

  async register({ name, owner_email, idempotency_key }: In<typeof start>, call: Call) {
    const { register, sessions } = this.#options;
    const foreign = sessions.refuseForeign(call);
    if (foreign !== undefined) return foreign;
    const registered = await register({ name, owner_email, idempotency_key }, call);
    if (registered instanceof Refusal) return registered;
    const { agent_id, agent_key, key_id, created_at } = registered.body;
    // Going back and sending the form again must not show the key a second time.
    const shownKey = registered.replayed ? null : agent_key;
    const next = `${STEP_FOUR}${agent_id}`;
    const body = { agent_id, name: registered.body.name, key_id, agent_key: shownKey, created_at, next };
    const answer = new Answer(registered.status, body, undefined, registered.replayed);
    return call.wantsPage ? new WithPage(answer, (site) => registeredHtml(body, site, owner_email)) : answer;
  }

  async call({ agent_key }: In<typeof startCall>, call: Call) {
    const { view, sessions } = this.#options;
    const foreign = sessions.refuseForeign(call);
    if (foreign !== undefined) return foreign;
    const agent = await view(agent_key);
    if (agent instanceof Refusal) return agent;
    const answer = { status: 200 as const, agent };
    const email = emailField.safeParse(call.pageInput?.['owner_email']);
    if (!call.wantsPage || !email.success) return answer;
    const agentId = String(agent['agent_id']);
    const { headers, money } = await this.#moneyStep(agentId, email.data, call);
    return new WithHeaders(headers, new WithPage(answer, (site) => calledHtml(answer, site, money)));
  }

  async topUp(given: In<typeof startTopUp>, call: Call) {
    const { account, money, sessions } = this.#options;
    const foreign = sessions.refuseForeign(call);
    if (foreign !== undefined) return foreign;
    const entered = await this.#enter(given, call);
    if (!('owner' in entered)) return entered.refused;
    const { owner, headers } = entered;
    const answered = (answer: ConstructorParameters<typeof WithHeaders<z.output<typeof StartedTopUp>>>[1]) =>
      headers.length === 0 ? answer : new WithHeaders(headers, answer);
    const accepted = await this.#accepted(owner, given, call);
    if (accepted instanceof Refusal) return answered(this.#refused(accepted, given.agent_id, call));
    const topUps = await money.startTopUp(await account.owner(accepted.visitor), given);
    if (topUps instanceof Refusal) return answered(topUps);
    const { topup_id, price_eur, status, checkout_url } = topUps.started as NonNullable<typeof topUps.started>;
    const body = { topup_id, price_eur, status, checkout_url };
    if (!call.wantsPage || checkout_url === null) return answered(body);
    const url = new URL(checkout_url);
    // A form must not lead to another site: there a link does.
    const isOurs = url.origin === new URL(this.#options.baseUrl()).origin;
    return answered(isOurs ? new Redirect(url.pathname) : new WithPage(body, (site) => topUpHtml(body, site)));
  }

  async #view(step: number, agentId: string | undefined, call: Call): Promise<View | Refusal> {
    const { sessions, account, money, tiers } = this.#options;
    const visitor = await sessions.visitor(call);
    const base = {
      step: agentId === undefined ? 1 : step,
      register: REGISTER,
      tiers: tiers.map(({ tier, price_eur }) => ({ tier, price_eur })),
    };
    if (visitor instanceof Refusal) {
      const agent =
        agentId === undefined
          ? null
          : { agent_id: agentId, untrusted_name: null, owner_verified: false, available_eur: null };
      return { ...base, email: null, csrf: null, agent };
    }
    const { email, csrf } = visitor;
    if (agentId === undefined) return { ...base, email, csrf, agent: null };
    const agent = (await account.owner(visitor)).agent(agentId);
    if (agent instanceof Refusal) return agent;
    const shown = {
      agent_id: agentId,
      untrusted_name: agent.name,
      owner_verified: agent.isOwnerVerified,
      available_eur: await money.available(agentId),
    };
    return { ...base, email, csrf, agent: shown };
  }

  /** What the last step needs: a session that there is already, or an email with a code. */
  async #moneyStep(
    agentId: string,
    email: string,
    call: Call,
  ): Promise<{ headers: readonly string[]; money: MoneyStep }> {
    const { links, sessions, tiers, showsCodes } = this.#options;
    const visitor = await sessions.visitor(call);
    const base = { agentId, email, tiers };
    const isSignedIn = !(visitor instanceof Refusal) && visitor.email === email;
    if (isSignedIn) {
      const { browser, headers } = links.browserFor(call);
      return { headers, money: { ...base, proof: this.#proofOf(agentId, browser), csrf: visitor.csrf } };
    }
    const sent = await links.send({ email, next: `${STEP_FOUR}${agentId}` }, call);
    if (sent instanceof Refusal) return { headers: [], money: { ...base, unsent: sent.details.detail } };
    const code = showsCodes && sent.code !== null ? { code: sent.code } : {};
    return { headers: sent.headers, money: { ...base, proof: this.#proofOf(agentId, sent.browser), ...code } };
  }

  async #enter(
    { code, csrf, agent_id }: In<typeof startTopUp>,
    call: Call,
  ): Promise<{ owner: Owner; headers: readonly string[] } | { refused: Refusal | Redirect | WithPage<never> }> {
    const { links, sessions, account, tiers } = this.#options;
    if (code === undefined) {
      const visitor = await sessions.actor(call, csrf);
      if (!(visitor instanceof Refusal)) return { owner: await account.owner(visitor), headers: [] };
      const isSignedOut = call.wantsPage && visitor.type === noSession;
      return { refused: isSignedOut ? new Redirect(`${STEP_FOUR}${agent_id}`) : visitor };
    }
    const entered = await links.enter({ code }, call);
    if ('refusal' in entered) {
      const { email = '', proof } = call.pageInput ?? {};
      const step = { agentId: agent_id, email, tiers, proof, refused: entered.isSpent ? 'spent' : 'wrong' } as const;
      const { refusal } = entered;
      return { refused: call.wantsPage ? new WithPage<never>(refusal, (site) => wrongCodeHtml(step, site)) : refusal };
    }
    const visitor = { email: entered.email, idHash: entered.idHash, csrf: '' };
    return { owner: await account.owner(visitor), headers: entered.headers };
  }

  /** Anybody can register an agent with any address: money goes to one that its owner says is theirs. */
  async #accepted(owner: Owner, { agent_id, mine }: In<typeof startTopUp>, call: Call): Promise<Owner | Refusal> {
    const agent = owner.agent(agent_id);
    if (agent instanceof Refusal || agent.isOwnerVerified) return agent instanceof Refusal ? agent : owner;
    const browser = this.#options.links.browserOf(call);
    const { proof } = call.pageInput ?? {};
    const hasKey = browser !== undefined && proof !== undefined && sameHash(proof, this.#proofOf(agent_id, browser));
    if (!hasKey && mine === undefined) {
      return new Refusal(agentNotAccepted, {
        detail: 'Say that you registered this agent yourself (mine=yes). Nothing was charged.',
      });
    }
    const answered = await this.#options.account.answerAgent(owner, { agent_id, answer: 'accept' });
    return answered instanceof Refusal ? answered : owner;
  }

  #refused(refusal: Refusal, agentId: string, call: Call): Refusal | Redirect {
    const isQuestion = call.wantsPage && refusal.type === agentNotAccepted;
    return isQuestion ? new Redirect(`${STEP_FOUR}${agentId}`) : refusal;
  }

  #proofOf(agentId: string, browser: string): string {
    return this.#options.proofSecret(agentId, tokenHash(browser));
  }
}
