import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireServable } from './recovery-mark.ts';
import { readingOf } from './store.ts';

const marked = (...names: string[]) => ({
  read: readingOf(async () => names.map((name) => ({ name, at: 1, detail: 'there' }))),
});

test('a store that was moved, or into which a move was not finished, is not served', async () => {
  await requireServable(marked());
  await requireServable(marked('backup', 'restored'));
  await assert.rejects(requireServable(marked('backup', 'moved')), /was moved to there: set DATABASE_URL or DATA_DIR/);
  await assert.rejects(requireServable(marked('arriving')), /was not finished: empty it and run/);
});
