import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, suite, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ManualClock } from '#kernel/clock.ts';
import { freshDatabase, hasPostgres } from '../../support/databases.ts';
import { ChildService } from '../../support/child-service.ts';
import { Client, expectProblem } from '../../support/client.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { serviceEnv, TestService } from '../../support/service.ts';
import { readHistory } from '../../support/events.ts';
import { checkHistory } from '../../chaos/history.ts';
import { crowd, type Crowd, outcomeOf, replayLive, type Send, watchedSend } from '../../support/load.ts';
import { newSeed, seededRandom } from '../../support/random.ts';
import { PROCESSES_HUNG_MS, until } from '../../support/until.ts';
import { sealRecord } from '../../support/log.ts';
import { EventReader } from '../../support/sse.ts';
import { asked, mandate, mandateBody, registered } from '../../support/mandates.ts';
import { loggedIn } from '../../support/cabinet.ts';
import { fundedAgent, ordered } from '../../support/orders.ts';
import { TestWitness, witnessedBy } from '../../support/witness.ts';
import { readsStore } from '#kernel/operation-table.ts';
import { OPERATIONS } from '../../../src/areas.ts';
import { type PostgresCluster, type SharedPostgres, sharedPostgres, startPostgres } from '../../support/postgres.ts';

const RETENTION_OFF = { AVOUCH_EVENT_DAYS: '0' };
/** For who must see the end of an outage's limits; whatever they end too early is a 503. */
const IMPATIENT = 1;

const skip = !(await hasPostgres()) && 'no PostgreSQL here';
const serverOfRun = (await sharedPostgres()) as SharedPostgres;

/** Where a connection is cut. `underWay`: the COMMIT goes out, and nobody waits for its answer. */
type Cut = 'unseen' | 'underWay' | 'unanswered';
const CUTS: readonly (readonly [Cut, string])[] = [
  ['unseen', 'before the server sees the COMMIT'],
  ['underWay', 'while the server works on the COMMIT'],
  ['unanswered', 'after the COMMIT and before its answer'],
];
const TOKEN = 'token-of-the-caller-itself';
/** Longer than an unknown COMMIT is pursued with all the patience of a test, and shorter than a lease. */
const OUTCOME_MS = 300_000;

