// Tasks below the service, with work that is counted and a store that ends its process at a chosen commit.
import assert from 'node:assert/strict';
import { paidFees } from '#areas/attestation/unit.ts';
import type { FetchedPage } from '#areas/capabilities/capability.ts';
import { HeavyWork } from '#areas/capabilities/outside/heavy-work.ts';
import { ModelClient } from '#areas/capabilities/outside/model-client.ts';
import { type PriceTable, readPriceTable } from '#areas/capabilities/prices.ts';
import { taskRoutes } from '#areas/capabilities/task-routes.ts';
import { CapabilityWork } from '#areas/capabilities/work.ts';
import type { CreateTaskInput } from '#areas/tasks/fields.ts';
import { caseIdOf } from '#areas/tasks/evidence.ts';
import type { TaskRoute } from '#kernel/task-route.ts';
import { RuleFlags } from '#platform/usage-rules/rule-flags.ts';
import { Tasks } from '#areas/tasks/service.ts';
import { STEPS_OF_TASK } from '#areas/tasks/sql.ts';
import type { Clock } from '#kernel/clock.ts';
import { hmacSha256Hex } from '#kernel/ids.ts';
import type { Refusal } from '#kernel/problem.ts';
import { walletOf } from '#platform/ledger/steps.ts';
import type { Store } from '#platform/storage/store.ts';

export const FUNDS = 1_000_000;
export const PRICE = 50_000;
/** On a busy machine a run is waited for all the same. */
const PATIENCE = 30;
export const CALL = { requestId: 'r', addressTag: 'addr', mediaType: 'application/json' };

export class Killed extends Error {}

function thrown(): Promise<never> {
  return Promise.reject(new Killed());
}

export interface Death {
  readonly at: number;
  readonly when: 'before' | 'after';
  /** A real one never returns. */
  readonly die?: () => Promise<never>;
}

/** A process that dies at its n-th commit: just before it, or after it and before it learns of it. */
export function dyingAt(store: Store, { at, when, die = thrown }: Death): Store & { commits(): number } {
  let commits = 0;
  const dying = async <T>(commit: () => Promise<T>): Promise<T> => {
    commits += 1;
    if (commits > at || (commits === at && when === 'before')) return die();
    const result = await commit();
    return commits === at ? die() : result;
  };
  return {
    run: (unit, command) => dying(() => store.run(unit, command)),
    runProven: (unit, command) => dying(() => store.runProven(unit, command)),
    runAll: (steps, stopAt) => dying(() => store.runAll(steps, stopAt)),
    read: (sql, params) => (commits > at ? Promise.reject(new Killed()) : store.read(sql, params)),
    readConfirmed: (sql, params) => store.readConfirmed(sql, params),
    scrub: () => store.scrub(),
    status: () => store.status(),
    close: () => Promise.resolve(),
    commits: () => commits,
  };
}

/** A store that still writes and gives no row any more. */
export function unreadable(store: Store): Store {
  return { ...dyingAt(store, { at: Number.POSITIVE_INFINITY, when: 'before' }), read: thrown };
}

/** Work that keeps the promise of its port: one effect for one key. */
export class CountedWork implements TaskRoute {
  readonly revenue = 'revenue:capability';
  readonly isSold = false;
  readonly effects = new Set<string>();
  diesInside = false;

  async quote() {
    return { priceMicro: PRICE, feeMicro: 0, sold: null, questions: [] };
  }

  async run(_entities: unknown, _inputs: unknown, { key }: { key: string }) {
    this.effects.add(key);
    if (this.diesInside) throw new Killed();
    return { result: { said: 'done' }, costMicro: 1_000 };
  }
}

const PAGE: FetchedPage = { status: 200, contentType: 'text/plain', body: Buffer.from('Terms of sale') };

/** The route that fetches a page and seals what it got. */
export function fetchingWork(clock: Clock): TaskRoute {
  const work = new CapabilityWork({
    clock,
    prices: readPriceTable('{"version":"1","prices":[]}', []) as PriceTable,
    fxMicro: 1_000_000,
    hasExtra: () => false,
    heavy: new HeavyWork({ clock }),
    models: new ModelClient([]),
    fetch: async () => PAGE,
  });
  return taskRoutes({ work, clock, sandbox: true })['web.fetch_seal'] as TaskRoute;
}

export interface TaskTestParts {
  readonly agentId: string;
  readonly clock: Clock;
  readonly work: TaskRoute;
  readonly patience?: number;
  readonly refuseByRules?: ((field: string) => Promise<Refusal | null>) | undefined;
  readonly logFault?: (taskId: string) => void;
}

export function tasksOf(
  store: Store,
  {
    agentId,
    clock,
    work,
    patience = PATIENCE,
    refuseByRules = async () => null,
    logFault = () => undefined,
  }: TaskTestParts,
  runner: string,
): Tasks {
  const keyed = (...parts: readonly string[]) => hmacSha256Hex(new Uint8Array(32), parts.join('\0'));
  const authenticate = async () => ({ agentId, keyId: 'key_1', name: 'a', scopes: [] });
  const rules = new RuleFlags({
    store,
    clock,
    sandbox: true,
    suspends: true,
    contact: '',
    ownerTag: keyed,
    record: () => undefined,
  });
  return new Tasks({
    authenticate,
    recognise: authenticate,
    suspensionOf: async () => undefined,
    rules,
    patience,
    store,
    clock,
    runner,
    sandbox: true,
    routes: { bounty_search: work },
    baseUrl: () => 'http://localhost',
    receipt: (of) => ({ charged: of.chargedEur }),
    refuseByRules,
    sealedEvidence: async () => null,
    keyHash: keyed,
    receiptSecret: keyed,
    paidFees,
    logFault,
  });
}

export const inputOf = (agentId: string): CreateTaskInput => ({
  agent_id: agentId,
  need: 'open bounties',
  inputs: {},
  region: 'NL',
  max_eur: 5_000_000,
  mode: 'auto',
  idempotency_key: 'once',
  agent_key: 'agk_x',
});

export async function ended(store: Store, agentId: string) {
  const tasks = await store.read('SELECT id, state, body FROM task');
  const [task, ...more] = tasks.filter(({ body }) => String(body).includes(agentId));
  assert.deepEqual(more, [], 'one task');
  const id = String(task?.['id']);
  const steps = await store.read(STEPS_OF_TASK, [id]);
  const [wallet] = await store.read('SELECT posted, held FROM ledger_account WHERE id = $1', [walletOf(agentId)]);
  const seals = await store.read("SELECT claim FROM records WHERE schema_id = 'coordination.state.v1'");
  return {
    id,
    state: task?.['state'],
    body: String(task?.['body']),
    steps,
    money: [wallet?.['posted'], wallet?.['held']],
    seals: seals.filter(({ claim }) => String(claim).includes(caseIdOf(id))).length,
  };
}
