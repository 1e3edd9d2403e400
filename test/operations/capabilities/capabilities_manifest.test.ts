import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { extraFolder } from '#platform/config/extras.ts';
import { ManifestShape } from '#areas/capabilities/manifest-shape.ts';
import { buyer } from '../../support/capabilities.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { TestService } from '../../support/service.ts';
import { sharedService, sharedServiceOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('capabilities_manifest');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/capabilities/manifest';

test('the manifest lists fifteen capabilities with schemas that their examples fit, as JSON, HTML and Markdown', async () => {
  const { service, clock } = await sharedServiceOn('sqlite');
  const agent = await buyer(service);
  await agent.execute('text.draft', { input: { template: 'x' } });
  // Its figures are renewed every five minutes, and somebody else may have asked for them.
  clock.advance(300_000);
  const answer = statuses.saw(await service.call(PATH));
  const manifest = ManifestShape.parse(answer.json);
  assert.deepEqual([manifest.count, manifest.capabilities.length, manifest.sandbox], [15, 15, true]);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { id, input_schema, output_schema, example, modes, status } of manifest.capabilities) {
    assert.ok(ajv.validate(input_schema, example.input), `${id} ${ajv.errorsText()}`);
    assert.ok(ajv.validate(output_schema, example.output), `${id} ${ajv.errorsText()}`);
    assert.ok(modes.length > 0 && status === 'live', id);
  }
  const draft = manifest.capabilities.find(({ id }) => id === 'text.draft');
  assert.ok((draft?.latency?.n ?? 0) > 0);
  const again = await service.call(PATH, { headers: { 'if-none-match': String(answer.headers.etag) } });
  assert.equal(again.status, 304);
  const page = await service.call(PATH, { headers: { accept: 'text/html' } });
  assert.match(page.text, /<dd>web\.fetch_seal<\/dd>/);
  const markdown = await service.call(PATH, { headers: { accept: 'text/markdown' } });
  assert.match(markdown.text, /- id: text\.translate/);
  expectProblem(statuses.saw(await service.call(`${PATH}?x=1`)), 400, 'invalid_parameters');
});

/** Members that differ from call to call, or are printed shorter than they are, by capability. */
const CHANGING: Readonly<Record<string, readonly string[]>> = {
  'text.language': ['scores'],
  'text.embed': ['vectors'],
  'web.fetch_seal': ['retrieved_at', 'attestation_id', 'disclosure_seed'],
};
const without = (output: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(output).filter(([name]) => !names.includes(name)));

test('every printed example runs in the sandbox as it is printed, and what runs embedded gives the printed output', async (t) => {
  const service = await sharedService();
  const agent = await buyer(service);
  const { capabilities } = ManifestShape.parse((await service.call(PATH)).json);
  for (const { id, example } of capabilities) {
    const { status, json, text } = await agent.execute(id, { input: example.input });
    if (id === 'doc.ocr' && extraFolder('ocr') === null) {
      assert.deepEqual([status, json['code']], [503, 'not_installed']);
      t.diagnostic('doc.ocr was not run: the extra ocr is not installed');
      continue;
    }
    assert.equal(status, 200, `${id} ${text}`);
    if (json['mode'] !== 'embedded') continue;
    const [made, printed] = [json['output'] as object, example.output];
    // How sure the reader of pictures is depends on its version.
    if (id === 'doc.ocr') assert.equal((made as { text: string }).text.trim(), (printed as { text?: unknown }).text);
    else assert.deepEqual(without(made, CHANGING[id] ?? []), without(printed, CHANGING[id] ?? []), id);
  }
});

test('modes are those of this installation: without a provider there is nothing to translate with', async () => {
  const file = join(await temporaryDirectory(), 'providers.json');
  writeFileSync(file, '[]');
  await using service = await TestService.start({ env: { AVOUCH_CAPABILITY_PROVIDERS: file } });
  const { capabilities } = ManifestShape.parse((await service.call(PATH)).json);
  const of = (name: string) => capabilities.find(({ id }) => id === name);
  assert.deepEqual([of('text.translate')?.modes, of('text.translate')?.status], [[], 'provider_required']);
  assert.deepEqual([of('text.summarise')?.modes, of('text.summarise')?.status], [['embedded'], 'live']);
});
