import { DAY_MS } from '#kernel/clock.ts';
import type { Decision, Unit, Write } from './store.ts';
import { as, integer, table, text } from './table.ts';

/** How long a process counts as alive, and a leader as leader, after its last beat. */
export const PRESENCE_MS = 15_000;
export const HEARTBEAT_EVERY_MS = 5_000;
/** A silent process keeps its rows this long: one that was only frozen must still find the trace of its last commit. */
const FORGET_MS = DAY_MS;

export interface ProcessHeartbeat {
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

interface Leader {
  readonly job: string;
  readonly process: string;
  readonly untilMs: number;
}

interface PresenceState {
  readonly until: ReadonlyMap<string, number>;
  readonly leaders: ReadonlyMap<string, Leader>;
}

const PROCESS = table('process', { id: text(), until: as('untilMs', integer()) }, { key: ['id'] });
const LEADER = table('leader', { job: text(), process: text(), until: as('untilMs', integer()) }, { key: ['job'] });
const WRITER = table('writer', { process: text() }, { key: ['process'] });

const reads = () => ({ processes: PROCESS.select(''), leaders: LEADER.select('') });

/** Which processes live and which of them leads each background job: rows with a time limit, renewed by a beat. */
export const presenceUnit: Unit<[ProcessHeartbeat, BeatResult], PresenceState, typeof reads> = {
  name: 'presence',
  reads,
  load: ({ processes, leaders }) => ({
    until: new Map(processes.map(({ id, untilMs }) => [id, untilMs])),
    leaders: new Map(leaders.map((leader) => [leader.job, leader])),
  }),
  decide,
  writes,
};

function decide(
  state: PresenceState,
  nowMs: number,
  _next: unknown,
  beat: ProcessHeartbeat,
): Decision<PresenceState, BeatResult> {
  const until = new Map([...state.until].filter(([, end]) => end + FORGET_MS > nowMs));
  const leaders = new Map(state.leaders);
  if (beat.leaving) until.delete(beat.process);
  else until.set(beat.process, nowMs + PRESENCE_MS);
  const leads: string[] = [];
  for (const job of beat.jobs) {
    const current = leaders.get(job);
    const isFree = current === undefined || current.untilMs <= nowMs;
    if (!isFree && current.process !== beat.process) continue;
    leaders.set(job, { job, process: beat.process, untilMs: beat.leaving ? nowMs : nowMs + PRESENCE_MS });
    if (!beat.leaving) leads.push(job);
  }
  const liveProcesses = [...until.values()].filter((end) => end > nowMs).length;
  return { state: { until, leaders }, result: { leads, liveProcesses: Math.max(1, liveProcesses) } };
}

function writes(before: PresenceState, after: PresenceState): Write[] {
  const gone = [...before.until.keys()].filter((id) => !after.until.has(id)).map((id) => [id]);
  const seen = [...after.until].filter(([id, untilMs]) => before.until.get(id) !== untilMs);
  const led = [...after.leaders.values()].filter((leader) => before.leaders.get(leader.job) !== leader);
  return [
    PROCESS.remove(gone),
    WRITER.remove(gone),
    PROCESS.upsert(seen.map(([id, untilMs]) => ({ id, untilMs }))),
    LEADER.upsert(led),
  ];
}
