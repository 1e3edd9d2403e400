import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openStore } from '../../../test/support/engines.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { TestWitness } from '../../../test/support/witness.ts';
import { parseVkey } from '#protocol/note-key.ts';
import { formatNote } from '#protocol/note.ts';
import { parsePolicy } from '#protocol/witness-policy.ts';
import { cosignUnit, isWitnessed } from './cosign-unit.ts';
import { NEWEST, publishUnit } from './publish-unit.ts';

const WITNESSES = [new TestWitness(1), new TestWitness(2)] as const;
const LINES = WITNESSES.map(({ name, vkey }) => `witness ${name} ${vkey}\n`).join('');
const POLICY = parsePolicy(`${LINES}group g all w1 w2\nquorum g\n`);

function noteOf(size: number): string {
  const signature = { name: 'log.example', keyId: '01020304', signature: Uint8Array.of(1) };
  return formatNote({ text: `log.example\n${size}\nroot\n`, signatures: [signature] });
}

function lineOf({ vkey }: TestWitness) {
  const { name, keyId } = parseVkey(vkey);
  return { name, keyId, signature: new Uint8Array(72).fill(1) };
}

for (const engine of ENGINES) {
  suite(`published checkpoints on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('the size never goes down, and only the newest hundred and the last that witnesses saw stay', async () => {
      await using opened = await openStore(engine);
      const { store } = opened;
      const publish = (size: number) => store.run(publishUnit, { size, note: noteOf(size) });
      assert.deepEqual(await publish(5), { published: true });
      for (const size of [5, 4, 1]) assert.deepEqual(await publish(size), { published: false });
      const ask = (size: number, signatures: ReturnType<typeof lineOf>[]) =>
        store.run(cosignUnit, { size, signatures, policy: POLICY, states: [] });
      const lines = WITNESSES.map(lineOf);
      for (let size = 6; size <= 120; size += 1) {
        await publish(size);
        if (size <= 12) await ask(size, size <= 9 ? lines : []);
      }
      const rows = await store.read('SELECT size FROM published ORDER BY size');
      assert.deepEqual(
        rows.map((row) => row['size']),
        [9, 12, ...Array.from({ length: 100 }, (_, n) => n + 21)],
      );
    });

    test('cosignatures are added once, and the quorum makes it witnessed', async () => {
      await using opened = await openStore(engine);
      const { store } = opened;
      await store.run(publishUnit, { size: 7, note: noteOf(7) });
      const [first, second] = WITNESSES.map(lineOf);
      const round = async (signatures: ReturnType<typeof lineOf>[], outcome: string) => {
        const states = [{ name: 'w1', size: 7, outcome, detail: '' }];
        const { witnessed } = await store.run(cosignUnit, { size: 7, signatures, policy: POLICY, states });
        const [newest] = await store.read(NEWEST);
        return { witnessed, note: newest?.note ?? '' };
      };
      const one = await round([first as ReturnType<typeof lineOf>], 'cosigned');
      assert.deepEqual([one.witnessed, isWitnessed(one.note, POLICY)], [false, false]);
      const both = await round([first, second] as ReturnType<typeof lineOf>[], 'unreachable');
      assert.equal(both.witnessed, true);
      assert.equal(both.note.split('\n').filter((line) => line.startsWith('— w')).length, 2);
      const [state] = await store.read('SELECT name, size, outcome FROM witness_state');
      assert.deepEqual({ ...state }, { name: 'w1', size: 7, outcome: 'unreachable' });
      assert.deepEqual(await store.run(cosignUnit, { size: 9, signatures: [], policy: POLICY, states: [] }), {
        witnessed: false,
      });
    });
  });
}

test('a checkpoint that nobody cosigned is not witnessed, even where the policy asks for none', () => {
  assert.equal(isWitnessed(noteOf(1), parsePolicy(`${LINES}quorum none\n`)), false);
});
