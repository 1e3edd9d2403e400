// Speed targets, each measured against its peer in the same run.
import { at, type ProofRow, show } from './row.ts';

type Line = Readonly<Record<string, unknown>>;

interface Goal {
  readonly id: string;
  readonly what: string;
  readonly target: string | null;
  readonly command: readonly string[];
  /** All of these must be true. */
  readonly goals: readonly (readonly [name: string, path: string, holds: '>=' | '<=', goal: number])[];
  /** Where the contenders' figures are, and which members are shown. */
  readonly table?: { readonly path: string; readonly members: readonly string[] };
  readonly timeoutMinutes?: number;
}

const RATES = ['perSecond', 'p50Ms', 'p99Ms', 'cpuUs'];
const claims = (callers: number) => `callers_${callers}`;

const GOALS: readonly Goal[] = [
  {
    id: 'http',
    what: "the service's /v1/check with eight parameters and its /api/v1/health, calls per CPU second; bare node:http with the same response = 1",
    target: 'check >= 0.62, health >= 0.5',
    command: ['bench/http.ts'],
    goals: [
      ['check', 'check.ratio', '>=', 0.62],
      ['health', 'health.ratio', '>=', 0.5],
    ],
    table: { path: '', members: ['ratio', 'cpu_us', 'per_second'] },
  },
  {
    id: 'store',
    what: 'durable exclusive claims in the store, 64 clients (ratios also with 16 and 1), and the longest event loop pause',
    target:
      '>= 1.0 of Redis with appendfsync always (>= 0.9 with random keys, and with 1 client), >= 10 times etcd (8 with 1 client); with 64 clients >= 3 times (SQLite) and >= 5 times (PostgreSQL) one transaction per claim; pause with random keys <= 15 ms',
    command: ['bench/store.ts'],
    goals: [
      ['Redis', `${claims(64)}.sqlite_vs_redis`, '>=', 1],
      ['Redis, 16 clients', `${claims(16)}.sqlite_vs_redis`, '>=', 1],
      ['Redis, 1 client', `${claims(1)}.sqlite_vs_redis`, '>=', 0.9],
      ['Redis with random keys', 'random_keys.sqlite_vs_redis', '>=', 0.9],
      ['etcd', `${claims(64)}.sqlite_vs_etcd`, '>=', 10],
      ['etcd, 16 clients', `${claims(16)}.sqlite_vs_etcd`, '>=', 10],
      ['etcd, 1 client', `${claims(1)}.sqlite_vs_etcd`, '>=', 8],
      ['SQLite one by one', `${claims(64)}.sqlite_vs_one_by_one`, '>=', 3],
      ['PostgreSQL one by one', `${claims(64)}.postgres_vs_one_by_one`, '>=', 5],
      ['pause ms', 'pauses.longestMs', '<=', 15],
    ],
    table: { path: `${claims(64)}.figures`, members: RATES },
  },
  {
    id: 'claims-http',
    what: "durable claim and release over HTTP, 64 clients; etcd's HTTP gateway = 1",
    target: '>= 3.5 (goal: 5)',
    command: ['bench/crossing.ts'],
    goals: [
      ['ratio', 'avouch_vs_etcd', '>=', 3.5],
      ['CPU of the service µs', 'server_cpu_us.avouch', '<=', Infinity],
      ['of etcd µs', 'server_cpu_us.etcd', '<=', Infinity],
    ],
    table: { path: 'figures', members: RATES },
  },
  {
    id: 'scale',
    what: 'claims over HTTP with several processes on one PostgreSQL',
    target: 'four processes, of which one writes: CPU of the service per claim <= 1.3 of one process, p50 <= 1.2',
    command: ['bench/scale.ts'],
    goals: [
      ['CPU', 'cpu_to_one_process.postgres-4-forward', '<=', 1.3],
      ['p50', 'p50_to_one_process.postgres-4-forward', '<=', 1.2],
    ],
    table: {
      path: 'figures',
      members: ['per_s', 'p50_ms', 'p99_ms', 'first_cpu_us', 'others_cpu_us', 'database_cpu_us'],
    },
  },
  {
    id: 'look',
    what: 'look with a million marks and 100,000 leases; bare node:http with the same response = 1',
    target: '>= 0.25 with many clients on few keys',
    command: ['bench/look.ts'],
    goals: [['ratio', 'look_at_100_keys.ratio', '>=', 0.25]],
    table: { path: '', members: ['ratio', 'cpu_us', 'per_second'] },
  },
  {
    id: 'watch',
    what: '1,000 watchers receive a claim',
    target: null,
    command: ['bench/crossing-watch.ts'],
    goals: [['p99 ms', 'after_commit_ms.p99', '<=', Infinity]],
  },
  {
    id: 'seal',
    what: 'durable seal with its proof over HTTP; CPU of a bare JSON POST = 1; verification of a bundle',
    target: '>= 0.28 with 256 connections (goal: 0.33), >= 5,000 seals per CPU second; verify <= 1 ms',
    command: ['bench/seal.ts'],
    goals: [
      ['ratio', 'connections_256.cpu_ratio_to_bare', '>=', 0.28],
      ['seals per CPU second', 'connections_256.seals_per_cpu_second', '>=', 5_000],
      ['verify ms', 'verify_bundle_cpu_ms', '<=', 1],
    ],
    table: {
      path: '',
      members: ['cpu_ratio_to_bare', 'cpu_us', 'bare_cpu_us', 'seals_per_second', 'p50_ms', 'p99_ms'],
    },
  },
  {
    id: 'audit',
    what: 'full audit of a log with a million entries, and a start with it',
    target: '>= 150,000 entries per CPU second (goal: 300,000), < 100 bytes per entry, start < 3 s',
    command: ['--expose-gc', 'bench/audit.ts'],
    goals: [
      ['entries per CPU second', 'hashed_per_cpu_second', '>=', 150_000],
      ['bytes per entry', 'tree_bytes_per_entry', '<=', 100],
      ['start s', 'start_seconds.0', '<=', 3],
    ],
  },
  {
    id: 'paid',
    what: 'CPU of a paid call; the official x402 flow with an in-process facilitator = 1; CPU of an unpaid 402',
    target: '<= 0.11; 402 <= 250 µs',
    command: ['bench/paid.ts', '--seconds', '4'],
    goals: [
      ['ratio', 'cpu_ratio_to_official', '<=', 0.11],
      ['402 µs', 'unpaid.connections_64.cpu_us', '<=', 250],
    ],
    table: { path: 'automine', members: ['cpu_ms', 'calls_per_second', 'p50_ms', 'p99_ms'] },
  },
  {
    id: 'screen',
    what: 'sanctions screening against 25,000 invented names',
    target: 'p50 <= 100 µs, p99 <= 1 ms, >= 5,000 per CPU second',
    command: ['bench/screen.ts'],
    goals: [
      ['p50 µs', 'p50_us', '<=', 100],
      ['p99 µs', 'p99_us', '<=', 1_000],
      ['per CPU second', 'screens_per_cpu_second', '>=', 5_000],
    ],
  },
  {
    id: 'screen-hostile',
    what: 'sanctions screening of names of 120 characters that half of 25,000 names resemble',
    target: 'p99.9 <= 5 ms',
    command: ['bench/screen.ts', '--names', '50'],
    goals: [
      ['p50 µs', 'hostile_p50_us', '<=', 5_000],
      ['p99.9 µs', 'hostile_p999_us', '<=', 5_000],
    ],
  },
  {
    id: 'start',
    what: 'start with no data, and memory when idle',
    target: 'ready <= 0.9 s, <= 150 MiB',
    command: ['bench/start.ts'],
    goals: [
      ['ready ms', 'ready_ms', '<=', 900],
      ['RSS MiB', 'rss_mib', '<=', 150],
    ],
  },
  {
    id: 'pages',
    what: 'home page in Chromium with an empty cache; dashboard pages',
    target:
      'first paint < 300 ms on loopback, < 100 KB transferred, no other host; ledger p95 < 20 ms; sign-in medians within 10 %',
    command: ['bench/pages.ts'],
    goals: [
      ['first paint ms', 'pages.home.first_paint_ms', '<=', 300],
      ['KB', 'pages.home.transferred_kb', '<=', 100],
      ['other hosts', 'pages.home.other_hosts', '<=', 0],
      ['ledger of 10,000 entries p95 ms', 'ledger_ms.p95', '<=', 20],
      ['sign-in email, difference between known and unknown address', 'login_mail_ms.apart', '<=', 0.1],
    ],
  },
  {
    id: 'mandates',
    what: 'durable verification and seal of a mandate; a bare JSON POST = 1',
    target: '>= 0.16 each (goal: 0.20)',
    command: ['bench/mandates.ts'],
    goals: [
      ['verify', 'verify_cpu_ratio', '>=', 0.16],
      ['seal', 'seal_cpu_ratio', '>=', 0.16],
    ],
  },
  {
    id: 'wallet',
    what: 'durable hold and capture; one bare durable insert = 1',
    target: null,
    command: ['bench/wallet.ts'],
    goals: [['share', 'share', '>=', 0]],
    table: { path: '', members: RATES },
  },
  {
    id: 'mcp',
    what: 'tools/call over MCP per CPU second; plain JSON-RPC on node:http = 1',
    target: '>= 0.55',
    command: ['bench/mcp.ts'],
    goals: [['ratio', 'call.ours.ratio', '>=', 0.55]],
  },
  {
    id: 'growth',
    what: 'CPU of the service per call when everything was done 1,000, 10,000, 100,000 and 1,000,000 times before',
    target: 'a million <= 1.3 of a thousand, each call',
    command: ['bench/growth.ts'],
    goals: [['worst', 'worst_growth', '<=', 1.3]],
    table: { path: 'cpu_us_per_call', members: ['growth', '1000', '10000', '100000', '1000000'] },
    timeoutMinutes: 60,
  },
  {
    id: 'bom',
    what: 'bill of materials with 10,000 lines over HTTP; a small call during bills of 100,000 lines',
    target: 'none set; checked here: p95 over HTTP <= 1 s, small call p99 <= 50 ms',
    command: ['bench/bom.ts', '--runs', '15', '--window', '8000'],
    goals: [
      ['p95 ms over HTTP', 'http_10000_lines_ms.p95', '<=', 1_000],
      ['small call p99 ms', 'light_call_ms.beside_p99', '<=', 50],
    ],
  },
];