suite('faults of the database', { skip }, () => {
  test('a server killed and started again under load costs nothing but 503s', async (t) => {
    const cluster = (await startPostgres()) as PostgresCluster;
    t.after(() => cluster.stop());
    await using load = await startLoad(await cluster.createDatabase());
    const { agents, random } = load;
    const recoveriesMs: number[] = [];
    // Short outages are waited out by the service; a long one lasts here until it says so.
    for (const length of ['short', 'long', 'none']) {
      await sleep(100 + 300 * random());
      await cluster.kill();
      if (length === 'short') await sleep(300 * random());
      if (length === 'long') await untilDown(load.service);
      await cluster.restart();
      const backMs = performance.now();
      await acknowledgedMore(agents);
      recoveriesMs.push(Math.round(performance.now() - backMs));
    }
    await load.finish(t, { recoveriesMs });
    const outcomes = [...agents.journal.counts.keys()];
    assert.ok(
      outcomes.some((outcome) => outcome.startsWith('503 ')),
      'callers were told of the long outage',
    );
  });

  test('a writer whose connection is terminated 24 times under load loses nothing and does nothing twice', async (t) => {
    await using load = await startLoad(await newDatabase());
    await using admin = await connectAdmin();
    let terminated = 0;
    while (terminated < 24) {
      await sleep(5 + 60 * load.random());
      terminated += await admin.terminateBackends(load.service.databaseUrl as string);
      if (terminated % 8 === 0) await acknowledgedMore(load.agents);
    }
    await acknowledgedMore(load.agents);
    await load.finish(t, { terminated });
  });

  test('a process frozen while it holds the lock stops the others no longer than the time limit of the lock', async (t) => {
    await using frozen = await freezeWithLock('direct');
    const { agents, second, client } = frozen;
    const frozenMs = performance.now();
    const body = { key: 'beside', agent: 'other', mode: 'exclusive' };
    const answer = await client.call(second.url, '/v1/claim', { method: 'POST', body });
    t.diagnostic(`blocked for ${Math.round(performance.now() - frozenMs)} ms`);
    // Beyond the limit it would have been refused; that the process is still frozen shows who took the lock from it.
    assert.equal(answer.status, 200, answer.text);
    assert.equal(await frozen.holdsLock(), false);
    const found = await frozen.thaw();
    t.diagnostic(JSON.stringify(Object.fromEntries(agents.journal.counts)));
    assert.deepEqual(found, [], `seed ${frozen.seed}`);
  });

  test('a frozen process that writes for the others costs their calls a retry, and nothing is lost or done twice', async (t) => {
    await using frozen = await freezeWithLock('forward');
    const { second, client } = frozen;
    const body = { key: 'beside', agent: 'other', mode: 'exclusive', token: TOKEN };
    const answers: string[] = [];
    await until('the claim', async () => {
      const answer = await client.call(second.url, '/v1/claim', { method: 'POST', body });
      answers.push(answer.status === 200 ? '200' : `${answer.status} ${String(answer.json['code'])}`);
      return answer.status === 200;
    });
    t.diagnostic(answers.join());
    const allowed = ['200', '503 outcome_unknown', '503 storage_unavailable'];
    assert.deepEqual(
      answers.filter((one) => !allowed.includes(one)),
      [],
    );
    assert.equal(await frozen.holdsLock(), false);
    assert.deepEqual(await frozen.thaw(), [], `seed ${frozen.seed}`);
  });

  test('a connection that is lost while it is checked costs the call, and not the process', async () => {
    await using proxy = await CuttingProxy.start(serverOfRun.url(''));
    const direct = await newDatabase();
    await using service = await TestService.start({ databaseUrl: proxy.urlOf(direct), env: RETENTION_OFF });
    proxy.refuse();
    proxy.accept();
    proxy.cutsChecks = true;
    const looks = await Promise.all(Array.from({ length: 8 }, (_, n) => service.call(`/v1/look?key=checked:${n}`)));
    assert.ok(proxy.cuts > 0);
    for (const { status } of looks) assert.equal(status, 503);
    proxy.cutsChecks = false;
    await until('reads come back', async () => (await service.call('/v1/look?key=checked:1')).status === 200);
  });

  for (const [cut, when] of CUTS) {
    test(`a connection cut ${when} leads to the right answers and to one event each`, async () => {
      await using proxy = await CuttingProxy.start(serverOfRun.url(''));
      const direct = await newDatabase();
      await using service = await TestService.start({ databaseUrl: proxy.urlOf(direct), env: RETENTION_OFF });
      const cutDuring = (path: string, body: Record<string, unknown>) => {
        proxy.cutNext(cut);
        return service.call(path, { method: 'POST', body: { ...body, token: TOKEN } });
      };
      const granted = await cutDuring('/v1/claim', { key: 'k', agent: 'a7', mode: 'exclusive' });
      const { lease } = granted.json;
      const refreshed = await cutDuring('/v1/claim', { key: 'k', agent: 'a7', lease });
      const released = await cutDuring('/v1/release', { lease });
      assert.deepEqual([granted, refreshed, released].map(outcomeOf), ['200', '200', '200']);
      const flags = [granted.json['repeated'], refreshed.json['refreshed'], released.json['again']];
      assert.deepEqual(flags, [false, true, false]);
      const many = Array.from({ length: 20 }, (_, index) => ({ key: `k${index}`, agent: 'a7' }));
      proxy.cutNext(cut);
      const answers = await Promise.all(many.map((body) => service.call('/v1/claim', { method: 'POST', body })));
      assert.deepEqual([...new Set(answers.map(outcomeOf))], ['200']);
      assert.equal(proxy.cuts, 4);
      const history = await readHistory('', direct);
      assert.equal(history.events.length, 23);
      assert.deepEqual(checkHistory(history, []), []);
    });
  }

  test('every operation that reads the store says 503 while it is out of reach, and answers again afterwards', async () => {
    await using proxy = await CuttingProxy.start(serverOfRun.url(''));
    const dataDir = await temporaryDirectory();
    after(() => rm(dataDir, { recursive: true, force: true }));
    await using service = await TestService.start({
      dataDir,
      databaseUrl: proxy.urlOf(await newDatabase()),
      ...witnessedBy(dataDir, [new TestWitness(1)], 1),
    });
    const { json: sealed } = await sealRecord(service, 'kept');
    await until('a witness', async () => (await service.call('/astralock/checkpoint.witnessed')).status === 200);
    // A question needs the store only when its refusal is sealed.
    const reads = OPERATIONS.filter((row) => readsStore(row) && !row.effects && row.operationId !== 'data_ask');
    assert.ok(reads.length >= 7, `${reads.length} operations read the store`);
    const agent = await fundedAgent(service);
    const { cookie } = await loggedIn(service);
    const headers = { 'x-agent-key': agent.key, cookie };
    const draft = { capability: 'text.draft', input: { template: 'x' } };
    const { execution_id } = (await agent.post('/capabilities/execute', draft)).json;
    const { task_id } = (await agent.post('/api/tasks', { agent_id: agent.id, need: 'do something nice' })).json;
    const { order_id, calculation_id } = await ordered(agent, { mode: 'quote' });
    const { topup_id } = (await agent.post('/api/agents/wallet/topup', { tier: 'starter' })).json;
    const shop = await registered(service);
    const { mandate_id } = await mandate(service, mandateBody(Date.now()));
    const { verify_ref } = (await shop.verify(asked(mandate_id, 1, 'kept'))).json;
    const { brief } = (await service.call('/v1/brief', { method: 'POST', body: { goal: 'Keep it' } })).json;
    const known: Record<string, unknown> = {
      ...sealed,
      mandate_id,
      verify_ref,
      brief,
      execution_id,
      order_id,
      calculation_id,
      topup_id,
      task_id,
      ref: task_id,
      receipt_id: task_id,
      key: 'k',
      protocol: 'amh-0',
      tile: 'entries/000.p/1',
    };
    const queries: Readonly<Record<string, string>> = {
      look: '?key=k',
      watch: '?key=k',
      fence: '?key=k&fence=1',
      log_consistency: '?first=1',
      attest_lookup: `?sha256=${'00'.repeat(32)}`,
      data_ask: '?question=what',
      verify_page: '?example=valid',
      search_pages: `?q=${agent.id}`,
    };
    const paths = reads.map(({ operationId, path }) => {
      const named = path.replace('/log/{ref}', '/log/{attestation_id}');
      return named.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(known[name])) + (queries[operationId] ?? '');
    });
    proxy.refuse();
    for (const path of [...paths, '/api/attest/ledger?tree_size=1']) {
      const answer = await service.call(path, { headers });
      expectProblem(answer, 503, 'storage_unavailable');
      assert.ok(Number(answer.headers['retry-after']) > 0, path);
    }
    const whole = await service.call('/api/attest/ledger', { headers: { accept: 'application/x-ndjson' } });
    expectProblem(whole, 503, 'storage_unavailable');
    proxy.accept();
    for (const [index, path] of paths.entries()) {
      if (reads[index]?.streams?.['text/event-stream'] !== undefined) continue;
      assert.equal((await service.call(path, { headers })).status, 200, path);
    }
  });

  test('a stream is cut when the database is lost, and resumes where it was', async () => {
    await using proxy = await CuttingProxy.start(serverOfRun.url(''));
    await using service = await TestService.start({ databaseUrl: proxy.urlOf(await newDatabase()) });
    await using reader = await EventReader.open(`${service.url}/api/attest/stream`);
    assert.equal((await reader.next())?.id, '0');
    proxy.refuse();
    await assert.rejects(async () => {
      while ((await reader.next()) !== undefined);
      if (!reader.response.complete) throw new Error('cut');
    });
    proxy.accept();
    await sealRecord(service, 'next');
    await using again = await EventReader.open(`${service.url}/api/attest/stream`, { 'last-event-id': '0' });
    assert.equal((await again.next())?.id, '1');
  });

  test('a database lost for long during a COMMIT is told as an unknown outcome, and the token finds it out', async () => {
    for (const [cut] of CUTS) await loseForLong(cut);
  });
});

