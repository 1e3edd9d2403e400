// The fault and load tests, with targets for two cores.
import { KILL_TARGETS } from '../../test/chaos/kill-targets.ts';
import { CLUSTER_ROWS } from './cluster-rows.ts';
import { at, ENGINES, most, type ProofRow, show, total } from './row.ts';

interface FaultRow extends Omit<ProofRow, 'kind' | 'timeoutMinutes'> {
  readonly timeoutMinutes?: number;
}

/** The engines under kill -9, with one process and with three. */
const KILLED: ProofRow['parts'] = { of: ({ target }) => target, all: KILL_TARGETS };

/** A row that is met when all tests pass and none is skipped. */
function tested(id: string, what: string, target: string, ...files: string[]): FaultRow {
  return {
    id,
    what,
    target,
    command: () => ['scripts/test.ts', ...files],
    read: ([counts]) => {
      const [pass, fail, skipped] = [at(counts, 'pass'), at(counts, 'fail'), at(counts, 'skipped')];
      const left = skipped > 0 ? `, ${skipped} skipped` : '';
      return { figure: `${pass} tests pass, ${fail} fail${left}`, met: pass > 0 && fail === 0 && skipped === 0 };
    },
  };
}

/** A row whose lines count errors. */
function counted(
  row: Omit<FaultRow, 'read'> & {
    readonly sizes: readonly string[];
    readonly wrong: readonly string[];
    /** Milliseconds that a restart may take. */
    readonly readyMs?: number;
  },
): FaultRow {
  const { sizes, wrong, readyMs, ...rest } = row;
  return {
    ...rest,
    read: (lines) => {
      const faults = wrong.map((name) => [name, total(lines, name)] as const);
      const shown = [...sizes.map((name) => [name, total(lines, name)] as const), ...faults];
      const figure = shown.map(([name, value]) => `${name} ${show(value)}`).join(', ');
      const met = faults.every(([, value]) => value === 0);
      if (readyMs === undefined) return { figure, met };
      const slowest = most(lines, 'ready_max_ms');
      return { figure: `${figure}, ready within ${show(slowest)} ms`, met: met && slowest < readyMs };
    },
  };
}

/** A row of mixed load whose report lists every error. */
function chaos(row: Omit<FaultRow, 'read'>): FaultRow {
  return {
    timeoutMinutes: 60,
    ...row,
    read: (lines) => {
      const sum = (name: string) =>
        lines
          .flatMap((line) => Object.values((line[name] ?? {}) as Readonly<Record<string, number>>))
          .reduce((a, b) => a + b, 0);
      const strikes = ['kills', 'database_restarts', 'rolls', 'backups'].map(
        (name) => [name, total(lines, name)] as const,
      );
      const struck = strikes.flatMap(([name, count]) => (count > 0 ? [`${name.replace('_', ' ')} ${count}`] : []));
      const faults = ['violations', 'other_errors'].map((name) => total(lines, `${name}.length`));
      const times = ['ready_ms.max', 'recovery_ms.max'].flatMap((name) =>
        most(lines, name) > 0 ? [`${name.split('_')[0]} within ${show(most(lines, name))} ms`] : [],
      );
      const answered = `acknowledged ${show(sum('acknowledged'))}, 503 ${show(sum('unavailable'))}, cut ${show(sum('cut'))}`;
      const figure = [...struck, answered, ...times, `violations ${faults[0]}, other errors ${faults[1]}`].join(', ');
      return { figure, met: faults.every((count) => count === 0) };
    },
  };
}

