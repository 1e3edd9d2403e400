// A process that writes until it is killed, and tells of every row that is durable.
import { systemClock } from '#kernel/clock.ts';
import { SqliteEngine } from './sqlite.ts';
import type { WalLimits } from './wal-checkpointer.ts';

const { file, limits, from } = JSON.parse(process.argv[2] as string) as {
  readonly file: string;
  readonly limits: WalLimits;
  readonly from: number;
};
const engine = new SqliteEngine(file, systemClock(), limits);
for (let n = from; ; n += 1) {
  await engine.batch([], () => [{ sql: 'INSERT INTO note VALUES ($1, $2)', rows: [[n, 'x'.repeat(50_000)]] }]);
  await new Promise((resolve) => process.send?.(n, undefined, undefined, resolve));
}
