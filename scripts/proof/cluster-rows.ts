// Faults of a replicated PostgreSQL under mixed load, with the target for each case, without and with AVOUCH_WRITER=forward.
import { type ProofRow, show, total } from './row.ts';

type ClusterRow = Omit<ProofRow, 'kind'>;

const SAFE = '0 lost, duplicated, forked or stale; the only errors are 503 with Retry-After; no call over 12 s';

function cluster(name: string, what: string, promised = ''): ClusterRow {
  return {
    id: `cluster-${name}`,
    what,
    target: promised === '' ? SAFE : `${SAFE}; ${promised}`,
    command: (sized) => ['test/cluster/cluster.ts', '--writer', 'both', '--case', name, '--seconds', sized(120)],
    read: (lines) => {
      const skipped = lines.find((line) => typeof line['skipped'] === 'string');
      if (skipped !== undefined) return { figure: `skipped, ${String(skipped['skipped'])}`, met: false };
      const slowest = lines.flatMap(({ services }) => (services as readonly { slowest_s: number }[]) ?? []);
      const acknowledged = lines.flatMap((line) => Object.values((line['acknowledged'] ?? {}) as Figures));
      const [violations, late] = [total(lines, 'violations.length'), total(lines, 'late.length')];
      const figures = [
        `acknowledged ${show(acknowledged.reduce((sum, count) => sum + count, 0))}`,
        `primary changes ${show(total(lines, 'changes'))}`,
        ...longestPauses(lines).map(([pause, seconds]) => `pause at ${pause}: ${show(seconds)} s`),
        `slowest call ${show(Math.max(...slowest.map((service) => service.slowest_s)))} s`,
        `violations ${show(violations)}`,
        `later than the target ${show(late)}`,
      ];
      return { figure: figures.join(', '), met: violations === 0 && late === 0 };
    },
    // Before there was a choice, every process wrote.
    parts: { of: ({ writer = 'direct' }) => writer, all: ['direct', 'forward'] },
    timeoutMinutes: 20,
  };
}

/** Every fault on one cluster, in an order that the seed decides, until the time is over; each at least twice. */
function mixed(): ClusterRow {
  const row = cluster('mixed', 'all these faults on one cluster, in random order, each at least twice');
  return {
    ...row,
    command: (sized) => ['test/cluster/cluster.ts', '--writer', 'both', '--case', 'mixed', '--seconds', sized(600)],
    read: (lines) => {
      const { figure, met } = row.read(lines);
      const times = lines.flatMap(({ faults }) => Object.values((faults ?? {}) as Figures));
      return {
        figure: `each fault at least ${show(Math.min(...times))} times, ${figure}`,
        met: met && Math.min(...times) >= 2,
      };
    },
    timeoutMinutes: 60,
  };
}

type Figures = Readonly<Record<string, number>>;

/** The longest of each kind over all parts of a run. */
function longestPauses(lines: readonly Readonly<Record<string, unknown>>[]): [string, number][] {
  const longest = new Map<string, number>();
  for (const line of lines) {
    for (const [pause, seconds] of Object.entries((line['pauses_s'] ?? {}) as Figures)) {
      longest.set(pause, Math.max(seconds, longest.get(pause) ?? 0));
    }
  }
  return [...longest];
}

/** Three nodes under Patroni and etcd, and two services with several hosts in DATABASE_URL; the final restart lists a standby first. */
export const CLUSTER_ROWS: readonly ClusterRow[] = [
  cluster('kill', "every process on the primary's node is killed", 'writes resume within 30 s'),
  cluster(
    'partition',
    'the primary and one service are cut off from the rest for 55 s',
    'writes resume within 30 s on the other side, and within 30 s of reconnection on this one',
  ),
  cluster(
    'alone',
    'one service is cut off from all three servers for 55 s',
    'writes resume within 30 s of reconnection',
  ),
  cluster('standby', 'the synchronous standby is cut off', 'writes resume within 10 s'),
  cluster('freeze', "the primary's node is frozen for 30 s", 'writes resume within 30 s'),
  cluster('latency', '200 ms latency and 5 % packet loss between one service and the database'),
  cluster(
    'rolling',
    'rolling upgrade: standbys restart, a switchover, then every node stops and starts',
    'writes resume within 10 s, 5 s after the switchover, 30 s after a stop',
  ),
  cluster(
    'fork',
    'a seal on the minority side of a partition, a lease released on the majority side',
    'the cut-off service confirms nothing that the log does not get, and shows no released lease as current',
  ),
  cluster('proxy', "every process on the primary's node is killed, behind HAProxy", 'writes resume within 30 s'),
  mixed(),
];
