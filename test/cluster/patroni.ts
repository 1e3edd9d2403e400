// Three nodes of PostgreSQL under Patroni, with etcd on the same three.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { ROOT } from '../support/child-service.ts';
import { until } from '../support/until.ts';
import { type Laboratory, type Machine, NETWORK } from './laboratory.ts';
import { POSTGRES_BINARIES } from './packages.ts';

export const DATABASE = 'avouch';
const FIRST_HOST = 11;
const NODES = 3;
export const PORTS = { postgres: 5432, patroni: 8008, etcd: 2379, peers: 2380 };
const ASK_MS = 2_000;
/** Three nodes, initdb and two copies of it. */
const HUNG_MS = 180_000;

/** What operators are told to set; a node adds its name, its addresses and its directories. */
const DEPLOYED = join(ROOT, 'deploy/patroni.yml');

/** `etcd3` is not safe with Patroni 3.0.2 and older: it takes a leader key back that has run out. */
export type Api = 'etcd' | 'etcd3';

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

export class DatabaseNodes {
  readonly machines: readonly Machine[];
  readonly #laboratory: Laboratory;
  readonly #api: Api;
  readonly #daemons = new Map<Machine, readonly ChildProcess[]>();

  private constructor(laboratory: Laboratory, machines: readonly Machine[], api: Api) {
    this.#laboratory = laboratory;
    this.#api = api;
    this.machines = machines;
  }

  /** Gives them with a leader, a synchronous standby, another standby and an empty database. */
  static async start(laboratory: Laboratory, api: Api): Promise<DatabaseNodes> {
    const machines: Machine[] = [];
    for (let n = 0; n < NODES; n += 1) machines.push(await laboratory.addMachine(`n${n + 1}`, FIRST_HOST + n));
    const nodes = new DatabaseNodes(laboratory, machines, api);
    for (const machine of machines) {
      await mkdir(join(machine.directory, 'patroni'));
      // Patroni reads every file of the directory, later ones over earlier ones; JSON is YAML.
      await copyFile(DEPLOYED, join(machine.directory, 'patroni/10-deployed.yml'));
      const own = JSON.stringify(nodeConfig(machine, machines, api));
      await writeFile(join(machine.directory, 'patroni/50-node.yml'), own);
    }
    for (const machine of machines) nodes.startNode(machine);
    await nodes.untilHealthy();
    await nodes.#createDatabase();
    return nodes;
  }