const ROWS: readonly FaultRow[] = [
  counted({
    id: 'kills',
    what: "kill -9 under load, restart, replay of the clients' journal",
    target: '0 lost, 0 duplicated, 0 violations, ready < 2 s',
    command: (sized) => ['test/chaos/kill-loop.ts', '--rounds', sized(1_000)],
    sizes: ['rounds', 'acknowledged'],
    wrong: ['lost', 'duplicated', 'violations'],
    parts: KILLED,
    readyMs: 2_000,
    timeoutMinutes: 240,
  }),
  counted({
    id: 'log-kills',
    what: 'kill -9 while the log grows; hash chain and tree verified after each kill',
    target: '0 violations',
    command: (sized) => ['test/chaos/log-kill-loop.ts', '--rounds', sized(200)],
    sizes: ['rounds'],
    wrong: ['violations'],
    parts: KILLED,
    timeoutMinutes: 240,
  }),
  {
    id: 'payment-kills',
    what: 'kill -9 between any two steps of paid calls',
    target: 'every payment settles once, and every transfer belongs to a payment',
    command: (sized) => ['test/chaos/payment-kills.ts', '--kills', sized(1_000)],
    read: (lines) => ({
      figure: `${show(total(lines, 'payments'))} payments, ${show(total(lines, 'transfers'))} transfers`,
      met: total(lines, 'payments') > 0 && total(lines, 'payments') === total(lines, 'transfers'),
    }),
    parts: ENGINES,
    timeoutMinutes: 240,
  },
  chaos({
    id: 'chaos',
    what: 'three processes under mixed load; one is killed every 2 s, and the database restarts 10 times',
    target: '10 minutes: 0 lost, 0 duplicated, 0 inconsistent checkpoints; the only errors are 503 with Retry-After',
    command: (sized) => ['test/chaos/chaos.ts', '--seconds', sized(600)],
  }),
  chaos({
    id: 'database-restarts',
    what: 'the database is killed or restarted 10 times under the same load',
    target: '60 s: 0 wrong responses; the only errors are 503 with Retry-After; writes resume within 3 s',
    command: (sized) => ['test/chaos/chaos.ts', '--restarts', '--seconds', sized(60)],
  }),
  chaos({
    id: 'chaos-rolling',
    what: 'the workers of one service are replaced repeatedly under the same load',
    target: '0 failed requests',
    command: (sized) => ['test/chaos/chaos.ts', '--rolling', '--seconds', sized(120)],
  }),
  chaos({
    id: 'chaos-failover',
    what: 'the primary is killed under the same load and its synchronous standby promoted',
    target: '0 acknowledged writes lost, service back within 10 s',
    command: (sized) => ['test/chaos/chaos.ts', '--failover', '--seconds', sized(60)],
  }),
  chaos({
    id: 'chaos-backup',
    what: 'continuous backups under the same load; the last one is restored into an empty database',
    target: '0 failed requests; the restored log continues every earlier checkpoint; every page and receipt verifies',
    command: (sized) => ['test/chaos/chaos.ts', '--backup', '--seconds', sized(60)],
  }),
  ...CLUSTER_ROWS,
  {
    id: 'simulate',
    what: 'the service in simulated time, with seeded crashes, lost responses, reordered calls and failing outside services',
    target: 'thousands of hours without a violation',
    command: (sized) => ['test/simulation/simulate.ts', '--hours', '200', '--runs', sized(20)],
    read: (lines) => {
      const sums = ['hours', 'commands', 'crashes', 'lost_answers'].map(
        (name) => `${name.replace('_answers', ' responses')} ${show(total(lines, name))}`,
      );
      const violations = lines.flatMap((line) => line['violations'] as unknown[]).length;
      return {
        figure: `seeds ${lines.length}, ${sums.join(', ')}, violations ${violations}`,
        met: violations === 0,
      };
    },
    timeoutMinutes: 60,
  },
  counted({
    id: 'power-cut',
    what: 'copies of the SQLite files during writes, cut off at any byte',
    target: 'each copy is a prefix of the commits; uncut copies contain every acknowledged write',
    command: (sized) => ['test/chaos/power-cut.ts', '--cuts', sized(300)],
    sizes: ['cuts', 'events'],
    wrong: ['lost', 'violations'],
  }),
  tested(
    'disk-full',
    'the disk fills up during writes',
    'writes 503, reads 200, no torn entry, recovery without restart',
    'test/flows/service/disk-full.test.ts',
  ),
  counted({
    id: 'clock-jumps',
    what: 'the clock of the machine (SQLite) or of the database server (PostgreSQL) jumps by +1 h, -1 h and +30 days during a lease',
    target:
      'SQLite: no lease ends earlier than the clock correction explains; PostgreSQL: a jump ahead ends leases, one back ends none; no lease comes back, seal times never go back',
    command: () => ['test/chaos/clock-jumps.ts'],
    sizes: ['seals'],
    wrong: ['violations'],
    // A line of PostgreSQL that does not name the server's clock is of a clock that its commits do not ask.
    parts: {
      of: ({ engine, clock }) => (engine === 'postgres' && clock !== 'server' ? undefined : engine),
      all: ENGINES.all,
    },
  }),
  tested(
    'database-faults',
    'PostgreSQL is killed, restarted, frozen and cut off under load',
    '0 wrong responses; the only errors are 503 with Retry-After',
    'test/flows/service/database-faults.test.ts',
  ),
  tested(
    'failover',
    'the primary dies under load, with a standby',
    'no acknowledged write is lost',
    'test/chaos/failover.test.ts',
  ),
  tested(
    'register-faults',
    'registers are down, slow, wrong, empty, cut off or return 500',
    'the verdict says that the register failed; no charge; the circuit breaker opens',
    'test/flows/registers/faults.test.ts',
  ),
  {
    id: 'register-beside',
    what: 'verdicts from other registers while one hangs',
    target: 'p99 of the others within 20 %',
    command: (sized) => ['bench/registers.ts', '--rounds', sized(320)],
    read: (lines) => {
      const ratios = lines.map((line) => at(line, 'p99_ratio'));
      return { figure: `p99 ratios ${ratios.map(show).join(', ')}`, met: ratios.every((ratio) => ratio <= 1.2) };
    },
  },
  {
    id: 'facilitator-modes',
    what: 'a facilitator with each kind of error',
    target: '0 double charges, 0 free results, 0 charges without a result; 10,000 calls per mode',
    command: (sized) => ['test/chaos/payment-modes.ts', '--calls', sized(10_000)],
    read: (lines) => ({ figure: `${lines.length} modes, ${show(total(lines, 'calls'))} calls, no errors`, met: true }),
    timeoutMinutes: 240,
  },
  {
    id: 'one-authorization',
    what: '100 parallel calls with one authorization',
    target: 'exactly one settlement and one result per round; 1,000 rounds',
    command: (sized) => ['test/chaos/payment-races.ts', '--rounds', sized(1_000)],
    read: (lines) => ({
      figure: `${show(total(lines, 'rounds'))} rounds`,
      met: lines.length > 0 && lines.every((line) => line['one_answer_each'] === true),
    }),
    parts: ENGINES,
    timeoutMinutes: 120,
  },
  counted({
    id: 'claims-history',
    what: 'claims by 160 clients on contended work keys, with the history checked',
    target: 'never two exclusive holders, `once` never twice, exactly as many holders as slots; 100,000 operations',
    command: (sized) => ['test/chaos/crossing-history.ts', '--operations', sized(100_000)],
    sizes: ['operations'],
    wrong: ['violations'],
    parts: ENGINES,
    timeoutMinutes: 120,
  }),
  tested(
    'claims-races',
    '200 clients on one work key',
    'one exclusive holder, three of three slots, `once` exactly once',
    'test/chaos/races.test.ts',
  ),
  {
    id: 'wallet-race',
    what: 'payments from one wallet while processes are killed',
    target: 'no payment lost, and the whole balance spent, not a cent more',
    command: (sized) => ['test/chaos/wallet-race.ts', '--spends', sized(2_000), '--kills', sized(20)],
    read: (lines) => {
      const [forgotten, left] = [total(lines, 'forgotten'), total(lines, 'left_micro')];
      return { figure: `lost ${show(forgotten)}, balance left ${show(left)}`, met: forgotten === 0 && left === 0 };
    },
    parts: ENGINES,
  },
  {
    id: 'mandate-race',
    what: 'verifications of one mandate while processes are killed',
    target: 'none lost, never above the cap',
    command: (sized) => ['test/chaos/mandate-race.ts', '--verifies', sized(8_000), '--kills', sized(20)],
    read: (lines) => ({
      figure: `lost ${show(total(lines, 'forgotten'))}`,
      met: total(lines, 'forgotten') === 0 && lines.every((line) => at(line, 'allowed_cents') <= at(line, 'cap_cents')),
    }),
    parts: ENGINES,
  },
  {
    id: 'malformed',
    what: 'malformed requests to every path',
    target:
      '1,000,000 requests: no 500, no crash, every error a valid problem document; RSS growth over the second half < 5 %',
    command: (sized) => ['test/properties/fuzz.ts', '--requests', sized(1_000_000)],
    read: (lines) => ({
      figure: `${show(total(lines, 'requests'))} requests, RSS ${show(most(lines, 'rss_growth_percent'))} %`,
      met: total(lines, 'requests') > 0 && most(lines, 'rss_growth_percent') < 5,
    }),
    timeoutMinutes: 240,
  },
  {
    id: 'slow-clients',
    what: '3,000 clients that send headers slowly and 1,000 that read slowly',
    target: 'closed within 12 s; p99 of other calls <= 100 ms (goal: 50)',
    command: (sized) => [
      'test/chaos/connections.ts',
      '--kind',
      'slow',
      '--headers',
      sized(3_000),
      '--reads',
      sized(1_000),
    ],
    read: ([line]) => {
      const [left, last, p99] = [
        at(line, 'left_open_after_40_s'),
        at(line, 'dropped_after_s.last'),
        at(line, 'p99_ms'),
      ];
      const figure = `${left === 0 ? 'all closed' : `${show(left)} still open after 40 s`}; the slowest took ${show(last)} s; p99 ${show(p99)} ms`;
      return { figure, met: left === 0 && last <= 12 && p99 <= 100 };
    },
  },
  {
    id: 'idle-connections',
    what: '10,000 idle connections during 200 requests/s',
    target: 'at most 250 MiB more RSS, p99 <= 30 ms',
    command: (sized) => ['test/chaos/connections.ts', '--kind', 'idle', '--sockets', sized(10_000)],
    read: ([line]) => ({
      figure: `${show(at(line, 'still_open'))} open, ${show(at(line, 'extra_rss_mib'))} MiB, p99 ${show(at(line, 'p99_ms'))} ms`,
      met:
        at(line, 'still_open') === at(line, 'connections') &&
        at(line, 'extra_rss_mib') <= 250 &&
        at(line, 'p99_ms') <= 30,
    }),
  },
  {
    id: 'hostile',
    what: 'hostile requests of every kind, each while another client claims and looks 50 times a second',
    target: "that client's p99.9 <= 60 ms; memory grows by <= 200 MiB",
    command: () => ['bench/hostile.ts'],
    read: ([line]) => {
      const [tail, grown] = [at(line, 'beside.p99_9_ms'), at(line, 'rss_growth_mib')];
      const figures = [
        `${show(at(line, 'kinds'))} kinds`,
        `p99.9 ${show(tail)} ms`,
        `memory grew by ${show(grown)} MiB`,
        `${show(at(line, 'rss_kept_mib'))} MiB left after 10 s`,
      ];
      return { figure: figures.join(', '), met: tail <= 60 && grown <= 200 };
    },
  },
  tested(
    'ssrf',
    'private addresses in every notation, and DNS rebinding',
    'no connection to a private address',
    'src/platform/outbound/guarded-client.test.ts',
  ),
  {
    id: 'soak',
    what: 'mixed load at half the peak rate',
    target:
      'memory growth without mapped files and log < 1 MiB/h in the second half, event loop p99.9 <= 15 ms, no growth in open files',
    command: (sized) => ['test/chaos/soak.ts', '--minutes', sized(480)],
    read: (lines) => {
      const own = most(lines, 'own_slope_beside_log');
      const memory = Number.isNaN(own)
        ? `RSS including mapped database pages ${show(most(lines, 'rss_slope_mib_per_hour'))} MiB/h`
        : `${show(most(lines, 'own_slope_mib_per_hour'))} MiB/h (${show(own)} without the log)`;
      const [p999, files] = [most(lines, 'event_loop_p999_ms'), most(lines, 'open_files_slope_per_hour')];
      const figure = `${show(most(lines, 'calls_per_second'))} calls/s, ${memory}, event loop p99.9 ${show(p999)} ms, open files ${show(files)}/h`;
      return { figure, met: own < 1 && p999 <= 15 && files < 1 };
    },
    timeoutMinutes: 600,
  },
  {
    id: 'hostile-texts',
    what: 'brief lint on hostile texts of maximum length',
    target: '< 5 ms each',
    command: () => ['bench/lint.ts'],
    read: ([line]) => ({
      figure: `slowest ${show(at(line, 'slowest_cpu_ms'))} ms`,
      met: at(line, 'slowest_cpu_ms') < 5,
    }),
  },
  {
    id: 'hostile-rules',
    what: 'usage rule filter on repetitive texts of maximum length',
    target: '< 5 ms each',
    command: () => ['bench/rules.ts'],
    read: ([line]) => {
      const slowest = Math.max(...Object.values((line?.['cpu_ms'] ?? {}) as Record<string, number>));
      return { figure: `slowest ${show(slowest)} ms`, met: slowest < 5 };
    },
  },
  tested('restore', 'restore from a backup', 'same root; every receipt verifies', 'test/cli/recovery.test.ts'),
  {
    id: 'referees',
    what: 'a long exported log, verified by Go and sigstore',
    target: 'same root hash; every proof verifies',
    command: (sized) => ['test/referees/referees.ts', '--seals', sized(70_000)],
    read: (lines) => {
      const sizes = lines.map((line) => `${String(line['engine'])}: ${show(at(line, 'size'))} entries`);
      const leftOut = lines.flatMap(({ go }) => (go as { left_out?: string } | undefined)?.left_out ?? []);
      return {
        figure: [...sizes, ...leftOut.map((what) => `Go left out: ${what}`)].join(', '),
        met: leftOut.length === 0 && lines.every((line) => line['ok'] === true && at(line, 'size') > 0),
      };
    },
    parts: ENGINES,
    timeoutMinutes: 60,
  },
  {
    id: 'determinism',
    what: 'the same inputs in two processes',
    target: 'identical ACCEPT/REJECT and result digests; 10,000 inputs',
    command: (sized) => ['test/properties/determinism.ts', '--inputs', sized(10_000)],
    read: ([line]) => ({
      figure: `${show(at(line, 'inputs'))} inputs, ${show(at(line, 'differing'))} differ`,
      met: at(line, 'differing') === 0 && line?.['judged_alike'] === true,
    }),
  },
  {
    id: 'rate-limits',
    what: 'each rate class at three times its rate, from two addresses',
    target: 'accepted within 1 % of burst + rate x time; the other address unaffected; headers agree',
    command: (sized) => ['test/chaos/rate-limits.ts', '--seconds', sized(60)],
    read: (lines) => {
      const ok = lines.filter((line) => line['ok'] === true).length;
      return { figure: `${ok} of ${lines.length} classes`, met: ok === lines.length };
    },
  },
];

export const FAULT_ROWS: readonly ProofRow[] = ROWS.map((row) => ({ timeoutMinutes: 30, ...row, kind: 'fault' }));
