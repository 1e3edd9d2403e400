// Many calls at once with one authorization.
import assert from 'node:assert/strict';
import type { EngineName } from '../support/databases.ts';
import { PaidService } from '../support/paid-service.ts';

const CALLERS = 100;

/** A hundred callers, round after round: one verdict, one settlement, one body. */
export async function raceForOneAnswer(engine: EngineName, rounds: number): Promise<void> {
  await using paid = await PaidService.start({ engine });
  for (let round = 1; round <= rounds; round += 1) {
    const path = `/v1/spend-fuse?amount_usd=1&agent=scout-1&intent_id=i-${round}`;
    const payment = await paid.sign(path);
    const answers = await Promise.all(Array.from({ length: CALLERS }, () => paid.pay(path, payment)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const originals = answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined);
    assert.equal(originals.length, 1);
    const { settleCalls, factsCalls, transfers } = paid.chain;
    assert.deepEqual([factsCalls, settleCalls, transfers.size], [round, round, round]);
  }
}
