// The short form of `npm run crossing-history`, and proof that its checker has teeth.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { crossingHistory, type PlantedFault } from './crowd.ts';
import { ENGINES, type EngineName, hasPostgres } from '../support/databases.ts';
import { newSeed } from '../support/random.ts';

const postgres = await hasPostgres();
const SHORT = { callers: 24, freezeMs: 500, everyMs: 500 };

function skipOn(engine: EngineName) {
  return { skip: engine === 'postgres' && !postgres && 'no PostgreSQL server binaries here' };
}

suite('everything that crossing writes, under kills, freezes and jumping clocks', () => {
  for (const engine of ENGINES) {
    test(`keeps every promise on ${engine}`, skipOn(engine), async (t) => {
      const seed = newSeed();
      const { violations, ...report } = await crossingHistory({ ...SHORT, engine, seed, operations: 250 });
      t.diagnostic(JSON.stringify(report));
      assert.deepEqual(violations, [], `seed ${seed}`);
      assert.ok(report.events > 100, `seed ${seed} made too little load`);
    });
  }

  const FOUND: readonly (readonly [PlantedFault, EngineName, RegExp])[] = [
    ['exclusivity', 'sqlite', /leases on .* are held, one of them exclusive/],
    ['monotone_time', 'sqlite', /time goes back at rev/],
    ['lock', 'postgres', /was answered 500|did not start/],
  ];
  for (const [planted, engine, sentence] of FOUND) {
    test(`a service without its ${planted.replace('_', ' ')} is found out`, skipOn(engine), async () => {
      // A short run may by chance do nothing that the missing part would have stopped.
      const seen: string[] = [];
      for (let run = 0; run < 4 && !seen.some((found) => sentence.test(found)); run += 1) {
        const { violations } = await crossingHistory({ ...SHORT, engine, seed: newSeed(), planted, operations: 200 });
        seen.push(...violations);
      }
      assert.ok(
        seen.some((found) => sentence.test(found)),
        seen.slice(0, 5).join('; '),
      );
    });
  }
});
