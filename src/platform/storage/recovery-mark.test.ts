import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MarkName, requireServable } from './recovery-mark.ts';

const marked = (...names: readonly MarkName[]) => names.map((name) => ({ name, atMs: 1, detail: 'there' }));

test('a store that was moved, or into which a move was not finished, is not served', () => {
  requireServable(marked());
  requireServable(marked('backup', 'restored'));
  assert.throws(() => requireServable(marked('backup', 'moved')), /was moved to there: set DATABASE_URL or DATA_DIR/);
  assert.throws(() => requireServable(marked('arriving')), /was not finished: empty it and run/);
});
