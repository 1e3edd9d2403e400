// One process of the race: spends from the wallet by the numbers that it is given a line each, and says what came of each.
import { createInterface } from 'node:readline';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { newId } from '#kernel/ids.ts';
import { isRefused, ledger, type LedgerResult } from '#platform/ledger/steps.ts';
import { StorageError } from '#platform/storage/store.ts';
import { openFoundation } from '../../src/platform/foundation.ts';

export interface RaceTask {
  readonly env: Record<string, string>;
  readonly agentId: string;
  readonly priceMicro: number;
}

const { env, agentId, priceMicro: amountMicro } = JSON.parse(process.argv[2] as string) as RaceTask;
const config = readConfig(env);
await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
const { store } = foundation;

async function spend(number: number): Promise<LedgerResult> {
  const holdId = `hold_${number}`;
  const hold = ledger.hold({ holdId, agentId, amountMicro, idem: `race:${number}`, ref: null, lifeMs: null });
  const [held] = await store.runAll([hold], isRefused);
  if (held.type === 'refused') return held;
  const legs = [{ account: 'revenue:capability', amountMicro: -amountMicro }];
  const capture = ledger.capture({ holdId, amountMicro, kind: 'capability', txId: newId('tx_'), legs });
  return (await store.runAll([capture], isRefused))[0];
}

/** A lost or overloaded database is asked again, with the same names for the same effects. */
async function spent(number: number): Promise<LedgerResult> {
  for (;;) {
    try {
      return await spend(number);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }
}

const spending: Promise<void>[] = [];
for await (const line of createInterface({ input: process.stdin })) {
  const tell = (result: LedgerResult) =>
    process.stdout.write(`${line} ${result.type === 'done' ? result.txId : result.code}\n`);
  spending.push(spent(Number(line)).then((result) => void tell(result)));
}
await Promise.all(spending);
