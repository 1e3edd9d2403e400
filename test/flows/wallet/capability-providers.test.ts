import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { ModelError } from '#sandbox/model-provider/simulator.ts';
import { startTlsServer } from '#platform/outbound/_loopback.ts';
import { executeCapability } from '#areas/capabilities/operations.ts';
import { capabilityById } from '#areas/capabilities/table.ts';
import { type Body, type Buyer, buyer, withProvider } from '../../support/capabilities.ts';
import { expectProblem } from '../../support/client.ts';
import { startNameServer } from '../../support/name-server.ts';
import { TestService } from '../../support/service.ts';
import { pictureOf } from '../../support/small-files.ts';

const PROVIDER = { mode: 'provider' };
const DOCS = [{ id: 'offer', text: 'The warranty ends after two years. Delivery takes a week.' }];

/** What each capability is asked in provider mode, and what its output must show. */
const ASKED: Readonly<Record<string, readonly [input: Body, shown: (output: Body) => boolean]>> = {
  'text.redact': [
    { text: 'Kim Jansen pays NL91ABNA0417164300' },
    ({ text, not_covered }) => text === '[NAME] pays [IBAN]' && (not_covered as unknown[]).length === 0,
  ],
  'text.summarise': [{ text: 'The pump failed.' }, ({ summary }) => /^\[fictional .*\] The pump/.test(String(summary))],
  'text.classify': [{ text: 'x', labels: ['first', 'second'] }, ({ label }) => label === 'first'],
  'text.extract': [
    { text: 'Order 7', schema: { type: 'object', properties: { total: { type: 'number' }, gone: { type: 'null' } } } },
    ({ data, missing }) => JSON.stringify([data, missing]) === '[{"total":1,"gone":null},["gone"]]',
  ],
  'text.answer': [
    { question: 'When does the warranty end?', docs: DOCS },
    ({ citations }) => (citations as { quote: string }[])[0]?.quote === DOCS[0]?.text.slice(0, 60),
  ],
  'text.translate': [{ text: 'Dag', to: 'en' }, ({ text, from }) => /Dag$/.test(String(text)) && from === 'nl'],
  'text.draft': [{ brief: 'A short letter' }, ({ text }) => /A short letter/.test(String(text))],
  'text.embed': [{ texts: ['a', 'b'] }, ({ model, dims }) => model === 'fictional-1' && dims === 8],
  'doc.ocr': [
    { image_base64: pictureOf('A').toString('base64') },
    ({ text, confidence }) => /^\[fictional/.test(String(text)) && confidence === null,
  ],
};

suite('a provider of models', () => {
  let bench: Awaited<ReturnType<typeof withProvider>>;
  let agent: Buyer;
  before(async () => {
    bench = await withProvider();
    agent = await buyer(bench.service);
  });
  after(() => bench[Symbol.asyncDispose]());

  for (const [capability, [input, isShown]] of Object.entries(ASKED)) {
    test(`does ${capability}, and its cost is the price of its usage`, async () => {
      const { status, json, text } = await agent.execute(capability, { input, options: PROVIDER });
      assert.equal(status, 200, text);
      const answer = executeCapability.output.parse(json);
      capabilityById(capability)?.output.parse(answer.output);
      assert.ok(isShown(answer.output ?? {}), text);
      assert.deepEqual(answer.provider, { name: 'sandbox-provider', model: 'fictional-1' });
      const { input_tokens: all, cached_tokens: cached, output_tokens: output } = answer.usage;
      const microUsd = ((all - cached) * 2_500_000 + cached * 250_000 + output * 20_000_000) / 1e6;
      assert.equal(
        Math.ceil(Number((microUsd * 0.925).toFixed(6))),
        Math.round(Number(answer.price.provider_cost_eur) * 1e6),
      );
    });
  }

  test('is not taken by itself where the embedded mode does the same', async () => {
    const { json } = await agent.execute('text.summarise', { input: { text: 'One. Two.' } });
    assert.equal(json['mode'], 'embedded');
    const named = await agent.execute('text.summarise', { input: { text: 'One.' }, options: { model: 'fictional-1' } });
    assert.equal(named.json['mode'], 'provider');
  });

  test('is paid its cost plus 15 percent where that is more than the minimum, and the rest of the hold is free', async () => {
    const before_ = Number((await agent.balance())[0]);
    const texts = Array.from({ length: 20 }, () => 'word '.repeat(1_500));
    const { json } = await agent.execute('text.embed', { input: { texts }, options: PROVIDER });
    const { price } = executeCapability.output.parse(json);
    const cost = Math.ceil(20 * 1_875 * 2.5 * 0.925);
    assert.deepEqual(
      [price.provider_cost_eur, price.minimum_applied, price.charged_eur],
      [`0.0${cost}`, false, `0.${Math.ceil(cost * 1.15)}`.replace('0.', '0.0')],
    );
    const [posted, held] = await agent.balance();
    assert.deepEqual([(before_ - Number(posted)).toFixed(6), held], [Number(price.charged_eur).toFixed(6), '0.00']);
  });

  const FAILS: readonly (readonly [fault: ModelError, detail: RegExp])[] = [
    ['500', /status 500/],
    ['429', /status 429/],
    ['timeout', /timed out/],
    ['truncated', /usable response|could not be reached/],
    ['cut_off', /cut off at its maximum length\. Raise max_output_tokens/],
    ['filtered', /content filter/],
    ['no_usage', /did not report its usage/],
    ['off_schema', /does not match the schema|requested form/],
  ];
  for (const [fault, detail] of FAILS) {
    test(`that answers with ${fault} is not paid, and neither hold nor key stays taken`, async () => {
      const had = await agent.balance();
      bench.fail(fault);
      const [input] = ASKED['text.translate'] ?? [];
      const send = () => agent.execute('text.translate', { input }, { 'idempotency-key': `fault ${fault}` });
      const problem = expectProblem(await send(), 502, 'provider_failed');
      assert.match(String(problem['detail']), detail);
      assert.deepEqual(await agent.balance(), had);
      bench.fail(null);
      assert.equal((await send()).status, 200);
    });
  }

  test('that quotes what is in no document is not believed', async () => {
    bench.fail('false_quote');
    const { json } = await agent.execute('text.answer', { input: ASKED['text.answer']?.[0], options: PROVIDER });
    bench.fail(null);
    assert.deepEqual(json['output'], { answer: null, citations: [], abstained: true });
  });

  test('that is busy is asked once more, and only then', async () => {
    const { provider } = bench;
    const ask = async (fault: ModelError) => {
      [provider.fault, provider.isFaultOnce] = [fault, true];
      const from = provider.requests.length;
      const { status } = await agent.execute('text.translate', { input: ASKED['text.translate']?.[0] });
      return [status, provider.requests.length - from];
    };
    assert.deepEqual(
      [await ask('429'), await ask('500')],
      [
        [200, 2],
        [502, 1],
      ],
    );
    provider.isFaultOnce = false;
  });

  test('a second call under a key whose first still runs is told to wait', async () => {
    bench.fail('500');
    const send = () =>
      agent.execute('text.translate', { input: ASKED['text.translate']?.[0] }, { 'idempotency-key': 'twice' });
    const [isAsked, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    bench.provider.onRequest = () => {
      isAsked.resolve();
      return mayAnswer.promise;
    };
    const first = send();
    await isAsked.promise;
    expectProblem(await send(), 409, 'idempotency_in_flight');
    mayAnswer.resolve();
    expectProblem(await first, 502, 'provider_failed');
    bench.fail(null);
  });

  test('a call is not begun that may cost more than the caller allows or has', async () => {
    const from = bench.provider.requests.length;
    const options = { max_output_tokens: 16_000, max_charge_eur: '0.01' };
    const body = { input: ASKED['text.translate']?.[0], options };
    const { errors } = expectProblem(await agent.execute('text.translate', body), 400, 'invalid_parameters');
    assert.match(JSON.stringify(errors), /below_worst_case.*may cost €0\.34/);
    const poor = await buyer(bench.service, 100_000);
    const asked = { input: body.input, options: { max_output_tokens: 16_000 } };
    expectProblem(await poor.execute('text.translate', asked), 402, 'insufficient_funds');
    assert.equal(bench.provider.requests.length, from);
  });
});

test('a page is fetched by the guard only, sealed in the public log and paid with the fee of the seal', async () => {
  await using server = await startTlsServer('shop.example.nl', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('Terms of sale');
  });
  await using names = await startNameServer(() => ['127.0.0.2']);
  const reached = { port: server.port, nameServers: [names.address], isPublic: () => true, ca: server.ca };
  const probing = { ...reached, timeoutMs: 60_000 };
  await using service = await TestService.start({ probing });
  const agent = await buyer(service);
  const url = 'https://shop.example.nl/terms';
  const low = { input: { url }, options: { max_charge_eur: '0.25' } };
  expectProblem(await agent.execute('web.fetch_seal', low), 400, 'invalid_parameters');
  const { json, text } = await agent.execute('web.fetch_seal', { input: { url } });
  const { output, price } = executeCapability.output.parse(json);
  assert.deepEqual([output?.['text'], price.seal_fee_eur, price.charged_eur], ['Terms of sale', '0.25', '0.26'], text);
  const id = String(output?.['attestation_id']);
  const verified = (await service.call(`/api/attest/verify/${id}`)).json;
  assert.deepEqual(
    [verified['valid'], verified['schema_id'], verified['verdict']],
    [true, 'record.integrity.v1', 'ACCEPT'],
    JSON.stringify(verified),
  );
  const disclosure_seed = output?.['disclosure_seed'];
  const erasure = { attestation_id: id, disclosure_seed };
  const erased = await service.call('/api/attest/erase', { method: 'POST', body: erasure });
  assert.equal(erased.json['erased'], true, erased.text);
  const unsealed = await agent.execute('web.fetch_seal', { input: { url, seal: false } });
  const { output: plain, price: less } = executeCapability.output.parse(unsealed.json);
  assert.deepEqual([plain?.['attestation_id'], less.charged_eur], [null, '0.01']);
  assert.deepEqual(await agent.balance(), ['9.73', '0.00']);
  const ledgerPage = (await agent.get('/api/agents/wallet/ledger')).json;
  assert.match(JSON.stringify(ledgerPage), /"capability"/);
});
