import { DAY_MS } from '#kernel/clock.ts';
import type { Decision, Unit, Write } from './store.ts';
import { as, integer, nullable, table, text } from './table.ts';

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
  /** Where it takes commands that others hand on; null where it does not. */
  readonly address: string | null;
}

/** The process that writes for others. */
export interface WriterPlace {
  readonly process: string;
  readonly address: string;
}

export interface BeatResult {
  readonly leads: readonly string[];
  readonly liveProcesses: number;
  /** Null where every process writes for itself. */
  readonly writer: WriterPlace | null;
}

interface Present {
  readonly id: string;
  readonly untilMs: number;
  readonly address: string | null;
}

interface Leader {
  readonly job: string;
  readonly process: string;
  readonly untilMs: number;
}

interface PresenceState {
  readonly processes: ReadonlyMap<string, Present>;
  readonly leaders: ReadonlyMap<string, Leader>;
}

/** Led by one of the processes that have an address: it writes for those that hand on. */
const WRITER_JOB = 'writer';

const PROCESS = table(
  'process',
  { id: text(), until: as('untilMs', integer()), address: nullable(text()) },
  { key: ['id'] },
);
const LEADER = table('leader', { job: text(), process: text(), until: as('untilMs', integer()) }, { key: ['job'] });
const WRITER = table('writer', { process: text() }, { key: ['process'] });

const reads = () => ({ processes: PROCESS.select(''), leaders: LEADER.select('') });

/** Which processes live and which of them leads each background job: rows with a time limit, renewed by a beat. */
export const presenceUnit: Unit<[ProcessHeartbeat, BeatResult], PresenceState, typeof reads> = {
  name: 'presence',
  reads,
  load: ({ processes, leaders }) => ({
    processes: new Map(processes.map((process) => [process.id, process])),
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
  const { process: id, address } = beat;
  const processes = new Map([...state.processes].filter(([, { untilMs }]) => untilMs + FORGET_MS > nowMs));
  const leaders = new Map(state.leaders);
  if (beat.leaving) processes.delete(id);
  else processes.set(id, { id, untilMs: nowMs + PRESENCE_MS, address });
  const leads: string[] = [];
  for (const job of address === null ? beat.jobs : [...beat.jobs, WRITER_JOB]) {
    const current = leaders.get(job);
    const isFree = current === undefined || current.untilMs <= nowMs;
    if (!isFree && current.process !== id) continue;
    leaders.set(job, { job, process: id, untilMs: beat.leaving ? nowMs : nowMs + PRESENCE_MS });
    if (!beat.leaving) leads.push(job);
  }
  const liveProcesses = Math.max(
    1,
    processes
      .values()
      .filter(({ untilMs }) => untilMs > nowMs)
      .toArray().length,
  );
  const writer = writerOf(processes, leaders.get(WRITER_JOB), nowMs);
  return { state: { processes, leaders }, result: { leads, liveProcesses, writer } };
}

function writerOf(
  processes: PresenceState['processes'],
  leader: Leader | undefined,
  nowMs: number,
): WriterPlace | null {
  if (leader === undefined || leader.untilMs <= nowMs) return null;
  const address = processes.get(leader.process)?.address ?? null;
  return address === null ? null : { process: leader.process, address };
}

function writes(before: PresenceState, after: PresenceState): Write[] {
  const gone = [...before.processes.keys()].filter((id) => !after.processes.has(id)).map((id) => [id]);
  const seen = [...after.processes.values()].filter((process) => before.processes.get(process.id) !== process);
  const led = [...after.leaders.values()].filter((leader) => before.leaders.get(leader.job) !== leader);
  return [PROCESS.remove(gone), WRITER.remove(gone), PROCESS.upsert(seen), LEADER.upsert(led)];
}
