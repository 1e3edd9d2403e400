import type { Cell, Decision, Read, Row, Unit, Write } from './store.ts';

/** How long a process counts as alive, and a leader as leader, after its last beat. */
export const PRESENCE_MS = 15_000;
export const HEARTBEAT_EVERY_MS = 5_000;
/** A silent process keeps its rows this long: one that was only frozen must still find the trace of its last commit. */
const FORGET_MS = 24 * 3_600_000;

export interface Heartbeat {
  readonly process: string;
  /** The jobs that this process is willing to lead. */
  readonly jobs: readonly string[];
  /** A stopping process gives everything back at once. */
  readonly leaving: boolean;
}

export interface BeatResult {
  readonly leads: readonly string[];
  readonly liveProcesses: number;
}

interface PresenceState {
  readonly until: ReadonlyMap<string, number>;
  readonly leaders: ReadonlyMap<string, { readonly process: string; readonly until: number }>;
}

const READS: readonly Read[] = [
  { sql: 'SELECT id, until FROM process' },
  { sql: 'SELECT job, process, until FROM leader' },
];
const PROCESS_UPSERT =
  'INSERT INTO process (id, until) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET until = excluded.until';
const PROCESS_DELETE = 'DELETE FROM process WHERE id IN (VALUES ($1))';
const WRITER_DELETE = 'DELETE FROM writer WHERE process IN (VALUES ($1))';
const LEADER_UPSERT =
  'INSERT INTO leader (job, process, until) VALUES ($1, $2, $3) ON CONFLICT (job) DO UPDATE SET process = excluded.process, until = excluded.until';

/** Which processes live and which of them leads each background job: rows with a time limit, renewed by a beat. */
export const presenceUnit: Unit<Heartbeat, PresenceState, BeatResult> = {
  name: 'presence',
  reads: () => READS,
  load: ([processes, leaders]) => ({
    until: new Map(processes?.map((row) => [row['id'] as string, row['until'] as number])),
    leaders: new Map(leaders?.map((row) => [row['job'] as string, leaderOf(row)])),
  }),
  decide,
  writes,
};

function leaderOf(row: Row): { process: string; until: number } {
  return { process: row['process'] as string, until: row['until'] as number };
}

function decide(
  state: PresenceState,
  nowMs: number,
  _next: unknown,
  beat: Heartbeat,
): Decision<PresenceState, BeatResult> {
  const until = new Map([...state.until].filter(([, end]) => end + FORGET_MS > nowMs));
  const leaders = new Map(state.leaders);
  if (beat.leaving) until.delete(beat.process);
  else until.set(beat.process, nowMs + PRESENCE_MS);
  const leads: string[] = [];
  for (const job of beat.jobs) {
    const current = leaders.get(job);
    const isFree = current === undefined || current.until <= nowMs;
    if (!isFree && current.process !== beat.process) continue;
    leaders.set(job, { process: beat.process, until: beat.leaving ? nowMs : nowMs + PRESENCE_MS });
    if (!beat.leaving) leads.push(job);
  }
  const liveProcesses = [...until.values()].filter((end) => end > nowMs).length;
  return { state: { until, leaders }, result: { leads, liveProcesses: Math.max(1, liveProcesses) } };
}

function writes(before: PresenceState, after: PresenceState): Write[] {
  const gone = [...before.until.keys()].filter((id) => !after.until.has(id)).map((id): Cell[] => [id]);
  const seen = [...after.until].filter(([id, until]) => before.until.get(id) !== until);
  const led = [...after.leaders].filter(([job, leader]) => before.leaders.get(job) !== leader);
  return [
    { sql: PROCESS_DELETE, rows: gone },
    { sql: WRITER_DELETE, rows: gone },
    { sql: PROCESS_UPSERT, rows: seen },
    { sql: LEADER_UPSERT, rows: led.map(([job, leader]) => [job, leader.process, leader.until]) },
  ];
}
