// A primary with a synchronous standby: which of them is asked, and what a commit is worth that no standby has.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, suite, test } from 'node:test';
import pg from 'pg';
import { ManualClock, systemClock } from '#kernel/clock.ts';
import { Status } from '#areas/discovery/status-answer.ts';
import { PostgresEngine } from '#platform/storage/postgres.ts';
import { openReader } from '#platform/storage/reader.ts';
import { runCommand } from '../../support/command.ts';
import { outcomeOf } from '../../support/load.ts';
import { sealRecord } from '../../support/log.ts';
import { startPostgres } from '../../support/postgres.ts';
import { serviceEnv, TestService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';

/** Longer than an unknown outcome is pursued with all the patience of a test, and shorter than a lease. */
const OUTCOME_MS = 300_000;
const TOKEN = 'token-of-the-caller-itself';

const primary = await startPostgres();
const standby = await primary?.addStandby();
const skip = standby === undefined && 'no PostgreSQL that can be copied';

suite('a primary and its standby', { skip }, () => {
  let admin: pg.Client;
  let dataDir: string;
  let primaryUrl: string;
  let both: string;
  /** The hosts of both, the standby first, as every failover leaves them. */
  let standbyFirst: string;
  let standbyUrl: string;
  before(async () => {
    dataDir = await temporaryDirectory();
    primaryUrl = (await primary?.createDatabase()) as string;
    both = standby?.url(new URL(primaryUrl).pathname.slice(1)) as string;
    standbyFirst = both.replace(/@([^,]+),([^/]+)/, '@$2,$1');
    standbyUrl = both.replace(/@[^,]+,/, '@');
    admin = new pg.Client({ connectionString: primaryUrl });
    await admin.connect();
  });
  after(async () => {
    await admin.end();
    await standby?.stop();
    await primary?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const waitFor = async (names: string) => {
    await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await admin.query('SELECT pg_reload_conf()');
  };
  const cancelWaiting = async () => {
    const sql = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    return (await admin.query(sql)).rowCount ?? 0;
  };

  test('a live standby that is named first keeps nothing from starting, and nobody from looking', async () => {
    const env = serviceEnv(dataDir, standbyFirst);
    {
      await using service = await TestService.start({ dataDir, databaseUrl: standbyFirst });
      assert.equal((await sealRecord(service, 'one')).status, 201);
      const audit = await service.call('/api/astralock/audit');
      assert.equal(audit.json['ok'], true, audit.text);
    }
    const audited = await runCommand(['ledger', 'audit'], env);
    assert.equal(audited.code, 0, audited.stderr);
    const { stdout } = await runCommand(['doctor'], env);
    assert.match(stdout, /^ok +database +PostgreSQL answers\.$/m);
    assert.match(stdout, /^warn +replication +wal_sender_timeout = 60000 ms\. /m);
  });

  test('a standby gives no read and takes no write, and a refusal names what each server said', async () => {
    const cause = (message: RegExp) => (error: Error) => message.test((error.cause as Error).message);
    const process = 'only-a-standby';
    await assert.rejects(
      PostgresEngine.open({ url: standbyUrl, process, clock: systemClock() }),
      cause(/^it is a standby, which takes no writes$/),
    );
    const reader = await openReader({ url: standbyUrl.replace('@', '@127.0.0.1:1,') });
    const named = /^127\.0\.0\.1:1: .*ECONNREFUSED.*; 127\.0\.0\.1:\d+: it is a standby/;
    await assert.rejects(reader.read('SELECT 1'), cause(named));
    await reader.close();
  });

  test('a read is refused where the address leads to a standby since', async () => {
    await using address = await MovingAddress.start(primaryUrl);
    const engine = await PostgresEngine.open({ url: address.url, process: 'moved', clock: systemClock() });
    assert.deepEqual(await engine.read('SELECT 1 AS one', []), [{ one: 1 }]);
    address.moveTo(standbyUrl);
    const refused = async () => {
      const error = await engine.read('SELECT 1', []).then(
        () => new Error('a standby was read'),
        (fault: Error) => fault.cause as Error,
      );
      // The old connection may be lost under way.
      return error.message.startsWith('Connection terminated') ? undefined : error.message;
    };
    assert.equal(await until('a new connection', refused), 'it is a standby, which takes no writes');
    address.moveTo(primaryUrl);
    assert.deepEqual(await engine.read('SELECT 1 AS one', []), [{ one: 1 }]);
    await engine.close();
  });

  test('a standby that no commit waits for is told by log, status, figures and doctor, until commits wait', async (t) => {
    const { mock } = t.mock.method(process.stderr, 'write', () => true);
    const told = () =>
      mock.calls
        .flatMap(({ arguments: [text] }) => [
          ...(/^\{.*"msg":"(acknowledged writes[^"]*)".*$/gm.exec(String(text)) ?? []),
        ])
        .filter((text) => !text.startsWith('{'));
    const clock = new ManualClock(Date.now());
    await waitFor('');
    const env = { AVOUCH_LOG_LEVEL: 'info' };
    await using service = await TestService.start({ dataDir, databaseUrl: primaryUrl, clock, env });
    const state = async () => {
      clock.advance(30_000);
      await service.heartbeat();
      const { storage } = Status.parse((await service.call('/system/status')).json);
      const [, figure] = /^avouch_storage_durable (\d)$/m.exec((await service.call('/metrics')).text) ?? [];
      return [storage.durable, ...storage.risks, figure];
    };
    assert.deepEqual(await state(), [false, 'asynchronous_standby', '0']);
    assert.deepEqual(told(), ['acknowledged writes at risk']);
    const page = await service.call('/system/status', { headers: { accept: 'text/html' } });
    assert.match(page.text, /<dt>Durable<\/dt><dd>No: asynchronous standby<\/dd>/i);
    const { stdout } = await runCommand(['doctor'], serviceEnv(dataDir, primaryUrl));
    assert.match(stdout, /^fail +replication +1 standby, none synchronous\. A failover to an asynchronous standby/m);
    await waitFor('*');
    await until('commits wait for the standby', async () => (await state())[0] === true);
    assert.deepEqual(await state(), [true, '1']);
    assert.deepEqual(told(), ['acknowledged writes at risk', 'acknowledged writes no longer at risk']);
  });

  test('a user without rights of its own learns as much of standbys', async () => {
    await admin.query('CREATE ROLE plain LOGIN');
    await waitFor('');
    const url = primaryUrl.replace('//postgres@', '//plain@');
    const engine = await PostgresEngine.open({ url, process: 'plain', clock: systemClock() });
    const { synchronous, risks } = engine.durability();
    assert.deepEqual([synchronous, ...risks.map(({ id }) => id)], ['on', 'asynchronous_standby']);
    await waitFor('*');
    await until('commits wait for the standby', async () => {
      await engine.checkDurability();
      return engine.durability().risks.length === 0;
    });
    await engine.close();
  });

  test('nothing is written over a connection that drops what makes commits wait', async () => {
    const database = new URL(primaryUrl).pathname.slice(1);
    await admin.query(`ALTER DATABASE ${database} SET synchronous_commit = local`);
    await using address = await MovingAddress.start(primaryUrl);
    const open = () => PostgresEngine.open({ url: address.url, process: 'pooled', clock: systemClock() });
    const engine = await open();
    const write = async () => {
      const written = engine.exclusively((ask) => ask('SHOW synchronous_commit'));
      return written.catch((error: Error) => error.message);
    };
    assert.deepEqual(await write(), [{ synchronous_commit: 'on' }]);
    address.dropsOptions = true;
    const refused = /^synchronous_commit does not wait for the disk or the standby: .* Set synchronous_commit = on, /;
    await assert.rejects(open(), { name: 'StorageError', kind: 'unavailable', message: refused });
    address.moveTo(primaryUrl);
    await until('a write that is refused', async () => {
      const said = await write();
      return typeof said === 'string' && refused.test(said);
    });
    const env = serviceEnv(dataDir, address.url);
    assert.match(
      (await runCommand(['doctor'], env)).stdout,
      /^fail +durability +synchronous_commit does not wait for/m,
    );
    const { code, stderr } = await runCommand(['ledger', 'audit'], env);
    assert.deepEqual(
      [code, /: synchronous_commit does not wait for .* of the service\.$/m.test(stderr)],
      [1, true],
      stderr,
    );
    address.dropsOptions = false;
    address.moveTo(primaryUrl);
    await until('a write', async () => Array.isArray(await write()));
    await engine.close();
    await admin.query(`ALTER DATABASE ${database} RESET synchronous_commit`);
  });

  test('commits wait, and time limits hold, although the address asks otherwise', async () => {
    const url = `${primaryUrl}?options=-c%20synchronous_commit%3Doff%20-c%20work_mem%3D5MB`;
    const engine = await PostgresEngine.open({ url, process: 'asking', clock: systemClock() });
    const shown = (query: (sql: string) => Promise<readonly unknown[]>) =>
      Promise.all(['synchronous_commit', 'work_mem', 'statement_timeout'].map((name) => query(`SHOW ${name}`)));
    const limit = { statement_timeout: '6s' };
    assert.deepEqual(
      [(await engine.exclusively((ask) => shown(ask))).flat(), (await shown((sql) => engine.read(sql, []))).flat()],
      [
        [{ synchronous_commit: 'on' }, { work_mem: '5MB' }, limit],
        [{ synchronous_commit: 'off' }, { work_mem: '5MB' }, limit],
      ],
    );
    await engine.close();
  });

  test('a commit whose wait for the standby is cancelled is answered when a standby has it', async () => {
    await using service = await TestService.start({ dataDir, databaseUrl: primaryUrl });
    await waitFor('ghost');
    const answer = service.call('/v1/claim', { method: 'POST', body: { key: 'k', agent: 'a7', token: TOKEN } });
    await until('a wait for the standby was cancelled', async () => (await cancelWaiting()) > 0);
    await waitFor('*');
    assert.equal((await answer).status, 200);
  });

  test('a commit whose wait for the standby is cancelled and that no standby gets is told as unknown', async () => {
    const clock = new ManualClock(Date.now());
    await using service = await TestService.start({ dataDir, databaseUrl: primaryUrl, clock });
    await waitFor('ghost');
    const body = { key: 'lonely', agent: 'a7', mode: 'exclusive', ttl: 3_600, token: TOKEN };
    const answer = service.call('/v1/claim', { method: 'POST', body });
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    await until('every wait for the standby is cancelled', async () => {
      if ((await cancelWaiting()) > 0) clock.advance(OUTCOME_MS);
      return isAnswered;
    });
    assert.equal(outcomeOf(await answer), '503 outcome_unknown');
    await waitFor('*');
    const again = await service.call('/v1/claim', { method: 'POST', body });
    assert.deepEqual([again.status, again.json['repeated']], [200, true]);
  });

  test('a log entry that no standby has is not told, and the log goes on when one has it', async () => {
    await using service = await TestService.start({ dataDir, databaseUrl: primaryUrl });
    const head = () => service.call('/api/astralock/sth');
    const known = Number((await head()).json['tree_size']);
    await waitFor('ghost');
    const answer = sealRecord(service, 'alone');
    const stored = async () => {
      const { rows } = await admin.query<{ size: string }>('SELECT size FROM log_head WHERE id = 1');
      return Number(rows[0]?.size);
    };
    await until('the entry stands on the primary alone', async () => {
      await cancelWaiting();
      return (await stored()) > known;
    });
    const asked = head();
    let isAnswered = false;
    void asked.then(() => (isAnswered = true));
    await until('the head was asked for', async () => {
      await cancelWaiting();
      return isAnswered;
    });
    await waitFor('*');
    assert.equal(outcomeOf(await asked), '503 storage_unavailable');
    assert.equal((await answer).status, 201);
    assert.ok(Number((await head()).json['tree_size']) > known);
  });
});

/** An address that leads to one server and later to another one, as that of a balancer does. */
class MovingAddress implements AsyncDisposable {
  readonly #server = createServer((from) => {
    const { hostname, port } = new URL(this.#target);
    const to = connect(Number(port), hostname);
    this.#sockets.add(from).add(to);
    for (const socket of [from, to])
      socket.on('error', () => {}).on('close', () => void [from, to].map((one) => one.destroy()));
    from.once('data', (startup: Buffer) => {
      to.write(this.dropsOptions ? withoutOptions(startup) : startup);
      from.pipe(to).pipe(from);
    });
  });
  /** As a pooler may. */
  dropsOptions = false;
  readonly #sockets = new Set<Socket>();
  #target: string;

  private constructor(target: string) {
    this.#target = target;
  }

  static async start(target: string): Promise<MovingAddress> {
    const address = new MovingAddress(target);
    await once(address.#server.listen(0, '127.0.0.1'), 'listening');
    return address;
  }

  get url(): string {
    const url = new URL(this.#target);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  moveTo(target: string): void {
    this.#target = target;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.moveTo(this.#target);
    this.#server.close();
  }
}

/** The first message of a connection: its length, the version, then names and values, each ended by a zero byte. */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(8).toString('latin1').split('\0');
  const at = words.findIndex((word, place) => word === 'options' && place % 2 === 0);
  const body = Buffer.from(words.toSpliced(at, at === -1 ? 0 : 2).join('\0'), 'latin1');
  const head = Buffer.from(startup.subarray(0, 8));
  head.writeInt32BE(body.length + 8);
  return Buffer.concat([head, body]);
}
