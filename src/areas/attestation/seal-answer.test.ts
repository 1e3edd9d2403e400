import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc, { anyCharacter } from '#properties';
import { formatTlogProof } from '#protocol/tlog-proof.ts';
import { SEAL } from './examples.ts';
import { sealText } from './seal-answer.ts';

const HASH = Buffer.alloc(32, 7).toString('base64');
const NOTE = 'attest.example/astralock\n8\nroot\n\n\u2014 attest.example/astralock c2ln\n';

test('the text of a seal is its JSON, whatever stands in claim and checkpoint', () => {
  const parts = fc.record({
    statement: fc.string({ unit: anyCharacter }),
    origin: fc.string({ unit: anyCharacter }),
    hashes: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(parts, ({ statement, origin, hashes }) => {
      const path = Array.from({ length: hashes }, () => HASH);
      const checkpoint = origin + NOTE;
      const extra = Buffer.from(SEAL.output.entry, 'base64');
      const seal = {
        ...SEAL.output,
        claim: { statement },
        inclusion: { tree_size: 8, index: SEAL.output.seq, hashes: path },
        checkpoint,
        proof: formatTlogProof({ extra, index: SEAL.output.seq, path, checkpoint }),
      };
      assert.deepEqual(JSON.parse(sealText(seal)), JSON.parse(JSON.stringify(seal)));
    }),
  );
});

test('the dash of a signed note is escaped, so that the text has one byte a character', () => {
  const text = sealText({ ...SEAL.output, checkpoint: NOTE });
  assert.equal(Buffer.byteLength(text), text.length);
});
