import type { RecoveryPhase, RecoveryProgress } from '#platform/recovery/progress.ts';
import type { Progress } from './line/progress.ts';

const PHASES: Readonly<Record<RecoveryPhase, string>> = {
  count: 'Counting rows',
  check: 'Checking the backup files',
  copy: 'Copying rows',
  audit: 'Auditing log and ledger',
  compare: 'Comparing both databases',
};

/** Draws what a recovery tells; undefined where nobody watches. */
export function recoveryProgress(progress: Progress): RecoveryProgress | undefined {
  if (!progress.isShown) return undefined;
  return (phase, done, total) => {
    progress.update({ done, unit: 'rows', ...(total !== undefined && { total }) }, PHASES[phase]);
  };
}
