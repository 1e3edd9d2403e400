// One process of the race: spends from the wallet by numbers, and says of each on a line what came of it.
import { readConfig } from '#config/config.ts';
import { readSecrets } from '#config/secrets.ts';
import { newId } from '#kernel/ids.ts';
import { isRefused, ledger, type LedgerResult } from '#ledger/steps.ts';
import { StorageFault } from '#storage/store.ts';
import { openFoundation } from '../../src/foundation.ts';

export interface RaceTask {
  readonly env: Record<string, string>;
  readonly agentId: string;
  readonly priceMicro: number;
  readonly numbers: readonly number[];
}

const PARALLEL = 64;
const { env, agentId, priceMicro: amountMicro, numbers } = JSON.parse(process.argv[2] as string) as RaceTask;
const config = readConfig(env);
await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
const { store } = foundation;

async function spend(number: number): Promise<LedgerResult> {
  const holdId = `hold_${number}`;
  const hold = ledger.hold({ holdId, agentId, amountMicro, idem: `race:${number}`, ref: null, lifeMs: null });
  const [held] = (await store.runAll([hold], isRefused)) as [LedgerResult];
  if (held.type === 'refused') return held;
  const legs = [{ account: 'revenue:capability', amountMicro: -amountMicro }];
  const capture = ledger.capture({ holdId, amountMicro, kind: 'capability', txId: newId('tx_'), legs });
  return ((await store.runAll([capture], isRefused)) as [LedgerResult])[0];
}

/** A lost or overloaded database is asked again, with the same names for the same effects. */
async function spent(number: number): Promise<LedgerResult> {
  for (;;) {
    try {
      return await spend(number);
    } catch (error) {
      if (!(error instanceof StorageFault)) throw error;
    }
  }
}

let next = 0;
await Promise.all(
  Array.from({ length: PARALLEL }, async () => {
    for (let at = next++; at < numbers.length; at = next++) {
      const number = numbers[at] as number;
      const result = await spent(number);
      process.stdout.write(`${number} ${result.type === 'done' ? result.txId : result.code}\n`);
    }
  }),
);
