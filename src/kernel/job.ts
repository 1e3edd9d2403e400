/** Work that one process at a time does for all of them. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** On a timer of its own beside the beat: for what is due more often than it, or waits for others. */
  readonly ownTimer?: true;
  run(): Promise<void>;
  /** Cuts a run short that would hold up the end of the process. */
  stop?(): void;
}

const SWEEP_EVERY_MS = 30_000;

/** Forgets what is over, in portions until none is left. */
export function sweepJob(name: string, portion: () => Promise<number>, everyMs = SWEEP_EVERY_MS): Job {
  const run = async () => {
    while ((await portion()) > 0);
  };
  return { name, everyMs, run };
}
