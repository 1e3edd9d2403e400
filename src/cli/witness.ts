import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { systemClock } from '#kernel/clock.ts';
import { isKeyName } from '#protocol/note-key.ts';
import { ProtocolError } from '#protocol/protocol-error.ts';
import { openWitnessData } from '#witness/identity.ts';
import { type KnownLogs, knownLogs } from '#witness/known-logs.ts';
import { serveWitness } from '#witness/server.ts';
import { Witness } from '#witness/witness.ts';
import { type Command, UsageError } from './command.ts';

const USAGE_ERROR =
  'witness takes --name, --data and at least one --log, and --host and --port where others are wanted';
const OPTION = { type: 'string' } as const;
const OPTIONS = {
  name: OPTION,
  data: OPTION,
  log: { type: 'string', multiple: true },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '8403' },
} as const;

interface Options {
  readonly name: string;
  readonly data: string;
  readonly logs: KnownLogs;
  readonly host: string;
  readonly port: number;
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export const witnessCommand: Command = {
  name: 'witness',
  summary: 'cosign the checkpoints of logs as long as they only grow, until SIGTERM or SIGINT',
  usage: 'witness --name <name> --data <directory> --log <vkey> [--log <vkey> ...] [--host <host>] [--port <port>]',
  examples: [
    './avouch witness --name witness.example/w1 --data ./witness --log attest.example/astralock+890106d5+AbcD...',
  ],
  async run(args, terminal) {
    const { name, data, logs, host, port } = optionsOf(args);
    using stopping = stopSignal();
    const { signal: stop } = stopping;
    const { state, cosigner } = openWitnessData(data, name);
    using _state = state;
    const report = (line: string) => terminal.err(`avouch witness: ${line}\n`);
    const served = new Witness({ state, cosigner, logs, clock: systemClock(), report });
    const started = await serveWitness({ witness: served, report }, { host, port }).catch((error: unknown) =>
      cannotListen(error, { host, port }),
    );
    if (typeof started === 'string') {
      report(started);
      return 1;
    }
    await using server = started;
    terminal.out(`vkey: ${served.vkey}\n`);
    for (const origin of logs.keys()) terminal.out(`log: ${origin}\n`);
    terminal.out(`Witness ${name} listens on ${server.url} (pid ${process.pid})\n`);
    if (!stop.aborted) await once(stop, 'abort');
    terminal.err('stopping: finishing requests under way\n');
    return 0;
  },
};

function optionsOf(args: readonly string[]): Options {
  let values: ReturnType<typeof parseArgs<{ options: typeof OPTIONS; args: string[] }>>['values'];
  try {
    ({ values } = parseArgs({ args: [...args], options: OPTIONS }));
  } catch {
    throw new UsageError(USAGE_ERROR);
  }
  const { name, data, log, host, port } = values;
  if (name === undefined || data === undefined || data === '' || log === undefined) throw new UsageError(USAGE_ERROR);
  if (!isKeyName(name)) throw new UsageError('--name is not empty and has no space and no plus');
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError('--port is a number from 0 to 65535');
  return { name, data, host, port: Number(port), logs: logsOf(log) };
}

function logsOf(vkeys: readonly string[]): KnownLogs {
  try {
    return knownLogs(vkeys);
  } catch (error) {
    if (error instanceof ProtocolError) throw new UsageError(`--log: ${error.message}`);
    throw error;
  }
}

/** Aborted by the signals that end a process, for as long as it is in use. */
function stopSignal(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const name of STOP_SIGNALS) process.once(name, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of STOP_SIGNALS) process.off(name, stop);
    },
  };
}

function cannotListen(error: unknown, { host, port }: { host: string; port: number }): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return `cannot listen on ${host} port ${port} (${code}): give another --host or --port`;
}
