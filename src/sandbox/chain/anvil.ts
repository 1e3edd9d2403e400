import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BLOCK_GAS_LIMIT } from './evm-executor.ts';
import { callRpc } from './rpc-client.ts';
import { SANDBOX_CHAIN_ID } from './sandbox-contracts.ts';

const PLATFORM_PACKAGE = '@foundry-rs/anvil-linux-amd64';
const START_POLL_MS = 50;
const START_POLLS = 1200;
const STOP_MS = 20_000;
/** A hard kill of the machine loses at most this much. */
const STATE_EVERY_SECONDS = 2;

/** Starts its arguments, and ends them gracefully when its own input closes: also when this process is killed. */
const WATCHDOG = '"$@" & child=$!; read -r _; kill -TERM "$child"; wait "$child"';

/** The command that runs anvil on this machine, or undefined where there is none. */
export async function findAnvil(): Promise<string | undefined> {
  for (const command of [packagedAnvil(), 'anvil']) {
    if (command !== undefined && (await runs(command))) return command;
  }
  return undefined;
}

function packagedAnvil(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${PLATFORM_PACKAGE}/package.json`);
    return join(dirname(manifest), 'bin', 'anvil');
  } catch {
    return undefined;
  }
}

async function runs(command: string): Promise<boolean> {
  const child = spawn(command, ['--version'], { stdio: 'ignore' });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false;
  }
}

export interface AnvilOptions {
  readonly command: string;
  readonly directory: string;
  readonly blockTimeMs?: number | undefined;
}

/** An anvil process on a free port of this machine, with its state in the directory. */
export class Anvil {
  readonly rpcUrl: string;
  /** True when no state of an earlier run was found. */
  readonly isNew: boolean;
  readonly #watchdog: ChildProcess;

  private constructor(watchdog: ChildProcess, rpcUrl: string, isNew: boolean) {
    this.#watchdog = watchdog;
    this.rpcUrl = rpcUrl;
    this.isNew = isNew;
  }

  static async start({ command, directory, blockTimeMs }: AnvilOptions): Promise<Anvil> {
    const statePath = join(directory, 'anvil-state.json');
    const isNew = statSync(statePath, { throwIfNoEntry: false }) === undefined;
    const port = await freePort();
    const flags = {
      'chain-id': SANDBOX_CHAIN_ID,
      host: '127.0.0.1',
      port,
      'gas-limit': BLOCK_GAS_LIMIT,
      state: statePath,
      'state-interval': STATE_EVERY_SECONDS,
      ...(blockTimeMs !== undefined && { 'block-time': Math.max(1, Math.round(blockTimeMs / 1000)) }),
    };
    const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const watchdog = spawn('sh', ['-c', WATCHDOG, 'sh', command, '--silent', ...args], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const anvil = new Anvil(watchdog, `http://127.0.0.1:${port}`, isNew);
    await anvil.#untilReady();
    return anvil;
  }

  /** Stops anvil after it has written its state. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#watchdog.exitCode !== null) return;
    const exited = once(this.#watchdog, 'exit');
    this.#watchdog.stdin?.end();
    const timer = setTimeout(() => this.#watchdog.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(timer);
  }

  async #untilReady(): Promise<void> {
    for (let i = 0; i < START_POLLS; i++) {
      const version = await callRpc(this.rpcUrl, 'web3_clientVersion', []).catch(() => undefined);
      if (typeof version === 'string' && version.startsWith('anvil/')) return;
      await pause(START_POLL_MS);
    }
    await this[Symbol.asyncDispose]();
    throw new Error('anvil was started and does not answer');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen({ port: 0, host: '127.0.0.1', exclusive: true });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
