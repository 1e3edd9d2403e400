import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PlaygroundSchema } from '#areas/playground/answer.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectForms } from '../../support/documents.ts';
import { toolCallIn } from '../../support/mcp.ts';
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
    'eu_vat_check',
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
  assert.deepEqual([request.method, request.body], ['POST', '{"mode":"exclusive","key":"it\'s","agent":"a","ttl":60}']);
  assert.match(request.curl, /it'\\''s/);
  for (const operation of ['check', 'spend_fuse']) {
    const { values } = PlaygroundSchema.parse((await read(`?operation=${operation}`)).json);
    const query = new URLSearchParams(values);
    assert.equal((await service.call(`/v1/check?${query}`)).json['verdict'], 'GO', 'the example passes every check');
    const page = await service.call(`/playground?operation=${operation}`, { headers: { accept: 'text/html' } });
    const [, stop = ''] = /href="([^"]+)">Load an example that ends in STOP/.exec(page.text) ?? [];
    const { values: stopped } = PlaygroundSchema.parse((await service.call(stop.replaceAll('&amp;', '&'))).json);
    assert.equal((await service.call(`/v1/check?${new URLSearchParams(stopped)}`)).json['verdict'], 'STOP');
  }
  const { values: looked } = PlaygroundSchema.parse((await read()).json);
  assert.deepEqual(Object.keys(looked), ['key'], 'optional fields begin empty');
  await expectForms(service, '/playground?operation=spend_fuse', /mcp\/paid/);
  expectProblem(await read('?operation=erase'), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/playground'));
});

test('the request names the MCP tool that makes it, whatever is typed, and none where no tool does', async () => {
  const service = await sharedService();
  const callOf = async (query: string) => {
    const { json } = await service.call(`/playground?${query}`);
    return toolCallIn(PlaygroundSchema.parse(json).request.mcp ?? '');
  };
  const claim = await callOf('operation=claim&key=k&agent=scout-1&ttl=60');
  assert.deepEqual(claim, {
    path: '/mcp/coordination',
    name: 'avouch_claim',
    arguments: { key: 'k', mode: 'exclusive', ttl: 60 },
  });
  const statement = encodeURIComponent('{"statement":"done"}');
  const seal = await callOf(`operation=attest_seal&schema_id=record.integrity.v1&claim=${statement}`);
  assert.deepEqual([seal?.name, seal?.arguments], ['avouch_seal', { statement: 'done' }]);
  const begun = await callOf('operation=attest_seal&schema_id=record.integrity.v1&claim=%7B');
  assert.deepEqual([begun?.name, begun?.arguments], ['avouch_seal', {}]);
  assert.equal(await callOf(`operation=attest_seal&schema_id=vat.vies.v1&claim=${statement}`), undefined);
  assert.equal(await callOf('operation=mark&key=k'), undefined);
});
