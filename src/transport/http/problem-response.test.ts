import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { Refusal } from '#kernel/problem.ts';
import * as problems from '#kernel/general-problems.ts';
import { problemDocument, problemText } from './problem-response.ts';

const BASE = 'https://example.test';

function texts(members: Record<string, unknown>, detail: string, retryAfterSeconds?: number): [string, string] {
  const details = {
    detail,
    members,
    membersRecur: true,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
  const refusal = new Refusal(problems.slowDown, details);
  return [problemText(refusal, BASE, '/x'), JSON.stringify(problemDocument(refusal, BASE, '/x'))];
}

test('members that recur give the text that JSON.stringify gives, whatever they are called and however often they come', () => {
  const name = fc.oneof(
    fc.constantFrom(
      'type',
      'title',
      'status',
      'detail',
      'instance',
      'code',
      'errors',
      'retry_after_s',
      '0',
      '7',
      'toJSON',
    ),
    fc.string(),
  );
  const members = fc.dictionary(name, fc.jsonValue());
  fc.assert(
    fc.property(members, fc.string(), fc.option(fc.nat()), (given, detail, seconds) => {
      for (const said of [detail, detail, `${detail} again`]) {
        const [text, expected] = texts(given, said, seconds ?? undefined);
        assert.equal(text, expected);
      }
    }),
  );
});

test('members that recur are not read again', () => {
  let reads = 0;
  const members = {
    get price() {
      reads += 1;
      return 5;
    },
  };
  const refusal = new Refusal(problems.slowDown, { detail: 'x', members, membersRecur: true });
  const first = problemText(refusal, BASE, '/x');
  const before = reads;
  assert.equal(problemText(refusal, BASE, '/x'), first);
  assert.equal(reads, before);
});
