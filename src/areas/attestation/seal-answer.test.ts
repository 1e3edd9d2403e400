import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import fc, { anyCharacter } from '#properties';
import { formatTlogProof } from '#protocol/tlog-proof.ts';
import examples from './examples.json' with { type: 'json' };
import { type MinimalSeal, type Seal, sealText } from './seal-answer.ts';

const SEAL = examples.attest_seal[0]?.output as z.output<typeof Seal>;
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
      const extra = Buffer.from(SEAL.entry, 'base64');
      const seal = {
        ...SEAL,
        claim: { statement },
        inclusion: { tree_size: 8, index: SEAL.seq, hashes: path },
        checkpoint,
        proof: formatTlogProof({ extra, index: SEAL.seq, path, checkpoint }),
      };
      const { promise: _, not_promised: _not, claim: _claim, ...others } = seal;
      const { entry: _entry, leaf_hash: _hash, inclusion: _path, checkpoint: _note, ...minimal } = others;
      for (const one of [seal, minimal]) assert.deepEqual(JSON.parse(sealText(one)), JSON.parse(JSON.stringify(one)));
    }),
  );
});

test('the dash of a signed note is escaped in both forms, so that the text has one byte a character', () => {
  for (const { output } of examples.attest_seal) {
    const seal = output as z.output<typeof Seal | typeof MinimalSeal>;
    assert.match(seal.proof, /\u2014/);
    const text = sealText(seal);
    assert.equal(Buffer.byteLength(text), text.length);
  }
});
