import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestPath } from './nearest-path.ts';

const KNOWN = ['/', '/log', '/log/heads', '/board', '/docs', '/docs/quickstart', '/system/status', '/pricing'];

test('a mistyped path leads to the one that is spelled most like it', () => {
  for (const [given, meant] of [
    ['/loggs', '/log'],
    ['/Board/', '/board'],
    ['/docs/quikstart', '/docs/quickstart'],
    ['/prices', '/pricing'],
    ['/system/statsu', '/system/status'],
  ] as const) {
    assert.equal(nearestPath(given, KNOWN), meant, given);
  }
});

test('a path that is like no other leads nowhere', () => {
  for (const given of ['/wp-admin/setup.php', '/zzzz', '/a/b/c/d/e'])
    assert.equal(nearestPath(given, KNOWN), undefined, given);
});
