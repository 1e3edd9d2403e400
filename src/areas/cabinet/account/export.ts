import { type Clock, isoTime } from '#kernel/clock.ts';
import type { Placed } from '#kernel/newest-first.ts';
import { readStatement, type StatementLine } from '#platform/ledger/queries.ts';
import { statementItem } from '#platform/ledger/statement.ts';
import type { Store } from '#platform/storage/store.ts';
import type { OwnerOrders } from '../activity/owner-orders.ts';
import type { OwnerTasks } from '../activity/owner-tasks.ts';
import type { Work } from '../activity/work.ts';
import type { Sessions } from '../login/sessions.ts';
import type { Money, TopUpLine } from '../money/money.ts';
import type { OwnedAgent, Owner } from '../owner.ts';
import type { CallRecord } from '../sql.ts';

/** Who has what an export tells. */
export interface ExportSources {
  readonly store: Pick<Store, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sessions: Pick<Sessions, 'list'>;
  readonly money: Pick<Money, 'overview' | 'topUpPage'>;
  readonly work: Pick<Work, 'callPage' | 'mandatePage'>;
  readonly tasks: Pick<OwnerTasks, 'page'>;
  readonly orders: Pick<OwnerOrders, 'page'>;
}

/** So many entries of a list are in memory at once. */
const PAGE = 100;

/** The JSON of all that an account has, page by page: together it may be more than fits into memory. */
export async function* exportPieces(sources: ExportSources, owner: Owner): AsyncGenerator<string> {
  const { clock, sessions, money } = sources;
  const { agents: balances } = await money.overview(owner);
  const head = { email: owner.visitor.email, exported_at: isoTime(clock.now()) };
  yield `${unclosed(head)},"agents":[`;
  for (const [index, agent] of owner.agents.entries()) {
    const balance = balances.find(({ agent_id }) => agent_id === agent.agentId);
    yield `${index === 0 ? '' : ','}${unclosed({ ...balance, keys: agent.keys.map(keyView) })}`;
    for (const [name, pages] of Object.entries(listsOf(sources, agent))) {
      yield `,"${name}":[`;
      yield* pages;
      yield ']';
    }
    yield '}';
  }
  yield `],"sessions":${JSON.stringify(await sessions.list(owner.visitor))}}`;
}

/** What an agent may have much of. */
function listsOf({ store, money, work, tasks, orders }: ExportSources, agent: OwnedAgent) {
  const { agentId, isOwnerVerified } = agent;
  // It gives one more than its limit.
  const statement = (last?: StatementLine) =>
    readStatement(store, agentId, { beforeSeq: last?.seq ?? Number.MAX_SAFE_INTEGER, limit: PAGE - 1 });
  const topUps = async (last?: TopUpLine) => (isOwnerVerified ? money.topUpPage(agent, last, PAGE) : []);
  return {
    ledger: pagesOf(statement, statementItem),
    topups: pagesOf(topUps, (one) => one),
    tasks: pagesOf<Placed<object>>((last) => tasks.page(agent, last, PAGE), lineOf),
    orders: pagesOf<Placed<object>>((last) => orders.page(agent, last, PAGE), lineOf),
    mandates: pagesOf<Placed<object>>((last) => work.mandatePage(agent, last, PAGE), lineOf),
    calls: pagesOf<CallRecord>((last) => work.callPage(agent, last, PAGE), callItem),
  };
}

/** Members of a list, each page in one piece. A page that is not full is the last. */
async function* pagesOf<T>(
  read: (last: T | undefined) => Promise<readonly T[]>,
  shown: (one: T) => object,
): AsyncGenerator<string> {
  let last: T | undefined;
  let isMore = true;
  while (isMore) {
    const page = await read(last);
    const text = page.map((one) => JSON.stringify(shown(one))).join(',');
    if (text !== '') yield last === undefined ? text : `,${text}`;
    last = page.at(-1);
    isMore = page.length >= PAGE;
  }
}

/** An object whose further members follow. */
function unclosed(members: object): string {
  return JSON.stringify(members).slice(0, -1);
}

function lineOf({ line }: Placed<object>): object {
  return line;
}

function callItem({ atMs, operation, status, code, ms }: CallRecord) {
  return { at: isoTime(atMs), operation, status, code, ms };
}

export function keyView({ keyId, scopes, createdAtMs, lastUsedAtMs, revokedAtMs }: OwnedAgent['keys'][number]) {
  const iso = (ms: number | null) => (ms === null ? null : isoTime(ms));
  return {
    key_id: keyId,
    scopes: [...scopes],
    created_at: isoTime(createdAtMs),
    last_used_at: iso(lastUsedAtMs),
    revoked_at: iso(revokedAtMs),
  };
}
