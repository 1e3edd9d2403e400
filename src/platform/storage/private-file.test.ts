import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPrivate } from './private-file.ts';

const OWN_GROUP = 10_001;
const OTHER_GROUP = 10_002;

test('a secret is private without rights for others, or if root shares it with a group of the process', () => {
  const cases = [
    [0o600, 1_000, OTHER_GROUP, true],
    [0o400, 0, OWN_GROUP, true],
    [0o440, 0, OWN_GROUP, true],
    [0o640, 0, OWN_GROUP, true],
    [0o440, 0, OTHER_GROUP, false],
    [0o440, 1_000, OWN_GROUP, false],
    [0o460, 0, OWN_GROUP, false],
    [0o444, 0, OWN_GROUP, false],
  ] as const;
  for (const [mode, uid, gid, expected] of cases)
    assert.equal(isPrivate({ mode, uid, gid }, [OWN_GROUP]), expected, `${mode.toString(8)} ${uid} ${gid}`);
});
