// One process of the test run: runs the files that the runner names, one after the other, each as a suite of its own.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import { dropLeftDatabases } from '../../test/support/databases.ts';
import { endedChildrenMs } from './cpu.ts';
import { ROOT } from './files.ts';
import { FILE_REPORTED, type Message, type WorkerOrder } from './messages.ts';

const environment = { ...process.env };

process.on('message', (order: WorkerOrder) => void run(order.file));
// Not by itself: what a test left open would keep it. An orderly exit keeps the compiled code for the next run.
process.on('disconnect', () => process.exit());
send({ kind: 'ready' });

async function run(file: string): Promise<void> {
  const startedMs = performance.now();
  const cpuBefore = cpuMs();
  const reported = new Promise<void>((resolve) => {
    const heard = (name: unknown) => {
      if (name !== file) return;
      unsubscribe(FILE_REPORTED, heard);
      resolve();
    };
    subscribe(FILE_REPORTED, heard);
  });
  void suite(file, async () => {
    await import(pathToFileURL(join(ROOT, file)).href);
  });
  await reported;
  await dropLeftDatabases();
  restoreProcess();
  const rssBytes = process.memoryUsage.rss();
  send({ kind: 'done', ms: performance.now() - startedMs, cpuMs: cpuMs() - cpuBefore, rssBytes });
}

/** A file leaves the process as it found it. */
function restoreProcess(): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(ROOT);
  process.exitCode = undefined;
}

/** Processor time of this process and of its children that have ended. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + endedChildrenMs();
}

function send(message: Message): void {
  process.send?.(message);
}