async function loseForLong(cut: Cut): Promise<void> {
  await using proxy = await CuttingProxy.start(serverOfRun.url(''));
  const direct = await newDatabase();
  const clock = new ManualClock(Date.now());
  await using service = await TestService.start({ databaseUrl: proxy.urlOf(direct), clock, env: RETENTION_OFF });
  const body = { key: 'k', agent: 'a7', mode: 'exclusive', ttl: 3_600, token: TOKEN };
  proxy.cutNext(cut, 'and refuse');
  const answer = service.call('/v1/claim', { method: 'POST', body });
  // Both refused and under way: it looks for the outcome until its time is over.
  await until('the COMMIT is cut', () => proxy.cuts === 1);
  await until('the outcome is looked for', () => proxy.refused > 0);
  clock.advance(OUTCOME_MS);
  const unknown = await answer;
  assert.equal(outcomeOf(unknown), '503 outcome_unknown', cut);
  assert.ok(Number(unknown.headers['retry-after']) > 0);
  proxy.accept();
  const known = await service.call('/v1/claim', { method: 'POST', body });
  assert.deepEqual([known.status, known.json['repeated']], [200, cut !== 'unseen'], cut);
  const { events } = await readHistory('', direct);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['claim'],
    cut,
  );
}

interface Load extends AsyncDisposable {
  readonly service: TestService;
  readonly agents: Crowd;
  readonly random: () => number;
  /** Ends the load, claims again what is held, and checks everything. */
  finish(t: TestContext, figures: object): Promise<void>;
}

