import { constants, setPriority } from 'node:os';

/**
 * Lets the thread that calls it stand back behind the event loop, so that long work of one caller takes no time of others. On
 * Linux priorities are those of threads; elsewhere the whole process would stand back. The lowest one would never have its turn on
 * a machine that is always busy.
 */
export function workBelowNormal(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
