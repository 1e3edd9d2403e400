import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LogHeads } from '#areas/attestation/explorer/explorer-answers.ts';
import { verifyConsistency } from '../../../verify/avouch-verify.mjs';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { sealRecord, treeHead } from '../../support/log.ts';
import { BROWSER, expectForms } from '../../support/documents.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedLogOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('log_heads');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('any two signed heads come with the proof between them, by default the newest two', async () => {
  const service = await sharedLogOn('sqlite');
  const read = async (query = '') => statuses.saw(await service.call(`/log/heads${query}`));
  const { tree_size: first } = await treeHead(service);
  for (let n = 0; n < 5; n += 1) await sealRecord(service, `s${n}`);
  const newest = first + 5;
  for (const [query, sizes] of [
    ['', [newest - 1, newest]],
    [`?older=${first}`, [first, newest]],
    [`?older=${newest}&newer=${first + 1}`, [first + 1, newest]],
    [`?older=${newest}`, [newest, newest]],
  ] as const) {
    const { older, newer, hashes, vkeys } = LogHeads.parse((await read(query)).json);
    assert.deepEqual([older.tree_size, newer.tree_size], sizes, query);
    const pair = { older: older.checkpoint, newer: newer.checkpoint, hashes };
    assert.equal((await verifyConsistency(pair, vkeys)).valid, true, query);
  }
  await expectForms(service, '/log/heads', new RegExp(`${newest}`));
  expectProblem(await read('?newer=999999'), 404, 'no_checkpoint');
  const page = async (query: string) => {
    const { status, text } = await service.call(`/log/heads${query}`, { headers: { accept: BROWSER } });
    return { status, text };
  };
  const beyond = await page(`?older=${first}&newer=999999`);
  assert.equal(beyond.status, 404);
  assert.match(
    beyond.text,
    new RegExp(`not signed at size 999999.*older=${first}&amp;newer=${newest}">${newest}<`, 's'),
  );
  const swapped = /The two were swapped/;
  assert.match((await page(`?older=${newest}&newer=${first}`)).text, swapped);
  assert.doesNotMatch((await page(`?older=${first}&newer=${newest}`)).text, swapped);
  expectProblem(await read('?older=0'), 400, 'invalid_parameters');
  expectProblem(await read('?first=1'), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/log/heads?first=1'));
});
