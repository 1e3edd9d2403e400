import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { extraFolder } from '#platform/config/extras.ts';
import { ledger } from '#platform/ledger/steps.ts';
import { executeCapability } from '#areas/capabilities/operations.ts';
import { type Buyer, buyer } from '../../support/capabilities.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { lockDatabase, TestService } from '../../support/service.ts';
import { pictureOf } from '../../support/small-files.ts';
import { expectLimited, keyRefusals } from '../../support/refusals.ts';
import { limitedService, sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('execute_capability');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const DRAFT = { input: { template: 'Dear {{name}}', fields: { name: 'Kim' } } };
const PATH = '/capabilities/execute';

function watched(agent: Buyer): Buyer['execute'] {
  return async (...given) => statuses.saw(await agent.execute(...given));
}

suite('an execution', () => {
  test('is charged once, answered alike under its key, and shown with its price', async () => {
    const service = await sharedService();
    const agent = await buyer(service, 25_000);
    const execute = watched(agent);
    const first = await execute('text.draft', DRAFT, { 'idempotency-key': 'k1' });
    assert.equal(first.status, 200, first.text);
    const answer = executeCapability.output.parse(first.json);
    assert.deepEqual(answer.output, { text: 'Dear Kim', unfilled: [] });
    assert.deepEqual([answer.mode, answer.price.charged_eur, answer.balance_eur], ['embedded', '0.01', '0.015']);
    const check = await service.call('/v1/receipts/verify', { method: 'POST', body: { answer: first.json } });
    assert.equal(check.json['valid'], true, check.text);
    const again = await execute('text.draft', DRAFT, { 'idempotency-key': 'k1' });
    assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true']);
    const other = { input: { template: 'Bye' } };
    expectProblem(await execute('text.draft', other, { 'idempotency-key': 'k1' }), 409, 'idempotency_conflict');
    assert.deepEqual(await agent.balance(), ['0.015', '0.00']);
    await execute('text.draft', DRAFT);
    const poor = expectProblem(await execute('text.draft', DRAFT), 402, 'insufficient_funds');
    assert.deepEqual([poor['needed_eur'], poor['available_eur']], ['0.01', '0.005']);
    await service.service.store.runAll([ledger.freeze({ agentId: agent.id, frozen: true })]);
    expectProblem(await execute('text.draft', DRAFT), 403, 'wallet_frozen');
  });

  test('of a list is charged once, and one bad element does not fail the others', async () => {
    const service = await sharedService();
    const agent = await buyer(service);
    const execute = watched(agent);
    const inputs = [DRAFT.input, { template: 7 }, ...Array.from({ length: 98 }, () => DRAFT.input)];
    const { json } = await execute('text.draft', { inputs });
    const outputs = json['outputs'] as { error?: { code: string; detail: string } }[];
    assert.equal(outputs.length, 100);
    assert.equal(outputs[1]?.error?.code, 'invalid_parameters');
    assert.match(outputs[1]?.error?.detail ?? '', /^#\/inputs\/1\/template: /);
    assert.deepEqual(outputs[99], { text: 'Dear Kim', unfilled: [] });
    assert.deepEqual(await agent.balance(), ['9.99', '0.00']);
    const none = expectProblem(
      await execute('text.draft', { inputs: [{}, { template: 7 }] }),
      400,
      'invalid_parameters',
    );
    assert.deepEqual(
      (none['errors'] as { pointer: string }[]).map(({ pointer }) => pointer),
      ['#/inputs/0', '#/inputs/1/template'],
    );
    assert.deepEqual(await agent.balance(), ['9.99', '0.00']);
  });
});

test('bad input is refused with every field named, and nothing is charged', async () => {
  const service = await sharedService();
  const agent = await buyer(service);
  const execute = watched(agent);
  const pointers = async (capability: string, body: Record<string, unknown>) => {
    const { errors } = expectProblem(await execute(capability, body), 400, 'invalid_parameters');
    return (errors as { pointer: string; code: string }[]).map(({ pointer, code }) => `${pointer} ${code}`);
  };
  assert.deepEqual(await pointers('text.redact', { input: { kinds: ['x'], more: 1 } }), [
    '#/input/text missing',
    '#/input/kinds/0 not_allowed',
    '#/input/more unknown_parameter',
  ]);
  assert.deepEqual(await pointers('text.draft', {}), ['#/input input_or_inputs']);
  assert.deepEqual(await pointers('text.draft', { ...DRAFT, inputs: [{}] }), ['#/input input_or_inputs']);
  assert.deepEqual(await pointers('text.draft', { ...DRAFT, options: { max_charge_eur: '0.009' } }), [
    '#/options/max_charge_eur below_worst_case',
  ]);
  assert.deepEqual(await pointers('text.language', { input: { text: 'x' }, options: { mode: 'provider' } }), [
    '#/options/mode not_allowed',
  ]);
  assert.deepEqual(
    await pointers('text.translate', { input: { text: 'x', to: 'nl' }, options: { mode: 'embedded' } }),
    ['#/options/mode not_allowed'],
  );
  assert.deepEqual(await pointers('text.draft', { ...DRAFT, options: { model: 'other' } }), [
    '#/options/model not_allowed',
  ]);
  assert.deepEqual(await pointers('text.draft', { input: { template: '\ud800' } }), ['#/input not_json_text']);
  assert.deepEqual(await pointers('doc.pdf_text', { input: { url: 'https://127.0.0.1/x.pdf' } }), [
    '#/input/url url_blocked',
  ]);
  expectProblem(await execute('text.sing', DRAFT), 404, 'capability_unknown');
  assert.deepEqual(await agent.balance(), ['10.00', '0.00']);
});

test('a model without a price or without a provider is refused, not guessed', async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'providers.json');
  const row = { name: 'acme', kind: 'openai_compatible', base_url: 'http://127.0.0.1:1/v1', models: ['new-1'] };
  writeFileSync(file, JSON.stringify([row]));
  await using service = await TestService.start({ env: { AVOUCH_CAPABILITY_PROVIDERS: file } });
  const agent = await buyer(service);
  const execute = watched(agent);
  const translate = { input: { text: 'Dag', to: 'en' }, options: { max_charge_eur: '5.00' } };
  expectProblem(await execute('text.translate', translate), 503, 'price_unknown');
  const embed = { input: { texts: ['x'] }, options: { mode: 'provider' } };
  const { detail } = expectProblem(await execute('text.embed', embed), 424, 'provider_required');
  assert.match(String(detail), /AVOUCH_CAPABILITY_PROVIDERS/);
  assert.deepEqual(await agent.balance(), ['10.00', '0.00']);
});

