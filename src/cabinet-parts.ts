import { Account } from '#areas/cabinet/account.ts';
import type { Cabinet } from '#areas/cabinet/bind.ts';
import { AgentCalls } from '#areas/cabinet/calls.ts';
import { Cookies } from '#areas/cabinet/cookies.ts';
import { Links } from '#areas/cabinet/links.ts';
import { loginUnit } from '#areas/cabinet/login-unit.ts';
import { Money } from '#areas/cabinet/money.ts';
import type { AsOwner } from '#areas/cabinet/owner.ts';
import { Sessions } from '#areas/cabinet/sessions.ts';
import { Work } from '#areas/cabinet/work.ts';
import type { OpenMandates } from '#areas/mandates/area.ts';
import type { Orders } from '#areas/orders/orders.ts';
import type { Tasks } from '#areas/tasks/service.ts';
import type { Agents } from '#areas/wallet/agents.ts';
import { TIERS } from '#areas/wallet/tiers.ts';
import type { TopUps } from '#areas/wallet/topup-service.ts';
import { agentStep } from '#areas/wallet/unit.ts';
import type { Config } from '#platform/config/config.ts';
import type { Clock } from '#kernel/clock.ts';
import { Refusal } from '#kernel/problem.ts';
import type { ServerSecret } from '#platform/keys/server-secret.ts';
import { Outbox } from '#platform/mail/outbox.ts';
import type { Store } from '#platform/storage/store.ts';
import type { Job } from '#kernel/job.ts';
import type { LedgerService } from './ledger-service.ts';
import type { Logger } from '#platform/logger.ts';
import { slowDown } from '#kernel/general-problems.ts';

export interface OpenMail extends AsyncDisposable {
  readonly outbox: Outbox;
  readonly calls: AgentCalls;
  readonly job: Job;
  readonly sweeps: readonly (readonly [name: string, portion: () => Promise<number>])[];
}

/** Mail as the settings want it: by a server, kept for the page of the sandbox, or not at all; and what is swept. */
export async function openMail(
  { mail }: Config,
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  logger: Logger,
): Promise<OpenMail> {
  const smtp = mail.by === 'smtp' ? await smtpOf(mail) : undefined;
  const outbox = new Outbox({
    store,
    clock,
    transport: smtp ?? (mail.by === 'off' ? null : 'keep'),
    warn: (message, fields) => logger.warn(message, fields),
  });
  const calls = new AgentCalls(store, clock);
  const sweepLogins = async () => {
    const swept = await store.run(loginUnit, { type: 'sweep', nowMs: clock.now() });
    return swept.type === 'done' ? swept.count : 0;
  };
  return {
    outbox,
    calls,
    job: { name: 'mail', everyMs: 1_000, ownTimer: true, run: () => outbox.run(), stop: () => outbox.stop() },
    sweeps: [
      ['mail-sweep', () => outbox.sweep()],
      ['login-sweep', sweepLogins],
      ['call-sweep', () => calls.sweep()],
    ],
    async [Symbol.asyncDispose]() {
      smtp?.[Symbol.dispose]();
      await calls.flush();
    },
  };
}

async function smtpOf({ url, from }: Extract<Config['mail'], { by: 'smtp' }>) {
  // Loaded only where it is used.
  const { SmtpTransport } = await import('#platform/mail/smtp.ts');
  return new SmtpTransport({ url: url.reveal(), from });
}

export interface CabinetParts {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly serverSecret: ServerSecret;
  readonly baseUrl: () => string;
  readonly outbox: Outbox;
  readonly agents: Agents;
  readonly topUps: TopUps;
  readonly tasks: Tasks;
  readonly orders: Orders;
  readonly mandates: OpenMandates;
  readonly ledger: LedgerService;
  readonly calls: AgentCalls;
}

/** The pages of owners, with what they need of every other area. */
export function openCabinet(parts: CabinetParts): Cabinet {
  const { config, store, clock, logger, serverSecret, baseUrl, outbox, agents, calls } = parts;
  const cookies = new Cookies(() => baseUrl().startsWith('https:'));
  const sessions = new Sessions({ store, clock, cookies, baseUrl, formSecret: serverSecret.hasher('cabinet-form') });
  const isLogged = config.mail.by === 'outbox' && config.mail.logsLoginLinks;
  const links = new Links({
    store,
    clock,
    cookies,
    sessions,
    baseUrl,
    outbox,
    serviceName: config.serviceName,
    codeSecret: serverSecret.hasher('login-code'),
    isOwner: async (email) => (await agents.ofOwner(email)).length > 0,
    slowDown: (retryAfterSeconds) =>
      new Refusal(slowDown, { detail: 'twenty links were asked for from this address in an hour', retryAfterSeconds }),
    ...(isLogged && { logLink: (link: string) => logger.info('login link', { link }) }),
  });
  const asOwner: AsOwner = (agent, work) => agents.asOwner(agent, work);
  const money = new Money({
    store,
    clock,
    asOwner,
    tiers: TIERS,
    isLedgerHalted: () => parts.ledger.isHalted,
    topUps: {
      create: (asked) => parts.topUps.create({ ...asked, idempotency_key: undefined }),
      newestOf: (agentId, limit) => parts.topUps.newestOf(agentId, limit),
    },
  });
  const { mandates, readings } = parts.mandates;
  const work = new Work({
    store,
    clock,
    asOwner,
    calls,
    tasks: parts.tasks,
    orders: parts.orders,
    mandates: {
      ofAgent: (agentId, limit) => readings.ofAgent(agentId, limit),
      view: (asked) => readings.mandate({ ...asked, api_key: undefined }),
      revoke: (asked) => mandates.revoke(asked),
    },
  });
  const account = new Account({
    store,
    clock,
    sessions,
    money,
    work,
    outbox,
    agents: {
      ofOwner: (email) => agents.ofOwner(email),
      changeKey: (agentId, change) => agents.changeKey(agentId, change),
      answerOwnership: (answer) => agents.answerOwnership(answer),
      eraseStep: (email) => agentStep({ type: 'erase_owner', email }),
    },
  });
  return { links, sessions, cookies, account, money, work, mail: config.mail.by };
}
