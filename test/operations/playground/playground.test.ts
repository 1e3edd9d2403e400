import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PlaygroundSchema } from '#areas/playground/page.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectForms } from '../../support/documents.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('playground');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('each operation has a form of its own fields, with the request that they make', async () => {
  const service = await sharedService();
  const read = async (query = '') => statuses.saw(await service.call(`/playground${query}`));
  const { operations, chosen } = PlaygroundSchema.parse((await read()).json);
  const names = [
    'look',
    'claim',
    'release',
    'mark',
    'check',
    'spend_fuse',
    'brief_lint',
    'attest_seal',
    'attest_verify',
  ];
  assert.deepEqual(
    operations.map(({ operation }) => operation),
    names,
  );
  assert.equal(chosen.operation, 'look');
  for (const name of names) {
    const { chosen: shown, outcome } = PlaygroundSchema.parse((await read(`?operation=${name}`)).json);
    assert.ok(shown.fields.length > 0 && shown.fields.every(({ schema }) => typeof schema['description'] === 'string'));
    assert.equal(outcome, null);
  }
  const { request } = PlaygroundSchema.parse((await read("?operation=claim&key=it's&agent=a&ttl=60")).json);
  assert.deepEqual([request.method, request.body], ['POST', '{"key":"it\'s","agent":"a","ttl":60}']);
  assert.match(request.curl, /it'\\''s/);
  await expectForms(service, '/playground?operation=spend_fuse', /mcp\/paid/);
  expectProblem(await read('?operation=erase'), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/playground'));
});