test('an image is read where the extra ocr is installed; elsewhere its command is named and nothing is charged', async () => {
  const service = await sharedService();
  const agent = await buyer(service);
  const answer = await watched(agent)('doc.ocr', { input: { image_base64: pictureOf('TOTAL').toString('base64') } });
  if (extraFolder('ocr') !== null) {
    assert.deepEqual([answer.status, answer.json['mode']], [200, 'embedded'], answer.text);
    return;
  }
  const { detail } = expectProblem(answer, 503, 'not_installed');
  assert.match(String(detail), /\.\/avouch extras install ocr\b/);
  assert.deepEqual(await agent.balance(), ['10.00', '0.00']);
});

test('a call is refused without a key, beyond its limits and while nothing can be stored', async () => {
  const { service, models } = await limitedService();
  const agent = await buyer(service);
  const execute = watched(agent);
  const raw = async (body: string, type = 'application/json') => {
    const headers = { 'content-type': type, 'x-agent-key': agent.key };
    return statuses.saw(await service.call(PATH, { method: 'POST', body, headers }));
  };
  const body = { capability: 'text.draft', ...DRAFT };
  await keyRefusals(statuses, (headers) => service.call(PATH, { method: 'POST', body, headers }));
  expectProblem(await raw('{'), 400, 'malformed_json');
  expectProblem(await raw('x', 'text/plain'), 415, 'unsupported_media_type');
  expectProblem(await raw(`{"capability":"${'x'.repeat(16 * 1024 * 1024)}"}`), 413, 'body_too_large');
  {
    using _lock = lockDatabase(service.dataDir);
    expectProblem(await execute('text.draft', DRAFT), 503, 'storage_unavailable');
  }
  models.fault = '500';
  const translate = { input: { text: 'Dag', to: 'en' } };
  expectProblem(await execute('text.translate', translate), 502, 'provider_failed');
  models.fault = null;
  await expectLimited(statuses, () => execute('text.sing', {}));
});
