// The service as one process on a machine of its own.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ChildService, runAvouch } from '../support/child-service.ts';
import { type Answer, type CallOptions, Client } from '../support/client.ts';
import { takeKeys } from '../support/recovery.ts';
import { type Env, serviceEnv } from '../support/service.ts';
import type { Call } from '../chaos/load.ts';
import { type Laboratory, type Machine, onMachine } from './laboratory.ts';
import { Meter } from './meter.ts';

const FIRST_HOST = 21;
const PORT = '8402';

/** Who commits: each process its own writes, or one for all, as is usual. */
export const WRITERS = ['direct', 'forward'] as const;
export type Writer = (typeof WRITERS)[number];

export class ServiceNode {
  readonly machine: Machine;
  readonly dataDir: string;
  readonly url: string;
  readonly meter = new Meter();
  readonly #writer: Writer;
  readonly #client = new Client();
  #child: ChildService | undefined;

  constructor(machine: Machine, writer: Writer) {
    this.machine = machine;
    this.#writer = writer;
    this.dataDir = join(machine.directory, 'data');
    this.url = `http://${machine.address}:${PORT}`;
  }

  get name(): string {
    return this.machine.name;
  }

  env(databaseUrl: string): Env {
    const listens = { HOST: this.machine.address, PORT, AVOUCH_SANDBOX_PUBLIC: 'yes' };
    const writes = { AVOUCH_WRITER: this.#writer, AVOUCH_WRITER_HOST: this.machine.address };
    return serviceEnv(this.dataDir, databaseUrl, { ...listens, ...writes, AVOUCH_EVENT_DAYS: '0' });
  }

  async start(databaseUrl: string): Promise<void> {
    this.#child = await ChildService.start(this.env(databaseUrl), undefined, undefined, onMachine(this.machine));
  }

  /** Gives the exit code. */
  async stop(): Promise<number | null> {
    const code = await this.#child?.end('SIGTERM');
    this.#child = undefined;
    return code ?? null;
  }

  readonly call: Call = (path, options) => {
    // What tools are asked for over MCP may be reads.
    const isWrite = options?.method === 'POST' && !path.startsWith('/mcp');
    return this.meter.measure(path.split('?')[0] ?? path, isWrite, () => this.ask(path, options));
  };

  /** Runs a command of the CLI where the service runs. */
  run(args: readonly string[], databaseUrl: string): ReturnType<typeof runAvouch> {
    return runAvouch(args, this.env(databaseUrl), onMachine(this.machine));
  }

  /** As `call`, beside the figures. */
  ask(path: string, options?: CallOptions): Promise<Answer> {
    return this.#client.call(this.url, path, options);
  }

  close(): void {
    this.#client.close();
  }
}

/** Two services on one database, the second with copies of the keys of the first. */
export async function startServices(
  laboratory: Laboratory,
  databaseUrl: string,
  writer: Writer,
): Promise<[ServiceNode, ServiceNode]> {
  const first = new ServiceNode(await laboratory.addMachine('s1', FIRST_HOST), writer);
  const second = new ServiceNode(await laboratory.addMachine('s2', FIRST_HOST + 1), writer);
  await first.start(databaseUrl);
  await mkdir(second.dataDir, { mode: 0o700 });
  await takeKeys({ dataDir: first.dataDir, databaseUrl }, { dataDir: second.dataDir, databaseUrl });
  await second.start(databaseUrl);
  return [first, second];
}
