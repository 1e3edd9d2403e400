import type { z } from 'zod';
import { on, type OpenArea, type Served } from '#kernel/area.ts';
import { slowDown } from '#kernel/general-problems.ts';
import type { Job } from '#kernel/job.ts';
import { type Call, type Handler, type InputSchema, type Operation, Redirect, WithHeaders } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { expiryJob } from '#platform/storage/expiry.ts';
import { type AccountOptions, AccountService } from './account/account.ts';
import * as ofAccount from './account/account-operations.ts';
import { AgentCalls, callExpiry } from './activity/calls.ts';
import { Cookies } from './login/cookies.ts';
import { LoginLinks } from './login/links.ts';
import { login, loginPage, requestLink } from './login/login-operations.ts';
import { LOGIN_EXPIRIES } from './login/login-unit.ts';
import { Money, type MoneyOptions } from './money/money.ts';
import * as ofMoney from './money/money-operations.ts';
import { type AsOwner, notOwned, type Owner } from './owner.ts';
import { noSession } from './problems.ts';
import { Sessions, type Visitor } from './login/sessions.ts';
import { Start, type StartOptions } from './start/start.ts';
import { start, startCall, startPage, startTopUp } from './start/start-operations.ts';
import { type ActivityOptions, Work } from './activity/work.ts';
import * as ofWork from './activity/work-operations.ts';

/** What owners see and do of every other area. */
export interface CabinetNeeds
  extends Pick<ActivityOptions, 'tasks' | 'orders' | 'mandates'>,
    Pick<MoneyOptions, 'topUps' | 'tiers'> {
  readonly agents: AccountOptions['agents'] & Pick<StartOptions, 'register' | 'view'>;
  /** Has something done in the name of an agent, by its owner. */
  readonly asOwner: AsOwner;
}

export interface OpenCabinet extends OpenArea, AsyncDisposable {
  readonly links: LoginLinks;
  readonly sessions: Sessions;
  readonly cookies: Cookies;
  readonly account: AccountService;
  readonly money: Money;
  readonly work: Work;
  readonly start: Start;
  readonly calls: AgentCalls;
  readonly mail: 'smtp' | 'outbox' | 'off';
  readonly jobs: readonly Job[];
}

const LOGIN_PAGE = '/dashboard/login';

type Doing<I extends InputSchema, O extends z.ZodType> = (
  area: OpenCabinet,
  owner: Owner,
  input: z.output<I>,
  call: Call,
) => ReturnType<Handler<z.output<I>, z.output<O>>>;

/** A page of who has a session. */
function shown<I extends InputSchema, O extends z.ZodType, Row extends Operation<I, O>>(
  row: Row & Operation<I, O>,
  doing: Doing<I, O>,
): Served<OpenCabinet, Row> {
  return on(row, async (area: OpenCabinet, input, call) =>
    entered(area, call, await area.sessions.visitor(call), (owner) => doing(area, owner, input, call)),
  );
}

/** What a form does; it carries a token of its session. */
function done<I extends InputSchema, O extends z.ZodType, Row extends Operation<I, O>>(
  row: Row & Operation<I, O>,
  doing: Doing<I, O>,
): Served<OpenCabinet, Row> {
  return on(row, async (area: OpenCabinet, input, call) => {
    const { csrf } = input as { csrf?: string };
    return entered(area, call, await area.sessions.actor(call, csrf), (owner) => doing(area, owner, input, call));
  });
}

async function entered<T>(
  { account }: OpenCabinet,
  call: Call,
  visitor: Visitor | Refusal,
  doing: (owner: Owner) => T,
) {
  if (!(visitor instanceof Refusal)) return doing(await account.owner(visitor));
  return call.wantsPage && visitor.type === noSession ? new Redirect(LOGIN_PAGE) : visitor;
}

/** After a form the browser asks for the page, so that loading it again repeats nothing. */
function then<T>(call: Call, path: string, output: T) {
  return call.wantsPage && !(output instanceof Refusal) ? new Redirect(path) : output;
}

/** Takes the session from the browser. */
function leaving({ cookies }: OpenCabinet): string[] {
  return ['set-cookie', cookies.set('sid', '', 0)];
}

