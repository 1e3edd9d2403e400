import type { z } from 'zod';
import { on, type OpenArea, type Served } from '#kernel/area.ts';
import { slowDown } from '#kernel/general-problems.ts';
import type { Job } from '#kernel/job.ts';
import {
  type Call,
  type Handler,
  type InputSchema,
  type Operation,
  Redirect,
  WithHeaders,
  WithPage,
} from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { expiryJob } from '#platform/storage/expiry.ts';
import { type AccountOptions, AccountService } from './account/account.ts';
import * as ofAccount from './account/account-operations.ts';
import { accountAnswer, deletionRefused, keyChange, keysAnswer, sessionsAnswer } from './account/account-views.ts';
import { AgentCalls, callExpiry } from './activity/calls.ts';
import { OwnerOrders, type OrdersPort } from './activity/owner-orders.ts';
import { OwnerTasks, type TasksPort } from './activity/owner-tasks.ts';
import { mandatesAnswer, openMandateAnswer, ordersAnswer, tasksAnswer } from './activity/work-views.ts';
import { unlessConfirmed } from './confirmation.ts';
import { doneAt } from './done.ts';
import { OwnerCalls } from './activity/owner-calls.ts';
import { Cookies } from './login/cookies.ts';
import { LoginLinks } from './login/links.ts';
import { login, loginPage, requestLink } from './login/login-operations.ts';
import { LOGIN_PAGE } from './login/login-page.ts';
import { LOGIN_EXPIRIES } from './login/login-unit.ts';
import { signInFor } from './login/next-page.ts';
import { Money, type MoneyOptions } from './money/money.ts';
import * as ofMoney from './money/money-operations.ts';
import { ledgerAnswer, overviewAnswer, topUpsAnswer } from './money/money-views.ts';
import { type AsOwner, notOwned, type Owner } from './owner.ts';
import { noSession } from './problems.ts';
import { Sessions, type Visitor } from './login/sessions.ts';
import { Start, type StartOptions } from './start/start.ts';
import { start, startCall, startPage, startTopUp } from './start/start-operations.ts';
import { type ActivityOptions, Work } from './activity/work.ts';
import * as ofWork from './activity/work-operations.ts';

/** What owners see and do of every other area. */
export interface CabinetNeeds extends Pick<ActivityOptions, 'mandates'>, Pick<MoneyOptions, 'tiers'> {
  readonly topUps: MoneyOptions['topUps'] & ActivityOptions['topUps'];
  readonly tasks: TasksPort;
  /** What each route of a task does, by its id. */
  readonly routeNames: Readonly<Record<string, string>>;
  readonly orders: OrdersPort;
  readonly agents: Omit<AccountOptions['agents'], 'register'> & Pick<StartOptions, 'register' | 'view'>;
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
  readonly tasks: OwnerTasks;
  readonly orders: OwnerOrders;
  readonly topUps: CabinetNeeds['topUps'];
  readonly routeNames: Readonly<Record<string, string>>;
  readonly calls: AgentCalls;
  readonly ownerCalls: OwnerCalls;
  readonly mail: 'smtp' | 'outbox' | 'off';
  readonly jobs: readonly Job[];
}

const KEYS = '/dashboard/keys';
const SESSIONS = '/dashboard/sessions';
const taskAt = (taskId: string) => `/dashboard/tasks?task_id=${taskId}`;
const orderAt = (orderId: string) => `/dashboard/orders?order_id=${orderId}`;

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
    entered(
      area,
      call,
      await area.sessions.visitor(call),
      (owner) => doing(area, owner, input, call),
      signInFor(row.path, input),
    ),
  );
}

/** What a form does; it carries a token of its session. Where there is a question, a form must have answered it. */
function done<I extends InputSchema, O extends z.ZodType, Row extends Operation<I, O>>(
  row: Row & Operation<I, O>,
  doing: Doing<I, O>,
  questionAt: (input: z.output<I>) => string | undefined = () => undefined,
): Served<OpenCabinet, Row> {
  return on(row, async (area: OpenCabinet, input, call) => {
    const { csrf } = input as { csrf?: string };
    return entered(
      area,
      call,
      await area.sessions.actor(call, csrf),
      (owner) => unlessConfirmed(call, questionAt(input)) ?? doing(area, owner, input, call),
    );
  });
}

