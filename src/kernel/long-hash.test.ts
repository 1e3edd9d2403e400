import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Hex } from './ids.ts';
import { sha256HexInTurns } from './long-hash.ts';

test('a text and bytes are hashed alike in one turn and in many, whatever letters lie between two of them', async () => {
  for (const text of ['', 'a', 'é€😀', 'é€😀'.repeat(400_000), 'a'.repeat(1_048_576), `${'a'.repeat(1_048_575)}😀`])
    assert.equal(await sha256HexInTurns(text), sha256Hex(text), text.slice(0, 4));
  const bytes = Buffer.alloc(2_500_000, 'abc');
  assert.equal(await sha256HexInTurns(bytes), sha256Hex(String(bytes)));
});