  /** Starts the daemons of a node, on whatever data it has. */
  startNode(machine: Machine): void {
    const { name, address, directory } = machine;
    const peers = this.machines.map((one) => `${one.name}=http://${one.address}:${PORTS.peers}`);
    const etcd = [
      'etcd',
      ...['--name', name, '--data-dir', join(directory, 'etcd')],
      ...['--listen-client-urls', `http://${address}:${PORTS.etcd}`],
      ...['--advertise-client-urls', `http://${address}:${PORTS.etcd}`],
      ...['--listen-peer-urls', `http://${address}:${PORTS.peers}`],
      ...['--initial-advertise-peer-urls', `http://${address}:${PORTS.peers}`],
      ...['--initial-cluster', peers.join(','), '--initial-cluster-state', 'new'],
      ...['--heartbeat-interval', '200', '--election-timeout', '2000'],
      ...(this.#api === 'etcd' ? ['--enable-v2=true'] : []),
    ];
    this.#daemons.set(machine, [
      this.#laboratory.startDaemon(machine, 'patroni', ['patroni', join(directory, 'patroni')]),
      this.#laboratory.startDaemon(machine, 'etcd', etcd, { ETCD_UNSUPPORTED_ARCH: process.arch }),
    ]);
  }

  /** Ends the daemons of a node in order. */
  async stopNode(machine: Machine): Promise<void> {
    for (const daemon of this.#daemons.get(machine) ?? []) {
      const ended = once(daemon, 'exit');
      daemon.ref();
      daemon.kill('SIGTERM');
      await ended;
    }
  }

  /** Where the service connects to; the first is asked first. */
  url(order: readonly Machine[] = this.machines): string {
    const hosts = order.map(({ address }) => `${address}:${PORTS.postgres}`);
    return `postgres://${DATABASE}@${hosts.join(',')}/${DATABASE}`;
  }

  /** The members as most nodes know them: one that was cut off still tells what it knew before. None without a majority. */
  async members(among: readonly Machine[] = this.machines): Promise<readonly Member[]> {
    const views = await this.#views(among);
    return views.find((view) => views.filter((other) => leaderOf(other) === leaderOf(view)).length > NODES / 2) ?? [];
  }

  async primary(among?: readonly Machine[]): Promise<Machine> {
    return until('a leader', async () => this.#ofRole(await this.members(among), 'leader'), HUNG_MS);
  }

  async synchronousStandby(among?: readonly Machine[]): Promise<Machine> {
    return until('a synchronous standby', async () => this.#ofRole(await this.members(among), 'sync_standby'), HUNG_MS);
  }

  /** Waits until the others have a leader that is not this one. */
  async untilAnotherLeads(former: Machine): Promise<void> {
    const others = this.machines.filter((machine) => machine !== former);
    const leads = async () => (await this.primary(others)) !== former;
    await until('another leader', leads, HUNG_MS);
  }

  /** Counts the changes of the lead. */
  async timeline(): Promise<number> {
    return until('a timeline', async () => (await this.members()).find(({ role }) => role === 'leader')?.timeline);
  }

  /** The primary last. */
  async primaryLast(): Promise<Machine[]> {
    const primary = await this.primary();
    return [...this.machines.filter((machine) => machine !== primary), primary];
  }

  /** Seconds after which a leader that says nothing has lost its place. */
  async ttlSeconds(): Promise<number> {
    const { ttl } = (await this.#ask(await this.primary(), '/config')) as { ttl: number };
    return ttl;
  }

  /** Waits for a leader, a synchronous standby and every other node behind it. */
  async untilHealthy(): Promise<void> {
    const isHealthy = async () => {
      const views = await this.#views(this.machines);
      const leaders = new Set(views.map(leaderOf));
      return views.length === NODES && leaders.size === 1 && views.every(isWhole);
    };
    await until('a healthy cluster', isHealthy, HUNG_MS);
  }

  /** Hands the lead over in order. */
  async switchOver(): Promise<void> {
    const [from, to] = [await this.primary(), await this.synchronousStandby()];
    await this.#ask(from, '/switchover', { leader: from.name, candidate: to.name });
  }

  /** Restarts the server of a node in order. */
  async restart(machine: Machine): Promise<void> {
    await this.#ask(machine, '/restart', {});
  }

  /** What each node that answers knows. */
  async #views(among: readonly Machine[]): Promise<(readonly Member[])[]> {
    const asked = among.map((machine) => this.#ask(machine, '/cluster').catch(() => undefined));
    const answers = (await Promise.all(asked)) as ({ members: Member[] } | undefined)[];
    return answers.flatMap((answer) => (answer === undefined ? [] : [answer.members]));
  }

  #ofRole(members: readonly Member[], wanted: string): Machine | undefined {
    const member = members.find(({ role, state }) => role === wanted && /running|streaming/.test(state));
    return this.machines.find(({ name }) => name === member?.name);
  }

  async #ask({ address }: Machine, path: string, body?: Record<string, unknown>): Promise<unknown> {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const signal = AbortSignal.timeout(body === undefined ? ASK_MS : HUNG_MS);
    const answer = await fetch(`http://${address}:${PORTS.patroni}${path}`, { ...sent, signal });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Patroni refused ${path}: ${text}`);
    return body === undefined ? JSON.parse(text) : text;
  }

  async #createDatabase(): Promise<void> {
    const { address } = await this.primary();
    const client = new pg.Client({ connectionString: `postgres://postgres@${address}:${PORTS.postgres}/postgres` });
    await client.connect();
    await client.query(`CREATE ROLE ${DATABASE} LOGIN`);
    await client.query(`CREATE DATABASE ${DATABASE} OWNER ${DATABASE}`);
    await client.end();
  }
}

function leaderOf(members: readonly Member[]): string | undefined {
  return members.find(({ role }) => role === 'leader')?.name;
}

/** A leader, a synchronous standby and every other node behind it. */
function isWhole(members: readonly Member[]): boolean {
  const leader = members.find(({ role }) => role === 'leader');
  const standbys = members.filter(({ role }) => role !== 'leader');
  return (
    leader?.state === 'running' &&
    standbys.length === NODES - 1 &&
    standbys.some(({ role }) => role === 'sync_standby') &&
    standbys.every(({ state, timeline }) => /running|streaming/.test(state) && timeline === leader.timeline)
  );
}

function nodeConfig(machine: Machine, machines: readonly Machine[], api: Api): Record<string, unknown> {
  const { name, address, directory } = machine;
  const restapi = `${address}:${PORTS.patroni}`;
  const server = `${address}:${PORTS.postgres}`;
  return {
    scope: DATABASE,
    name,
    restapi: { listen: restapi, connect_address: restapi },
    etcd: null,
    [api]: { hosts: machines.map((one) => `${one.address}:${PORTS.etcd}`) },
    postgresql: {
      listen: server,
      connect_address: server,
      bin_dir: POSTGRES_BINARIES,
      data_dir: join(directory, 'data'),
      pgpass: join(directory, 'pgpass'),
      pg_hba: [`host all all ${NETWORK}0/24 trust`, `host replication all ${NETWORK}0/24 trust`],
      // Nothing outside the machine's directory.
      parameters: { unix_socket_directories: '', dynamic_shared_memory_type: 'mmap' },
    },
    watchdog: { mode: 'off' },
  };
}
