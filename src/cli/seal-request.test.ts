import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sealRequestOf } from './seal-request.ts';

const PLAIN = { schemaId: undefined, isPublic: false };
const bytes = (text: string) => Buffer.from(text);

test('a request is sent as it is spelt', () => {
  const text = '{ "schema_id":"vat.vies.v1", "claim":{"n":9007199254740993} }\n';
  const request = sealRequestOf(bytes(text), PLAIN);
  assert.deepEqual([request?.what, request?.body], ['request', text.trimEnd()]);
  const shown = sealRequestOf(bytes(text), { ...PLAIN, isPublic: true });
  assert.match(shown?.body ?? '', /9007199254740993\} ,"disclosure":"public"\}$/);
  assert.equal((JSON.parse(shown?.body ?? '') as { disclosure: string }).disclosure, 'public');
});

test('a claim with a statement is a record, and one under a named schema is what it says', () => {
  const text = '{"statement":"x"}';
  const record = sealRequestOf(bytes(text), PLAIN);
  assert.deepEqual([record?.what, record?.body], ['claim', `{"schema_id":"record.integrity.v1","claim":${text}}`]);
  const named = sealRequestOf(bytes('{"kvk_number":"1"}'), { schemaId: 'kvk.liveness.v1', isPublic: true });
  assert.equal(named?.body, '{"schema_id":"kvk.liveness.v1","claim":{"kvk_number":"1"},"disclosure":"public"}');
});

test('of any other file only the digest is sent', () => {
  for (const content of ['', 'text', '[1]', '{"a":1}', '5', '{"schema_id":5,"claim":{}}', '\u0000\u00ff']) {
    const digest = createHash('sha256').update(content).digest('hex');
    const request = sealRequestOf(bytes(content), PLAIN);
    assert.deepEqual(request?.claim, { statement: `sha256 ${digest}`, evidence_digests: [digest] });
    assert.equal(request?.what, 'digest');
    assert.deepEqual(JSON.parse(request?.body ?? ''), { schema_id: 'record.integrity.v1', claim: request?.claim });
  }
});

test('a file that is no claim is not sealed under a named schema', () => {
  for (const content of ['text', '[1]', '']) {
    assert.equal(sealRequestOf(bytes(content), { schemaId: 'kvk.liveness.v1', isPublic: false }), undefined);
  }
});
