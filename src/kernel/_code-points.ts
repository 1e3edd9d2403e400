import assert from 'node:assert/strict';

const BLOCK = 4_096;
const PLANE = 0x10000;

/** Cleans every code point of some planes: nothing unseen is left, and cleaning again changes nothing. */
export function assertCleansPlanes(clean: (text: string) => string, planes: readonly number[]): void {
  for (const plane of planes) {
    for (let first = plane * PLANE; first < (plane + 1) * PLANE; first += BLOCK) {
      const block = Array.from({ length: BLOCK }, (_, i) => String.fromCodePoint(first + i));
      const cleaned = clean(block.join('x'));
      assert.equal(clean(cleaned), cleaned, `U+${first.toString(16)}`);
      assert.doesNotMatch(cleaned, /\p{Cc}|\p{Cs}|\p{Default_Ignorable_Code_Point}/u);
    }
  }
}
