// The thread that copies the write-ahead log into the database file, so that the event loop does not.
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { answerRequests } from '#platform/thread.ts';
import type { WalOutcome, WalTask } from './wal-thread.ts';

// timeout 0: a reader in the way ends a copy early instead of being waited for. Nothing is mapped, unlike on the connection
// of the engine: a copy reads the log, not the database.
const database = new DatabaseSync(workerData as string, { timeout: 0 });
database.exec('PRAGMA synchronous = FULL; PRAGMA mmap_size = 0');
// A connection that has read nothing does not know of the log, and copies nothing.
database.prepare('SELECT COUNT(*) FROM sqlite_master').get();

/** What SQLite says of a copy: whether somebody was in its way, pages of the log, and those of them that it copied. */
type Checkpointed = Record<'busy' | 'log' | 'checkpointed', number>;

function outcomeOf(task: WalTask): WalOutcome {
  try {
    const copied = database.prepare(`PRAGMA wal_checkpoint(${task})`).get() as Readonly<Checkpointed>;
    return copied.busy === 0 && copied.checkpointed === copied.log ? 'complete' : 'partial';
  } catch {
    // A full disk, say: the log keeps everything, and the next copy tries again.
    return 'failed';
  }
}

answerRequests({ answer: outcomeOf, close: () => database.close() });
