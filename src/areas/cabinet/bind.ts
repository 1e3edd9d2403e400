import type { z } from 'zod';
import { type Call, type Handler, type InputSchema, type Operation, SeeOther, WithHeaders } from '#kernel/operation.ts';
import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { Account } from './account.ts';
import * as ofAccount from './account-operations.ts';
import type { Cookies } from './cookies.ts';
import type { Links } from './links.ts';
import { login, loginPage, requestLink } from './login-operations.ts';
import type { Money } from './money.ts';
import * as ofMoney from './money-operations.ts';
import { notFound, type Owner } from './owner.ts';
import { noSession } from './problems.ts';
import type { Sessions, Visitor } from './sessions.ts';
import type { Work } from './work.ts';
import * as ofWork from './work-operations.ts';

export interface Cabinet {
  readonly links: Links;
  readonly sessions: Sessions;
  readonly cookies: Cookies;
  readonly account: Account;
  readonly money: Money;
  readonly work: Work;
  readonly mail: 'smtp' | 'outbox' | 'off';
}

export const CABINET_OPERATIONS = [
  requestLink,
  loginPage,
  login,
  ofMoney.overview,
  ofMoney.answerAgent,
  ofMoney.ledgerPage,
  ofMoney.spendPage,
  ofMoney.topUpPage,
  ofMoney.startTopUp,
  ofWork.tasksPage,
  ofWork.cancelTask,
  ofWork.ordersPage,
  ofWork.cancelOrder,
  ofWork.callsPage,
  ofWork.mandatesPage,
  ofWork.openMandate,
  ofAccount.keysPage,
  ofAccount.changeKey,
  ofAccount.sessionsPage,
  ofAccount.endSession,
  ofAccount.accountPage,
  ofAccount.deleteAccount,
  ofAccount.exportAccount,
];

const LOGIN = '/cabinet/login';

export function bindCabinet({ links, sessions, cookies, account, money, work, mail }: Cabinet): BoundOperation[] {
  type Doing<I extends InputSchema, O extends z.ZodType> = (
    owner: Owner,
    input: z.output<I>,
    call: Call,
  ) => ReturnType<Handler<z.output<I>, z.output<O>>>;
  const entered = async <T>(call: Call, visitor: Visitor | Refusal, doing: (owner: Owner) => T) => {
    if (!(visitor instanceof Refusal)) return doing(await account.owner(visitor));
    return call.wantsPage && visitor.type === noSession ? new SeeOther(LOGIN) : visitor;
  };
  const shown = <I extends InputSchema, O extends z.ZodType>(row: Operation<I, O>, doing: Doing<I, O>) =>
    bind(row, async (input, call) => entered(call, await sessions.visitor(call), (owner) => doing(owner, input, call)));
  const done = <I extends InputSchema, O extends z.ZodType>(row: Operation<I, O>, doing: Doing<I, O>) =>
    bind(row, async (input, call) => {
      const { csrf } = input as { csrf?: string };
      return entered(call, await sessions.actor(call, csrf), (owner) => doing(owner, input, call));
    });
  /** After a form the browser asks for the page, so that loading it again repeats nothing. */
  const then = <T>(call: Call, path: string, output: T) =>
    call.wantsPage && !(output instanceof Refusal) ? new SeeOther(path) : output;
  const out = ['set-cookie', cookies.set('sid', '', 0)];
  return [
    bind(requestLink, (input, call) => links.request(input, call)),
    bind(loginPage, () => ({
      request: '/api/cabinet/request-link',
      login: LOGIN,
      mail,
      outbox: mail === 'outbox' ? '/sandbox/outbox' : null,
    })),
    bind(login, (input, call) => links.login(input, call)),
    shown(ofMoney.overview, (owner) => money.overview(owner)),
    done(ofMoney.answerAgent, async (owner, input, call) =>
      then(call, '/cabinet', await account.answerAgent(owner, input)),
    ),
    shown(ofMoney.ledgerPage, (owner, input, call) => money.ledger(owner, input, call)),
    shown(ofMoney.spendPage, (owner, input) => money.spend(owner, input)),
    shown(ofMoney.topUpPage, (owner) => money.topUps(owner)),
    done(ofMoney.startTopUp, (owner, input) => money.startTopUp(owner, input)),
    shown(ofWork.tasksPage, (owner, { task_id }) => work.tasks(owner, task_id)),
    done(ofWork.cancelTask, async (owner, { task_id }, call) =>
      then(call, `/cabinet/tasks?task_id=${task_id}`, await work.cancelTask(owner, task_id)),
    ),
    shown(ofWork.ordersPage, (owner, { order_id }) => work.orders(owner, order_id)),
    done(ofWork.cancelOrder, async (owner, { order_id }, call) =>
      then(call, `/cabinet/orders?order_id=${order_id}`, await work.cancelOrder(owner, order_id)),
    ),
    shown(ofWork.callsPage, (owner, input) => work.calls(owner, input)),
    shown(ofWork.mandatesPage, (owner) => work.mandates(owner)),
    done(ofWork.openMandate, (owner, input) => work.openMandate(owner, input)),
    shown(ofAccount.keysPage, (owner) => account.keys(owner)),
    done(ofAccount.changeKey, (owner, input) => account.changeKey(owner, input)),
    shown(ofAccount.sessionsPage, async (owner) => ({
      ...owner.head,
      sessions: await sessions.list(owner.visitor),
    })),
    done(ofAccount.endSession, async (owner, { session_id: which }, call) => {
      if (!(await sessions.end(owner.visitor, which))) return notFound();
      const left = { ...owner.head, sessions: await sessions.list(owner.visitor) };
      const isOut = !left.sessions.some(({ this_one }) => this_one);
      const answer = then(call, isOut ? LOGIN : '/cabinet/sessions', left);
      return isOut ? new WithHeaders(out, answer) : answer;
    }),
    shown(ofAccount.accountPage, (owner) => account.view(owner)),
    done(ofAccount.deleteAccount, async (owner, input) => {
      const deleted = await account.delete(owner, input);
      return deleted instanceof Refusal ? deleted : new WithHeaders(out, deleted);
    }),
    shown(ofAccount.exportAccount, (owner) => account.export(owner)),
  ];
}