function readGoals(goals: Goal['goals'], line: Line | undefined) {
  const measured = goals.map(([name, path, holds, goal]) => {
    const value = at(line, path);
    return { text: `${name} ${show(value)}`, met: holds === '>=' ? value >= goal : value <= goal };
  });
  const figure = measured.map(({ text }) => text).join(', ') || 'see the table';
  return { figure, met: measured.every(({ met }) => met) };
}

/** One line per contender, with its figures. */
function peersOf({ path, members }: NonNullable<Goal['table']>, line: Line | undefined): string[][] {
  const holder = path === '' ? line : path.split('.').reduce<unknown>((value, name) => (value as Line)?.[name], line);
  const named = Object.entries((holder ?? {}) as Line).filter(([, figures]) => typeof figures === 'object');
  const lines = named.map(([name, figures]) => [name, ...members.map((member) => show(at(figures, member)))]);
  return [['', ...members], ...lines.filter((cells) => cells.slice(1).some((cell) => cell !== 'not measured'))];
}

export const BENCH_ROWS: readonly ProofRow[] = GOALS.map(({ goals, table, command, timeoutMinutes = 30, ...row }) => ({
  ...row,
  kind: 'bench',
  command: () => command,
  read: ([line]) => readGoals(goals, line),
  ...(table !== undefined && { peers: ([line]) => peersOf(table, line) }),
  timeoutMinutes,
}));
