import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { flipBit } from '../_wrong-types.ts';
import { formatTlogProof, parseTlogProof } from '../tlog-proof.ts';
import { CLAIM, entryBytes, isRefused, seedText, whole } from './_bundles.ts';
import { SEED } from './_sealed.ts';
import type { BundleTexts } from './bundle.ts';
import { parseClaimBody } from './claim-input.ts';
import { disclose } from './disclosure.ts';
import type { Claim } from './schema-document.ts';

/** Tests in which every `step`-th bit of the parts of a bundle is changed, one at a time. */
export function testChangedBits(step: number): void {
  suite('one bit changed', () => {
    test('in the proof file, with the entry given or in the file, is refused', () => {
      const file = Buffer.from(whole.proof);
      const { entry, attestation_id } = whole;
      for (let bit = 0; bit < file.length * 8; bit += step) {
        const proof = Buffer.from(flipBit(file, bit)).toString('utf8');
        assert.ok(isRefused({ entry, attestation_id, proof }), `bit ${bit}: ${proof}`);
        assert.ok(isRefused({ proof }), `bit ${bit} without the entry: ${proof}`);
      }
    });

    test('in the entry is refused', () => {
      const { extra: _, ...parts } = parseTlogProof(whole.proof);
      for (let bit = 0; bit < entryBytes.length * 8; bit += step) {
        const flipped = flipBit(entryBytes, bit);
        const entry = Buffer.from(flipped).toString('base64');
        assert.ok(isRefused({ proof: whole.proof, entry }), `bit ${bit}`);
        assert.ok(isRefused({ entry, proof: formatTlogProof({ ...parts, extra: flipped }) }), `bit ${bit}, both`);
      }
    });

    test('in the seed or in its text is refused', () => {
      for (let bit = 0; bit < SEED.length * 8; bit += step) {
        assert.ok(isRefused({ ...whole, seed: Buffer.from(flipBit(SEED, bit)).toString('base64') }), `bit ${bit}`);
      }
      const text = Buffer.from(seedText);
      for (let bit = 0; bit < text.length * 8; bit += step) {
        assert.ok(isRefused({ ...whole, seed: Buffer.from(flipBit(text, bit)).toString('latin1') }), `text bit ${bit}`);
      }
    });

    test('in the claim is refused, wherever it is still a claim', () => {
      const text = Buffer.from(canonicalJson(CLAIM));
      let claims = 0;
      for (let bit = 0; bit < text.length * 8; bit += step) {
        const parsed = parseClaimBody(flipBit(text, bit));
        if (!parsed.ok || parsed.faults.length > 0) continue;
        claims += 1;
        assert.ok(isRefused({ ...whole, claim: parsed.value as Claim }), String(flipBit(text, bit)));
      }
      assert.ok(claims > 200 / step);
    });

    test('in the shown value, salt or commitments is refused', () => {
      const shown = Buffer.from(canonicalJson(disclose(CLAIM, SEED, ['statement'])));
      for (let bit = 0; bit < shown.length * 8; bit += step) {
        const parsed = parseClaimBody(flipBit(shown, bit));
        if (!parsed.ok || parsed.faults.length > 0) continue;
        const { disclosed, commitments } = parsed.value as Partial<BundleTexts>;
        // A member of another name is what the input schema refuses.
        if (disclosed === undefined || commitments === undefined) continue;
        assert.ok(isRefused({ proof: whole.proof, disclosed, commitments }), String(flipBit(shown, bit)));
      }
    });
  });
}
