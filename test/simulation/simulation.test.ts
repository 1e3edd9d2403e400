// The short form of `npm run simulate`.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { PLANTED_FAULTS, type PlantedFault } from './world.ts';
import { simulate } from './simulation.ts';

/** Within how many simulated hours the loss of a safeguard shows, on these seeds. */
const FOUND_WITHIN: Readonly<Record<PlantedFault, readonly [seed: number, hours: number]>> = {
  exclusivity: [5, 40],
  monotone_time: [5, 60],
  idempotency: [5, 40],
  double_capture: [5, 40],
};
/** What a run of two days must have met, or it proves little. */
const MET = ['/v1/claim 200', '/v1/claim 409 held', 'ledger done', 'verify within_mandate', 'seal sealed', 'gate 200'];

suite('simulated life', () => {
  test('crashes, lost answers and wrong clocks break no promise, and a seed gives the same life again', async () => {
    const first = await simulate({ seed: 7, hours: 24 });
    assert.deepEqual(first.violations, []);
    assert.ok(first.crashes > 0 && first.lost_answers > 0);
    assert.deepEqual(
      MET.filter((kind) => first.answers[kind] === undefined),
      [],
    );
    const [again, other] = [await simulate({ seed: 7, hours: 24 }), await simulate({ seed: 8, hours: 6 })];
    assert.deepEqual({ ...again, seconds: 0 }, { ...first, seconds: 0 });
    assert.notEqual(other.digest, first.digest);
  });

  for (const planted of PLANTED_FAULTS) {
    const [seed, hours] = FOUND_WITHIN[planted];
    test(`without the safeguard ${planted} a violation is found within ${hours} hours`, async () => {
      assert.notDeepEqual((await simulate({ seed, hours, planted })).violations, []);
    });
  }
});
