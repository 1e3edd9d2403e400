// Large documents that anybody may keep come compressed where a caller takes that; nothing else does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assetPath } from '#web/assets.ts';
import { OPERATIONS } from '../../../src/areas.ts';
import { BROWSER } from '../../support/documents.ts';
import { sharedService } from '../../support/shared-service.ts';

const CODINGS = ['gzip', 'br'] as const;
const DOCUMENTS = [
  '/openapi.json',
  '/llms-full.txt',
  '/llms.txt',
  '/mcp/tools.json',
  '/api/attest/schemas',
  '/docs/coordination',
];
const FORMS = ['application/json', BROWSER, 'text/markdown'];
/** Documents that have one form only are the largest. */
const ONE_FORM = new Set(['/openapi.json', '/llms-full.txt', '/mcp/tools.json']);

interface Got {
  readonly status: number;
  readonly coding: string | null;
  readonly etag: string | null;
  readonly vary: string | null;
  readonly length: number;
  readonly text: string;
}

/** Reads as browsers do: the text is that before compression, the length that of what was sent. */
async function read(url: string, headers: Record<string, string>, method = 'GET'): Promise<Got> {
  const answer = await fetch(url, { method, headers });
  const { status } = answer;
  return {
    status,
    coding: answer.headers.get('content-encoding'),
    etag: answer.headers.get('etag'),
    vary: answer.headers.get('vary'),
    length: Number(answer.headers.get('content-length')),
    text: await answer.text(),
  };
}

for (const path of [...DOCUMENTS, assetPath('site.css')]) {
  test(`${path.replace(/-[0-9a-f]{12}/, '')} comes in every coding with the same text, a tag of its own and fewer bytes`, async () => {
    const url = `${(await sharedService()).url}${path}`;
    for (const accept of ONE_FORM.has(path) ? ['*/*'] : FORMS) {
      const plain = await read(url, { accept, 'accept-encoding': 'identity' });
      assert.deepEqual([plain.status, plain.coding], [200, null]);
      const tags = new Set([plain.etag]);
      for (const coding of CODINGS) {
        const coded = await read(url, { accept, 'accept-encoding': coding });
        assert.deepEqual([coded.status, coded.coding, coded.vary], [200, coding, plain.vary], accept);
        assert.ok(coded.text === plain.text, `${accept} in ${coding} is another text`);
        assert.ok(coded.length < plain.length, `${coded.length} bytes instead of ${plain.length}`);
        tags.add(coded.etag);
        const head = await read(url, { accept, 'accept-encoding': coding }, 'HEAD');
        assert.deepEqual(head, { ...coded, text: '' }, 'HEAD is GET without its body');
        const again = await read(url, { accept, 'accept-encoding': coding, 'if-none-match': String(coded.etag) });
        assert.deepEqual([again.status, again.etag, again.vary, again.text], [304, coded.etag, plain.vary, '']);
        const other = await read(url, { accept, 'accept-encoding': 'identity', 'if-none-match': String(coded.etag) });
        assert.deepEqual([other.status, other.etag], [200, plain.etag], 'the tag of one coding is not that of another');
      }
      assert.equal(tags.size, 1 + CODINGS.length, 'one strong tag for each representation');
      assert.ok(String(plain.vary).includes('Accept-Encoding'));
    }
  });
}

test('the interface document has a seventh of its bytes on the wire, or fewer', async () => {
  const url = `${(await sharedService()).url}/openapi.json`;
  const plain = await read(url, { 'accept-encoding': 'identity' });
  for (const coding of CODINGS) {
    const { length } = await read(url, { 'accept-encoding': coding });
    assert.ok(length < plain.length / 7, `${coding}: ${length} of ${plain.length}`);
  }
});

test('many that ask at once for a document nobody has asked for get the same bytes', async () => {
  const url = `${(await sharedService()).url}/docs/receipts`;
  const headers = { 'accept-encoding': 'br' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => read(url, headers)));
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.equal(answers[0]?.coding, 'br');
});

test('markdown counts the tokens of its text, compressed or not', async () => {
  const url = `${(await sharedService()).url}/llms-full.txt`;
  const asked = { accept: 'text/markdown', 'accept-encoding': 'gzip' };
  const answer = await fetch(url, { headers: asked });
  const text = await answer.text();
  assert.equal(answer.headers.get('content-encoding'), 'gzip');
  assert.equal(answer.headers.get('x-markdown-tokens'), String(Math.ceil(Buffer.byteLength(text) / 4)));
});

test('an answer that is made for one caller is never compressed, nor a refusal, nor a page of an owner', async () => {
  const { url } = await sharedService();
  const headers = { 'accept-encoding': 'br, gzip' };
  const rows = OPERATIONS.filter(({ cache, streams }) => cache === 'no-store' && streams === undefined);
  let seen = 0;
  for (const { path, method, operationId } of rows) {
    const asked = path.replaceAll(/\{\w+\}/g, 'x');
    for (const accept of FORMS) {
      const options = { method: method.toUpperCase(), headers: { ...headers, accept }, redirect: 'manual' } as const;
      const answer = await fetch(url + asked, options);
      await answer.text();
      // The protocol of briefs stands where briefs are written, for whoever sends none.
      if (answer.headers.get('cache-control') !== 'no-store') continue;
      seen += 1;
      assert.equal(answer.headers.get('content-encoding'), null, operationId);
      assert.doesNotMatch(String(answer.headers.get('vary')), /Encoding/, operationId);
    }
  }
  assert.ok(seen > rows.length * 2, `${seen} answers of ${rows.length} rows`);
  const looked = await fetch(`${url}/v1/look?key=${'k'.repeat(200)}`, { headers });
  assert.deepEqual([looked.status, looked.headers.get('content-encoding')], [200, null]);
});