async function entered<T>(
  { account }: OpenCabinet,
  call: Call,
  visitor: Visitor | Refusal,
  doing: (owner: Owner) => T,
  signIn: string = LOGIN_PAGE,
) {
  if (!(visitor instanceof Refusal)) return doing(await account.owner(visitor));
  return call.wantsPage && visitor.type === noSession ? new Redirect(signIn) : visitor;
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
  services: 'all',
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
    shown(ofMoney.overview, overviewAnswer),
    done(
      ofMoney.answerAgent,
      async ({ account }, owner, input, call) => {
        const code = input.answer === 'accept' ? 'agent_accepted' : 'agent_refused';
        return then(call, doneAt('/dashboard', code, input.agent_id), await account.answerAgent(owner, input));
      },
      ({ answer, agent_id }) => (answer === 'refuse' ? `${KEYS}?confirm=refuse&agent_id=${agent_id}` : undefined),
    ),
    shown(ofMoney.ledgerPage, ledgerAnswer),
    shown(ofMoney.spendPage, ({ money }, owner, input, call) => money.spend(owner, input, call)),
    shown(ofMoney.topUpPage, topUpsAnswer),
    done(ofMoney.startTopUp, ({ money }, owner, input) => money.startTopUp(owner, input)),
    shown(ofWork.tasksPage, tasksAnswer),
    done(
      ofWork.cancelOwnTask,
      async ({ tasks }, owner, { task_id }, call) =>
        then(call, doneAt(taskAt(task_id), 'task_cancelled', task_id), await tasks.cancel(owner, task_id)),
      ({ task_id }) => `${taskAt(task_id)}&confirm=cancel`,
    ),
    done(ofWork.answerOwnTask, async ({ tasks }, owner, input, call) =>
      then(call, doneAt(taskAt(input.task_id), 'task_answered', input.task_id), await tasks.answer(owner, input, call)),
    ),
    done(ofWork.acceptOwnTask, async ({ tasks }, owner, { task_id }, call) =>
      then(call, doneAt(taskAt(task_id), 'task_accepted', task_id), await tasks.accept(owner, task_id)),
    ),
    shown(ofWork.ordersPage, ordersAnswer),
    done(
      ofWork.cancelOwnOrder,
      async ({ orders }, owner, { order_id }, call) =>
        then(call, doneAt(orderAt(order_id), 'order_cancelled', order_id), await orders.cancel(owner, order_id)),
      ({ order_id }) => `${orderAt(order_id)}&confirm=cancel`,
    ),
    shown(ofWork.callsPage, ({ ownerCalls }, owner, input, call) => ownerCalls.answer(owner, input, call)),
    shown(ofWork.mandatesPage, mandatesAnswer),
    done(
      ofWork.openMandate,
      async (area, owner, input, call) => {
        const opened = await openMandateAnswer(area, owner, input, call);
        if (input.action === 'view' || opened instanceof WithPage) return opened;
        return then(call, doneAt('/dashboard/mandates', 'mandate_revoked', input.mandate_id), opened);
      },
      ({ action, mandate_id }) =>
        action === 'revoke' ? `/dashboard/mandates?mandate_id=${mandate_id}&confirm=revoke` : undefined,
    ),
    shown(ofAccount.keysPage, (area, owner, _input, call) => keysAnswer(area, owner, call)),
    done(
      ofAccount.changeKey,
      async ({ account }, owner, input, call) => {
        const changed = await account.changeKey(owner, keyChange(input, call));
        return input.action === 'revoke' ? then(call, doneAt(KEYS, 'key_revoked', input.key_id), changed) : changed;
      },
      ({ action, key_id }) => (action === 'create' ? undefined : `${KEYS}?confirm=${action}&key_id=${key_id}`),
    ),
    done(ofAccount.newAgent, ({ account }, owner, input, call) => account.newAgent(owner, input, call)),
    shown(ofAccount.sessionsPage, (area, owner, _input, call) => sessionsAnswer(area, owner, call)),
    done(
      ofAccount.endSession,
      async (area, owner, { session_id: which }, call) => {
        const { sessions } = area;
        if (!(await sessions.end(owner.visitor, which))) return notOwned();
        const left = { ...owner.head, sessions: await sessions.list(owner.visitor) };
        const isOut = !left.sessions.some(({ this_one }) => this_one);
        const answer = then(call, isOut ? LOGIN_PAGE : doneAt(SESSIONS, 'session_ended'), left);
        return isOut ? new WithHeaders(leaving(area), answer) : answer;
      },
      ({ session_id }) => (session_id === 'all' ? `${SESSIONS}?confirm=all` : undefined),
    ),
    shown(ofAccount.accountPage, (area, owner, _input, call) => accountAnswer(area, owner, call)),
    done(ofAccount.deleteAccount, async (area, owner, input, call) => {
      const deleted = await area.account.delete(owner, input);
      if (!(deleted instanceof Refusal)) return new WithHeaders(leaving(area), deleted);
      return call.wantsPage ? deletionRefused(area, owner, input, deleted) : deleted;
    }),
    shown(ofAccount.exportAccount, ({ account }, owner) => account.export(owner)),
  ],
} satisfies PlatformArea<OpenCabinet, CabinetNeeds>;

/** The pages of owners, with what they need of every other area. */
function openCabinet(platform: Platform, needs: CabinetNeeds): OpenCabinet {
  const { config, store, clock, serverSecret, baseUrl, outbox, ledger, table } = platform;
  const { asOwner, agents, topUps, tiers, tasks, orders, mandates, routeNames } = needs;
  const cookies = new Cookies(() => baseUrl().startsWith('https:'));
  const formSecret = serverSecret.hasher('cabinet-form');
  const sessions = new Sessions({ store, clock, cookies, baseUrl, formSecret });
  const calls = new AgentCalls(store);
  const money = new Money({ store, clock, asOwner, tiers, isLedgerHalted: () => ledger.isHalted, topUps, calls });
  const problems = new Map(table.problems().map((problem) => [problem.code, problem]));
  const work = new Work({ calls, tasks, orders, mandates, topUps });
  const ofOwners = { tasks: new OwnerTasks({ tasks, asOwner }), orders: new OwnerOrders({ orders, asOwner }) };
  const links = openLinks(platform, needs, { cookies, sessions });
  const account = new AccountService({ store, clock, sessions, money, work, outbox, agents, ...ofOwners });
  const { register, view } = agents;
  const proofSecret = (...parts: readonly string[]) => formSecret('start', ...parts);
  const showsCodes = config.mail.by === 'outbox';
  return {
    ...ofOwners,
    topUps,
    routeNames,
    links,
    sessions,
    cookies,
    account,
    money,
    work,
    start: new Start({ links, sessions, account, money, baseUrl, tiers, register, view, proofSecret, showsCodes }),
    calls,
    ownerCalls: new OwnerCalls({ store, clock, calls, problemOf: (code) => problems.get(code) }),
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
