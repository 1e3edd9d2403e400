import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandOf, curlOf, shellWord, typescriptOf } from './call-code.ts';

const BASE = 'https://a.example';
const read = { operationId: 'look', method: 'get', path: '/v1/look/{id}' } as const;
const write = { operationId: 'seal', method: 'post', path: '/seal' } as const;

test('a read is a GET with its path and query filled in', () => {
  assert.equal(curlOf(read, { id: 'a/b', key: "it's #1" }, BASE), `curl -s '${BASE}/v1/look/a%2Fb?key=it%27s+%231'`);
});

test('a write is a POST with JSON, and a quote does not end it', () => {
  assert.equal(
    curlOf(write, { text: "it's" }, BASE),
    `curl -s ${BASE}/seal \\\n  -H 'content-type: application/json' \\\n  -d '{"text":"it'\\''s"}'`,
  );
});

test('an operation that takes both is sent as POST', () => {
  assert.match(curlOf({ ...read, path: '/v1/claim', alsoPost: true }, { key: 'k' }, BASE), /-d '\{"key":"k"\}'$/);
});

test('the client and the command get the same values, quoted for each', () => {
  const input = { name: "O'Hara", claim: { statement: 'done' }, cents: 5 };
  assert.match(
    typescriptOf(write, input, BASE),
    /client\.seal\(\{ name: 'O\\'Hara', claim: \{ statement: 'done' \}, cents: 5 \}\)/,
  );
  assert.match(
    commandOf(write, input, BASE),
    /--name 'O'\\''Hara' \\\n {2}--claim '\{"statement":"done"\}' \\\n {2}--cents 5 \\/,
  );
});

test('a plain word needs no quotes', () => {
  assert.deepEqual(['demo/1', 'two words', '$HOME'].map(shellWord), ['demo/1', "'two words'", "'$HOME'"]);
});
