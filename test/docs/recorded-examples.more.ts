// The examples that are published are what the service answers today.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { text } from 'node:stream/consumers';
import { ROOT } from '../support/child-service.ts';

test('recorded again, the examples come out as they are published', async () => {
  const child = spawn(process.execPath, ['test/docs/record-examples.ts', '--check'], { cwd: ROOT });
  const [printed, faults] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.match(printed, / 0 members differ\n$/, `${printed}${faults}\nnpm run examples records them anew`);
});