async function newDatabase(): Promise<string> {
  return (await freshDatabase('postgres')) as string;
}

/** A service with twelve callers at work. */
async function startLoad(databaseUrl: string): Promise<Load> {
  const seed = newSeed();
  const service = await TestService.start({ databaseUrl, env: RETENTION_OFF, patience: IMPATIENT });
  const agents = crowd({ seed });
  const { journal } = agents;
  const send = watchedSend(journal, (path, body) => service.call(path, { method: 'POST', body }));
  const running = agents.start(send);
  return {
    service,
    agents,
    random: seededRandom(seed),
    async finish(t, figures) {
      await running.stop();
      const replayed = await replayLive(journal, send);
      const found = checkHistory(await readHistory('', databaseUrl), journal.acknowledged, journal.denied);
      t.diagnostic(JSON.stringify({ seed, ...figures, replayed, ...Object.fromEntries(journal.counts) }));
      assert.deepEqual([...journal.wrong, ...journal.lost, ...found], [], `seed ${seed}`);
    },
    async [Symbol.asyncDispose]() {
      await running.stop();
      await service[Symbol.asyncDispose]();
    },
  };
}

async function acknowledgedMore({ journal: { acknowledged } }: Crowd): Promise<void> {
  const before = acknowledged.length;
  await until('another write is acknowledged', () => acknowledged.length > before);
}

/** Resolves when health says that the service is down; that takes as long as an unknown COMMIT is pursued. */
async function untilDown(service: TestService): Promise<void> {
  await until('health says that the service is down', async () => {
    const [health, status] = await Promise.all(['/api/v1/health', '/system/status'].map((path) => service.call(path)));
    assert.equal(status?.status, 200);
    return health?.status === 503 && health.json['code'] === 'down';
  });
}

interface Admin extends AsyncDisposable {
  terminateBackends(databaseUrl: string): Promise<number>;
  /** The transaction, if any, that holds a lock and waits for its client. */
  idleWithLock(databaseUrl: string): Promise<string | undefined>;
}

