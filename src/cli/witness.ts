import { asSentence } from '#kernel/sentence.ts';
import { once } from 'node:events';
import { systemClock } from '#kernel/clock.ts';
import { isKeyName } from '#protocol/note-key.ts';
import { ProtocolError } from '#protocol/protocol-error.ts';
import { openWitnessData } from '#witness/identity.ts';
import { type KnownLogs, knownLogs } from '#witness/known-logs.ts';
import { serveWitness } from '#witness/server.ts';
import { Witness } from '#witness/witness.ts';
import { type Run, UsageError } from './line/spec.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export const witness: Run = async ({ values, lists }, output) => {
  const { name = '', data = '', host = '127.0.0.1' } = values;
  const port = Number(values['port'] ?? '8403');
  if (!isKeyName(name)) throw new UsageError('--name must not contain a space or a plus sign.');
  const logs = logsOf(lists['log'] ?? []);
  using stopping = stopSignal();
  const { signal: stop } = stopping;
  const { state, cosigner } = openWitnessData(data, name);
  using _state = state;
  const report = (line: string) => output.note(`avouch witness: ${line}`);
  const served = new Witness({ state, cosigner, logs, clock: systemClock(), report });
  const serving = serveWitness({ witness: served, report }, { host, port });
  await using server = await serving.catch((error: unknown) => cannotListen(error, { host, port }));
  const { url } = server;
  const origins = [...logs.keys()];
  const lines = [
    `vkey: ${served.vkey}`,
    ...origins.map((origin) => `log: ${origin}`),
    `Witness ${name} listens on ${url} (pid ${process.pid})`,
  ];
  output.result({ name, url, vkey: served.vkey, logs: origins, pid: process.pid }, `${lines.join('\n')}\n`);
  if (!stop.aborted) await once(stop, 'abort');
  output.note('Stopping: finishing requests in progress.');
  return 0;
};

function logsOf(vkeys: readonly string[]): KnownLogs {
  try {
    return knownLogs(vkeys);
  } catch (error) {
    if (error instanceof ProtocolError) throw new UsageError(`--log: ${asSentence(error.message)}`);
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

function cannotListen(error: unknown, { host, port }: { host: string; port: number }): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  throw new Error(`Cannot listen on ${host} port ${port} (${code}). Pass another --host or --port.`);
}
