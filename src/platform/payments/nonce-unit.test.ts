import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from '#properties';
import type { Hex } from '#protocol/payment/hex.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { openStore } from '../../../test/support/engines.ts';
import { type NonceCommand, nonceUnit, OPEN_BATCHES } from './nonce-unit.ts';

const ACCOUNT = 'chain/0xsettler';
const plan = (nonce: number, hash = `0x${nonce}`, account = ACCOUNT): NonceCommand => ({
  type: 'plan',
  account,
  nonce,
  hash: hash as Hex,
  raw: `0xraw${nonce}` as Hex,
  members: ['a', 'b'],
});

for (const engine of ENGINES) {
  suite(`nonces on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('every nonce is given to one transaction, which stands in the store with its members', async () => {
      await using opened = await openStore(engine);
      const { store } = opened;
      assert.deepEqual(await store.run(nonceUnit, plan(7)), { done: true, next: 8 });
      assert.deepEqual(await store.run(nonceUnit, plan(7, '0xother')), { done: false, next: 8 });
      assert.deepEqual(await store.run(nonceUnit, plan(9)), { done: false, next: 8 });
      assert.deepEqual(await store.run(nonceUnit, plan(0, '0x0', 'chain/0xanother')), { done: true, next: 1 });
      const both = await Promise.all([store.run(nonceUnit, plan(8, '0xa')), store.run(nonceUnit, plan(8, '0xb'))]);
      assert.equal(both.filter(({ done }) => done).length, 1);
      const open = await store.read(OPEN_BATCHES, [ACCOUNT]);
      assert.deepEqual(
        open.map(({ nonce, hashes, raw, members }) => [nonce, hashes, raw, members]),
        [
          [7, ['0x7'], '0xraw7', ['a', 'b']],
          [8, ['0xa'], '0xraw8', ['a', 'b']],
        ],
      );
      await store.run(nonceUnit, { type: 'close', account: ACCOUNT, nonces: [7, 8] });
      assert.deepEqual(await store.read(OPEN_BATCHES, [ACCOUNT]), []);
      assert.equal((await store.read(OPEN_BATCHES, ['chain/0xanother'])).length, 1);
      await store.close();
    });

    test('a dearer transaction takes the place of the newest one only', async () => {
      await using opened = await openStore(engine);
      const { store } = opened;
      await store.run(nonceUnit, plan(3));
      const replace = (instead: Hex, hash: Hex): NonceCommand => {
        return { type: 'replace', account: ACCOUNT, nonce: 3, instead, hash, raw: '0xdearer' };
      };
      assert.equal((await store.run(nonceUnit, replace('0x3', '0x33'))).done, true);
      assert.equal((await store.run(nonceUnit, replace('0x3', '0x34'))).done, false);
      const [batch] = await store.read(OPEN_BATCHES, [ACCOUNT]);
      assert.deepEqual([batch?.hashes, batch?.raw], [['0x3', '0x33'], '0xdearer']);
      await store.close();
    });
  });
}

test('no two open transactions ever share a nonce, whatever is asked in whatever order', () => {
  const nonce = fc.integer({ min: 0, max: 6 });
  const hash = fc.constantFrom<Hex>('0xa', '0xb', '0xc');
  const command: fc.Arbitrary<NonceCommand> = fc
    .oneof(
      fc.record({ type: fc.constant('plan' as const), nonce, hash, raw: hash, members: fc.constant([]) }),
      fc.record({ type: fc.constant('release' as const), nonce, hash }),
      fc.record({ type: fc.constant('close' as const), nonces: fc.array(nonce, { maxLength: 3 }) }),
      fc.record({ type: fc.constant('restart' as const), next: nonce, abandoned: fc.array(nonce, { maxLength: 3 }) }),
    )
    .map((one) => ({ ...one, account: ACCOUNT }));
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      let state = nonceUnit.load({ next: [], open: [] }, []);
      for (const one of commands) {
        const { state: after, result } = nonceUnit.decide(state, 1, { rev: 1, seq: 0 }, one);
        if (one.type === 'plan' && result.done) {
          const before = [...state.batches.values()].some((batch) => batch.nonce === one.nonce);
          assert.equal(before, false, 'a nonce that is under way was given again');
          assert.equal(result.next, one.nonce + 1);
        }
        if (!result.done) assert.equal(after, state, 'what was refused changed nothing');
        state = after;
      }
    }),
  );
});
