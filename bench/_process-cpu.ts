// CPU time of other processes, from /proc; Linux alone tells it.
import { readdirSync, readFileSync } from 'node:fs';

const MICROS_PER_TICK = 10_000;

interface Stat {
  readonly parent: number;
  readonly micros: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    // Time of its own and of children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), micros: ticks * MICROS_PER_TICK };
  } catch {
    return undefined;
  }
}

/** Of one process and the children that it has waited for. */
export function processMicros(pid: number): number {
  return statOf(pid)?.micros ?? 0;
}

/** Of a process and all below it that live, such as a server of PostgreSQL with its connections. */
export function treeMicros(root: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = statOf(Number(name));
      return stat === undefined ? [] : [{ pid: Number(name), ...stat }];
    });
  const sumBelow = (pid: number): number =>
    stats.filter(({ parent }) => parent === pid).reduce((sum, one) => sum + one.micros + sumBelow(one.pid), 0);
  return processMicros(root) + sumBelow(root);
}