async function connectAdmin(): Promise<Admin> {
  const client = new pg.Client({ connectionString: serverOfRun.url('postgres') });
  await client.connect();
  const count = async (sql: string, databaseUrl: string) => {
    const { rowCount } = await client.query(sql, [new URL(databaseUrl).pathname.slice(1)]);
    return rowCount ?? 0;
  };
  const terminate = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1';
  const idle = `SELECT backend_xid::text AS xid FROM pg_stat_activity
    WHERE datname = $1 AND state = 'idle in transaction' AND backend_xid IS NOT NULL`;
  return {
    terminateBackends: (databaseUrl) => count(terminate, databaseUrl),
    async idleWithLock(databaseUrl) {
      const { rows } = await client.query(idle, [new URL(databaseUrl).pathname.slice(1)]);
      return rows[0]?.xid;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

interface Frozen extends AsyncDisposable {
  readonly seed: number;
  readonly agents: Crowd;
  readonly second: ChildService;
  readonly client: Client;
  /** Whether the transaction in which it was stopped still has its lock. */
  holdsLock(): Promise<boolean>;
  /** Lets the process go on and gives what is wrong afterwards. */
  thaw(): Promise<string[]>;
}

async function killChild(child: ChildService): Promise<void> {
  await child.end('SIGKILL');
}

/** Two processes, the first with callers at work and stopped in the middle of a transaction. */
async function freezeWithLock(writer: 'direct' | 'forward'): Promise<Frozen> {
  await using stack = new AsyncDisposableStack();
  const dataDir = stack.adopt(await temporaryDirectory(), (path) => rm(path, { recursive: true, force: true }));
  const databaseUrl = await newDatabase();
  const env = serviceEnv(dataDir, databaseUrl, { ...RETENTION_OFF, AVOUCH_WRITER: writer });
  const first = stack.adopt(await ChildService.start(env), killChild);
  const second = stack.adopt(await ChildService.start(env), killChild);
  const client = stack.adopt(new Client(), (opened) => opened.close());
  const admin = stack.use(await connectAdmin());
  const seed = newSeed();
  const agents = crowd({ seed });
  const { journal } = agents;
  const send = (url: string): Send =>
    watchedSend(journal, (path, body) => client.call(url, path, { method: 'POST', body }));
  const running = stack.use(agents.start(send(first.url)));
  let held: string | undefined;
  const isCaught = async () => {
    first.process.kill('SIGSTOP');
    await sleep(30);
    // Still the same at a second look: the other process has transactions of its own, but it goes on with them.
    held = await admin.idleWithLock(databaseUrl);
    if (held !== undefined) {
      await sleep(500);
      if ((await admin.idleWithLock(databaseUrl)) === held) return true;
    }
    first.process.kill('SIGCONT');
    return false;
  };
  await until('the process to be caught inside a transaction', isCaught, PROCESSES_HUNG_MS);
  const holdsLock = async () => (await admin.idleWithLock(databaseUrl)) === held;
  const thaw = async () => {
    first.process.kill('SIGCONT');
    await acknowledgedMore(agents);
    await running.stop();
    await replayLive(journal, send(second.url));
    return [
      ...journal.wrong,
      ...journal.lost,
      ...checkHistory(await readHistory('', databaseUrl), journal.acknowledged),
    ];
  };
  const kept = stack.move();
  return { seed, agents, second, client, holdsLock, thaw, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** The simple query COMMIT, and the tag that answers it. */
const COMMIT_QUERY = Buffer.from('Q\0\0\0\x0bCOMMIT\0');
const COMMIT_ANSWER = Buffer.from('C\0\0\0\x0bCOMMIT\0');

/** Stands between service and database, and on demand cuts the connection at the next COMMIT. */
class CuttingProxy implements AsyncDisposable {
  cuts = 0;
  /** Cuts a connection when it asks whether it leads to a standby. */
  cutsChecks = false;
  /** Connections that were not taken. */
  refused = 0;
  readonly #server: Server;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #next: Cut | undefined;
  #refusesAfter = false;
  #refuses = false;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((client) => this.#relay(client));
  }

  static async start(target: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  /** The same database through this proxy. */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  cutNext(cut: Cut, then?: 'and refuse'): void {
    this.#next = cut;
    this.#refusesAfter = then === 'and refuse';
  }

  /** Cuts every connection and takes no new one. */
  refuse(): void {
    this.#refuses = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  accept(): void {
    this.#refuses = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #relay(client: Socket): void {
    if (this.#refuses) {
      this.refused += 1;
      return void client.destroy();
    }
    const server = connect(Number(this.#target.port), this.#target.hostname);
    let isCommitting = false;
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.end());
    }
    client.on('data', (chunk: Buffer) => {
      if (this.cutsChecks && chunk.includes('pg_is_in_recovery')) {
        this.cuts += 1;
        return void client.destroy();
      }
      const commitAt = chunk.indexOf(COMMIT_QUERY);
      if (this.#next === undefined || commitAt < 0) return void server.write(chunk);
      const isUnanswered = this.#next === 'unanswered';
      const sent = this.#next === 'unseen' ? chunk.subarray(0, commitAt) : chunk;
      this.#next = undefined;
      server.write(sent);
      if (isUnanswered) isCommitting = true;
      else this.#cut(client);
    });
    server.on('data', (chunk: Buffer) => {
      if (!isCommitting) client.write(chunk);
      else if (chunk.includes(COMMIT_ANSWER)) this.#cut(client);
    });
  }

  #cut(client: Socket): void {
    this.cuts += 1;
    this.#refuses = this.#refusesAfter;
    client.destroy();
  }
}