export const cabinetArea = {
  name: 'cabinet',
  open: openCabinet,
  operations: [
    on(requestLink, ({ links }, input, call) => links.request(input, call)),
    on(loginPage, ({ mail, links }, _input, call) => {
      const outbox = mail === 'outbox' ? '/sandbox/outbox' : null;
      return links.page({ request: '/api/cabinet/request-link', login: '/cabinet/login', mail, outbox }, call);
    }),
    on(login, ({ links }, input, call) => links.login(input, call)),
    on(startPage, (area, input, call) => area.start.page(input, call)),
    on(start, (area, input, call) => area.start.register(input, call)),
    on(startCall, (area, input, call) => area.start.call(input, call)),
    on(startTopUp, (area, input, call) => area.start.topUp(input, call)),
    shown(ofMoney.overview, ({ money }, owner) => money.overview(owner)),
    done(ofMoney.answerAgent, async ({ account }, owner, input, call) =>
      then(call, '/dashboard', await account.answerAgent(owner, input)),
    ),
    shown(ofMoney.ledgerPage, ({ money }, owner, input, call) => money.ledger(owner, input, call)),
    shown(ofMoney.spendPage, ({ money }, owner, input) => money.spend(owner, input)),
    shown(ofMoney.topUpPage, ({ money }, owner) => money.topUps(owner)),
    done(ofMoney.startTopUp, ({ money }, owner, input) => money.startTopUp(owner, input)),
    shown(ofWork.tasksPage, ({ work }, owner, { task_id }) => work.tasks(owner, task_id)),
    done(ofWork.cancelOwnTask, async ({ work }, owner, { task_id }, call) =>
      then(call, `/dashboard/tasks?task_id=${task_id}`, await work.cancelTask(owner, task_id)),
    ),
    shown(ofWork.ordersPage, ({ work }, owner, { order_id }) => work.orders(owner, order_id)),
    done(ofWork.cancelOwnOrder, async ({ work }, owner, { order_id }, call) =>
      then(call, `/dashboard/orders?order_id=${order_id}`, await work.cancelOrder(owner, order_id)),
    ),
    shown(ofWork.callsPage, ({ work }, owner, input) => work.calls(owner, input)),
    shown(ofWork.mandatesPage, ({ work }, owner) => work.mandates(owner)),
    done(ofWork.openMandate, ({ work }, owner, input) => work.openMandate(owner, input)),
    shown(ofAccount.keysPage, ({ account }, owner) => account.keys(owner)),
    done(ofAccount.changeKey, ({ account }, owner, input) => account.changeKey(owner, input)),
    shown(ofAccount.sessionsPage, async ({ sessions }, owner) => ({
      ...owner.head,
      sessions: await sessions.list(owner.visitor),
    })),
    done(ofAccount.endSession, async (area, owner, { session_id: which }, call) => {
      const { sessions } = area;
      if (!(await sessions.end(owner.visitor, which))) return notOwned();
      const left = { ...owner.head, sessions: await sessions.list(owner.visitor) };
      const isOut = !left.sessions.some(({ this_one }) => this_one);
      const answer = then(call, isOut ? LOGIN_PAGE : '/dashboard/sessions', left);
      return isOut ? new WithHeaders(leaving(area), answer) : answer;
    }),
    shown(ofAccount.accountPage, ({ account }, owner) => account.view(owner)),
    done(ofAccount.deleteAccount, async (area, owner, input) => {
      const deleted = await area.account.delete(owner, input);
      return deleted instanceof Refusal ? deleted : new WithHeaders(leaving(area), deleted);
    }),
    shown(ofAccount.exportAccount, ({ account }, owner) => account.export(owner)),
  ],
} satisfies PlatformArea<OpenCabinet, CabinetNeeds>;

/** The pages of owners, with what they need of every other area. */
function openCabinet(platform: Platform, needs: CabinetNeeds): OpenCabinet {
  const { config, store, clock, serverSecret, baseUrl, outbox, ledger } = platform;
  const { asOwner, agents, topUps, tiers, tasks, orders, mandates } = needs;
  const cookies = new Cookies(() => baseUrl().startsWith('https:'));
  const formSecret = serverSecret.hasher('cabinet-form');
  const sessions = new Sessions({ store, clock, cookies, baseUrl, formSecret });
  const calls = new AgentCalls(store);
  const money = new Money({ store, clock, asOwner, tiers, isLedgerHalted: () => ledger.isHalted, topUps });
  const work = new Work({ store, clock, asOwner, calls, tasks, orders, mandates });
  const links = openLinks(platform, needs, { cookies, sessions });
  const account = new AccountService({ store, clock, sessions, money, work, outbox, agents });
  const { register, view } = agents;
  const proofSecret = (...parts: readonly string[]) => formSecret('start', ...parts);
  const showsCodes = config.mail.by === 'outbox';
  return {
    links,
    sessions,
    cookies,
    account,
    money,
    work,
    start: new Start({ links, sessions, account, money, baseUrl, tiers, register, view, proofSecret, showsCodes }),
    calls,
    mail: config.mail.by,
    jobs: [
      expiryJob('login-sweep', { store, clock }, ...LOGIN_EXPIRIES),
      expiryJob('call-sweep', { store, clock }, callExpiry),
    ],
    onHeartbeat: () => calls.flush(),
    [Symbol.asyncDispose]: () => calls.flush(),
  };
}

/** Links by which owners log in. */
function openLinks(
  { config, store, clock, logger, serverSecret, baseUrl, outbox }: Platform,
  { agents }: CabinetNeeds,
  { cookies, sessions }: Pick<OpenCabinet, 'cookies' | 'sessions'>,
): LoginLinks {
  const isLogged = config.mail.by === 'outbox' && config.mail.logsLoginLinks;
  return new LoginLinks({
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
      new Refusal(slowDown, {
        detail: 'Twenty sign-in links were requested from this address within an hour. Retry later. No email was sent.',
        retryAfterSeconds,
      }),
    ...(isLogged && { logLink: (link: string) => logger.info('sign-in link', { link }) }),
  });
}
