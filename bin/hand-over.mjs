// Plain JavaScript: it is read by a Node that is too old for the rest.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { constants } from 'node:os';

/** False for the Node that runs this, and where there is no such file. */
export function isOtherNode(file) {
  try {
    return realpathSync(file) !== process.execPath;
  } catch {
    return false;
  }
}

/** Goes on as another Node: it gets our terminal and signals, and we end as it does. */
export function handOver(node, args, failed) {
  // Before the start: a signal that comes right after it must not end this process alone.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const child = spawn(node, args, { stdio: 'inherit' });
  child.on('error', failed);
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
