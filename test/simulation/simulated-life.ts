// What simulated life must show; declared with few hours for npm test and with more for test:more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './simulation.ts';
import { PLANTED_FAULTS, type PlantedFault } from './world.ts';

export interface LifeFigures {
  readonly seed: number;
  readonly hours: number;
  /** Within how many simulated hours the loss of a safeguard shows, in one of a few lives from this seed on. */
  readonly foundWithin: Readonly<Record<PlantedFault, readonly [seed: number, hours: number]>>;
}

const LIVES = 8;
/** What a run must have met, or it proves little. */
const MET = ['/v1/claim 200', '/v1/claim 409 held', 'ledger done', 'verify within_mandate', 'seal sealed', 'gate 200'];

export function declareSimulatedLife({ seed, hours, foundWithin }: LifeFigures): void {
  test('crashes, lost answers and wrong clocks break no promise, and a seed gives the same life again', async () => {
    const first = await simulate({ seed, hours });
    assert.deepEqual(first.violations, []);
    assert.ok(first.crashes > 0 && first.lost_answers > 0);
    assert.deepEqual(
      MET.filter((kind) => first.answers[kind] === undefined),
      [],
    );
    const [again, other] = [await simulate({ seed, hours }), await simulate({ seed: seed + 1, hours: hours / 4 })];
    assert.deepEqual({ ...again, seconds: 0 }, { ...first, seconds: 0 });
    assert.notEqual(other.digest, first.digest);
  });

  for (const planted of PLANTED_FAULTS) {
    const [ofSeed, within] = foundWithin[planted];
    test(`without the safeguard ${planted} a violation is found within ${within} hours of one of a few lives`, async () => {
      // One life may never come to where the safeguard is needed, and every change of the service makes another life.
      for (let life = 0; life < LIVES; life += 1) {
        if ((await simulate({ seed: ofSeed + life, hours: within, planted })).violations.length > 0) return;
      }
      assert.fail('no violation');
    });
  }
}
