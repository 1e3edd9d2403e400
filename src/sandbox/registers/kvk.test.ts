import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KVK } from './kvk.ts';

test('the simulated commercial register shows ten results, or a page of as many as are asked for', () => {
  const search = (query: string) => {
    const request = { method: 'GET', path: '/v2/zoeken', header: () => 'key', body: '', nowMs: 0, isMismatched: false };
    const { body } = KVK.answer({ ...request, query: new URLSearchParams(`naam=e${query}`) });
    const { totaal, resultaten } = JSON.parse(String(body));
    return [totaal, resultaten.length];
  };
  assert.deepEqual(search(''), [11, 10]);
  assert.deepEqual(search('&resultatenPerPagina=100'), [11, 11]);
  assert.deepEqual(search('&resultatenPerPagina=4&pagina=3'), [11, 3]);
});
