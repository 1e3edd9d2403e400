import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { extraFolder } from '#platform/config/extras.ts';
import { systemClock } from '#kernel/clock.ts';
import { regExpWork } from '#kernel/_regexp-work.ts';
import { Refusal } from '#kernel/problem.ts';
import { ANONYMOUS } from '#kernel/task-route.ts';
import { barcodeOf, pdfOf, pictureOf } from '../../../test/support/small-files.ts';
import type { FetchedPage } from './capability.ts';
import { HEAVY_LIMITS } from './heavy/heavy-limits.ts';
import { HeavyWork } from './outside/heavy-work.ts';
import { ModelClient } from './outside/model-client.ts';
import { readPriceTable, type PriceTable } from './prices.ts';
import { CAPABILITIES } from './table.ts';
import { taskRoutes } from './task-routes.ts';
import { keySentences } from './text/text-rank.ts';
import { CapabilityWork, type WorkDone, type WorkOptions } from './work.ts';

const ocrFolder = extraFolder('ocr');
// Patient: on a busy machine the first picture takes a while.
const heavy = new HeavyWork({ clock: systemClock(), ocrFolder, limitMs: 300_000 });
after(() => heavy[Symbol.asyncDispose]());

const PAGES: Readonly<Record<string, FetchedPage>> = {
  'https://shop.example.com/terms': {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body: Buffer.from('<html><style>p{}</style><p>Terms <b>of</b> sale</p><script>if (a<b) {}</script></html>'),
  },
  'https://shop.example.com/long': {
    status: 200,
    contentType: 'text/html',
    body: Buffer.from('<p>Terms</p>'.repeat(4_000)),
  },
  'https://shop.example.com/label.pdf': { status: 200, contentType: null, body: pdfOf(['From afar']) },
};

const OPTIONS: WorkOptions = {
  clock: systemClock(),
  heavy,
  models: new ModelClient([]),
  fetch: async (url) => PAGES[url] ?? { status: 404, contentType: null, body: Buffer.alloc(0) },
  prices: readPriceTable('{"version":"1","prices":[]}') as PriceTable,
  fxMicro: 1_000_000,
  hasExtra: (name) => name !== 'ocr' || ocrFolder !== null,
};
const work = new CapabilityWork(OPTIONS);
const caller = { callerId: 'agt_1', signal: new AbortController().signal };

async function done(capability: string, input: object): Promise<WorkDone> {
  const result = await work.run({ capability, input }, caller);
  if (result instanceof Refusal) assert.fail(JSON.stringify(result.details));
  return result;
}

async function output(capability: string, input: object): Promise<Record<string, unknown>> {
  return (await done(capability, input)).output as Record<string, unknown>;
}

/** Pointer and code of the first fault. */
async function fault(capability: string, input: object): Promise<readonly (string | undefined)[]> {
  const result = await work.run({ capability, input }, caller);
  assert.ok(result instanceof Refusal, JSON.stringify(result));
  const [first] = result.details.errors ?? [];
  return [first?.pointer, first?.code];
}

test('heavy work that passes a limit pauses it for its caller alone, also where callers have no key', async () => {
  await using own = new HeavyWork({ clock: systemClock(), limitMs: 1 });
  const routes = taskRoutes({
    work: new CapabilityWork({ ...OPTIONS, heavy: own }),
    clock: systemClock(),
    sandbox: true,
  });
  const ran = async (callerId: string) => {
    const effect = { key: 'tsk_1:1', agentId: ANONYMOUS, callerId, signal: caller.signal };
    const result = await routes['text.summarise']?.run({}, { text: 'It rains. It pours. It ends.' }, effect);
    return result instanceof Refusal ? result.type.code : result;
  };
  for (let n = 0; n < HEAVY_LIMITS.failuresPerAgent; n += 1) assert.equal(await ran('address-1'), 'provider_failed');
  assert.equal(await ran('address-1'), 'heavy_work_paused');
  assert.equal(await ran('address-2'), 'provider_failed');
});

test('there are fifteen capabilities, and fourteen have an embedded mode', () => {
  assert.equal(CAPABILITIES.length, 15);
  const without = CAPABILITIES.filter(({ embedded }) => embedded === null).map(({ id }) => id);
  assert.deepEqual(without, ['text.translate']);
});

test('the example of each capability is what it really gives', async () => {
  const elsewhere = [
    'text.translate',
    'text.language',
    'text.embed',
    'doc.pdf_text',
    'doc.ocr',
    'code.barcode',
    'web.fetch_seal',
  ];
  for (const { id, input, output: shape, example } of CAPABILITIES) {
    input.parse(example.input);
    shape.parse(example.output);
    if (!elsewhere.includes(id)) assert.deepEqual(await output(id, example.input), example.output, id);
  }
});

suite('text', () => {
  test('the language of a text is named, and doubt is said', async () => {
    const texts = {
      nl: 'De levering komt morgenochtend voor tien uur aan.',
      en: 'The delivery arrives tomorrow morning before ten.',
      de: 'Die Lieferung kommt morgen früh vor zehn Uhr an.',
      fr: 'La livraison arrive demain matin avant dix heures.',
    };
    for (const [language, text] of Object.entries(texts)) {
      const found = await output('text.language', { text });
      assert.deepEqual([found['language'], found['reliable']], [language, true]);
    }
    assert.equal((await output('text.language', { text: '12' }))['reliable'], false);
  });

  test('personal data that passes its own checks is redacted, what only looks like it is not', async () => {
    const cases: readonly (readonly [given: string, shown: string])[] = [
      ['IBAN NL91 ABNA 0417 1643 00 en BE68539007547034.', 'IBAN [IBAN] en [IBAN].'],
      ['IBAN NL92ABNA0417164300', 'IBAN NL92ABNA0417164300'],
      ['bsn 111222333, not 111222334', 'bsn [BSN], not 111222334'],
      ['card 4111 1111 1111 1111 or 4111 1111 1111 1112', 'card [CARD] or 4111 1111 1111 1112'],
      ['mail jan.de-vries+x@shop.example.nl now', 'mail [EMAIL] now'],
      ['bel 06-12345678 of +32 470 12 34 56 of 0049 30 123456', 'bel [PHONE] of [PHONE] of [PHONE]'],
      ['op 15-11-2026 om 10:30', 'op 15-11-2026 om 10:30'],
      ['kenteken XX-999-X of AB-CD-EF', 'kenteken [PLATE] of AB-CD-EF'],
      ['from 192.0.2.7 and 2001:db8::1, at 12:30:45, v1.2.3.4.5', 'from [IP] and [IP], at 12:30:45, v1.2.3.4.5'],
    ];
    for (const [text, shown] of cases) assert.equal((await output('text.redact', { text }))['text'], shown);
    const masked = await output('text.redact', { text: 'x a@b.nl', kinds: ['email'], replacement: 'mask' });
    assert.deepEqual(masked, {
      text: 'x ******',
      spans: [{ start: 2, end: 8, kind: 'email' }],
      counts: { email: 1 },
      not_covered: [],
    });
  });

  test('a summary is made of sentences of the text, with their places', async () => {
    const text = `The pump of line 4 failed on Monday. Nobody was hurt. Dr. Kim replaced the failed pump of line 4 the same day.
      Lunch was soup. The insurer of line 4 asked why the pump failed.`;
    const { summary, spans } = (await output('text.summarise', { text, max_sentences: 2 })) as {
      summary: string;
      spans: { start: number; end: number }[];
    };
    assert.equal(summary, spans.map(({ start, end }) => text.slice(start, end)).join(' '));
    assert.match(summary, /^The pump of line 4 failed on Monday\. Dr\. Kim replaced/);
  });

  test('a text gets the label that it shares words with, and none on a tie or without one', async () => {
    const labels = [
      { id: 'delivery', terms: ['parcel'], examples: ['Where is my order?'] },
      { id: 'billing', terms: ['invoice', 'refund'] },
    ];
    const label = async (text: string) => (await output('text.classify', { text, labels }))['label'];
    assert.equal(await label('I want a refund for this invoice'), 'billing');
    const tie = await output('text.classify', { text: 'red and blue', labels: ['red', 'blue'] });
    assert.deepEqual([tie['label'], tie['abstained']], [null, true]);
    assert.equal(await label('hello'), null);
    assert.deepEqual(await fault('text.classify', { text: 'x', labels: ['a', 'a'] }), ['#/input/labels', 'invalid']);
  });

  test('entities are found with their values, and those that are not there are named', async () => {
    const text =
      'KvK: 12345678, btw NL123456782B12, mpn STM32F407VGT6. Betaal € 1.234,50 of 99 EUR voor 3 maart 2027 of 2027-02-30 op NL91ABNA0417164300, zie https://shop.example/x?y=1.';
    const { data, missing, spans } = (await output('text.extract', { text })) as {
      data: object;
      missing: string[];
      spans: { start: number; end: number; entity: string }[];
    };
    assert.deepEqual(data, {
      date: ['2027-03-03'],
      money: ['1234.50 EUR', '99.00 EUR'],
      iban: ['NL91ABNA0417164300'],
      vat: ['NL123456782B12'],
      kvk: ['12345678'],
      mpn: ['STM32F407VGT6'],
      url: ['https://shop.example/x?y=1'],
    });
    assert.deepEqual(missing, []);
    assert.equal(text.slice(spans[0]?.start, spans[0]?.end), '12345678');
    const none = await output('text.extract', { text: 'nothing', entities: ['vat', 'vat'] });
    assert.deepEqual(none, { data: {}, spans: [], missing: ['vat'] });
  });

  test('an amount is read whole, with its decimals, groups and sign', async () => {
    const amounts: Readonly<Record<string, readonly string[]>> = {
      '$0.125': ['0.125 USD'],
      '0.125 USD': ['0.125 USD'],
      '0,125 EUR': ['0.125 EUR'],
      '€12,5': ['12.50 EUR'],
      '12,5 EUR': ['12.50 EUR'],
      '$1.2345': ['1.2345 USD'],
      '1.2345 USD': ['1.2345 USD'],
      '1234.567 USD': ['1234.567 USD'],
      '$1,234.567': ['1234.567 USD'],
      '€ 1.234': ['1234.00 EUR'],
      '1,234,567 USD': ['1234567.00 USD'],
      '€ 1.234.567,8': ['1234567.80 EUR'],
      '€ 1 234,50': ['1234.50 EUR'],
      '€ 1\u2009234,50': ['1234.50 EUR'],
      '1\u202F234\u202F567,89 EUR': ['1234567.89 EUR'],
      '1\u00A0234 EUR': ['1234.00 EUR'],
      "CHF 1'234.50": ['1234.50 CHF'],
      '1’234.50 CHF': ['1234.50 CHF'],
      '-€121,00': ['-121.00 EUR'],
      '€ -121,00': ['-121.00 EUR'],
      'credit: \u2212EUR 121,00': ['-121.00 EUR'],
      'credit: -0,50 EUR': ['-0.50 EUR'],
      '€10-€20': ['10.00 EUR', '20.00 EUR'],
      '10-20 EUR': ['20.00 EUR'],
      '€10 - €20': ['10.00 EUR', '20.00 EUR'],
      'It costs $5.': ['5.00 USD'],
      '€ 5,- today': ['5.00 EUR'],
      '$1.2.3': [],
      '$1.234.56': [],
    };
    for (const [text, money] of Object.entries(amounts)) {
      const { data } = await output('text.extract', { text, entities: ['money'] });
      assert.deepEqual((data as { money?: string[] }).money ?? [], money, text);
    }
  });

  test('a question is answered by quotes, or not at all', async () => {
    const docs = [
      { id: 'a', text: 'The office is in Utrecht. Warranty claims go to the service desk in Zwolle.' },
      { id: 'b', text: 'Coffee is free.' },
    ];
    const found = await output('text.answer', { question: 'Where do warranty claims go?', docs });
    assert.equal(found['answer'], 'Warranty claims go to the service desk in Zwolle.');
    assert.deepEqual(found['citations'], [{ doc_id: 'a', start: 26, end: 75, quote: found['answer'] }]);
    const unknown = await output('text.answer', { question: 'Who won?', docs });
    assert.deepEqual(unknown, { answer: null, citations: [], abstained: true });
  });

  test('vectors of the same words are alike, those of other words are not', async () => {
    const texts = ['red pump valve', 'valve pump red', 'annual tax letter'];
    const { model, dims, vectors } = (await output('text.embed', { texts })) as {
      model: string;
      dims: number;
      vectors: number[][];
    };
    const likeness = (a = 0, b = 0) =>
      (vectors[a] ?? []).reduce((sum, value, index) => sum + value * (vectors[b]?.[index] ?? 0), 0);
    assert.deepEqual([model, dims, vectors.length], ['lexhash-512', 512, 3]);
    assert.ok(likeness(0, 1) > 0.999 && Math.abs(likeness(0, 2)) < 0.3);
  });

  suite('long hostile texts', () => {
    const units = ['.', '1 ', '@', 'a@', '\n '];
    const embedded = (id: string) => CAPABILITIES.find((capability) => capability.id === id)?.embedded ?? assert.fail();
    const tools = { heavy: assert.fail, fetch: assert.fail, nowIso: assert.fail };
    const searches: Readonly<Record<string, (text: string) => unknown>> = {
      'text.redact': (text) => embedded('text.redact').run({ text, replacement: 'tag' }, tools),
      'text.extract': (text) => embedded('text.extract').run({ text }, tools),
      'text.summarise': (text) => keySentences(text, 3),
    };
    for (const [id, search] of Object.entries(searches)) {
      test(`${id} searches in work that grows with them, not with their square`, () => {
        for (const unit of units) {
          const text = `${unit.repeat(4_000 / unit.length)}x`;
          const { characters, excessive } = regExpWork(() => search(text), 200);
          assert.deepEqual(excessive, []);
          assert.ok(characters <= 100 * text.length, `${characters} characters of ${JSON.stringify(unit)}`);
        }
      });
    }

    test('as long as they may be are worked on like others', async () => {
      for (const unit of units) {
        const text = `${unit.repeat(199_000 / unit.length)}x`;
        assert.deepEqual((await output('text.redact', { text }))['not_covered'], ['name']);
      }
      const text = '.'.repeat(199_000);
      assert.deepEqual((await output('text.extract', { text }))['data'], {});
      assert.equal(typeof (await output('text.summarise', { text: `${text}x` }))['summary'], 'string');
    });
  });
});

test('long texts are worked on in a process of their own, short ones where calls are answered', async () => {
  await using own = new HeavyWork({ clock: systemClock(), limitMs: 300_000 });
  const here = new CapabilityWork({ ...OPTIONS, heavy: own });
  const redacted = async (inputs: readonly object[]) => {
    const result = await here.run({ capability: 'text.redact', inputs }, caller);
    return result instanceof Refusal ? [] : (result.outputs ?? []).map((one) => (one as { text: string }).text);
  };
  assert.deepEqual(await redacted([{ text: 'mail a@b.nl' }]), ['mail [EMAIL]']);
  assert.deepEqual(own.pids, []);
  const inputs = Array.from({ length: 100 }, () => ({ text: `${'mail '.repeat(10)}a@b.nl` }));
  assert.deepEqual([...new Set(await redacted(inputs))], [`${'mail '.repeat(10)}[EMAIL]`]);
  assert.equal(own.pids.length, 1);
  const input = { template: '{{a}}'.repeat(20_000), fields: { a: 'x'.repeat(20_000) } };
  const bomb = await here.run({ capability: 'text.draft', input }, caller);
  assert.equal(bomb instanceof Refusal && bomb.type.code, 'work_too_large');
});

suite('files', () => {
  const inBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

  test('the text of a PDF is read, by value and by address', async () => {
    const read = await done('doc.pdf_text', { pdf_base64: inBase64(pdfOf(['Invoice 2026-001', 'Total 121.00 EUR'])) });
    const { text, pages, sha256 } = read.output as Record<string, unknown>;
    assert.deepEqual([text, pages, read.usage.units], ['Invoice 2026-001\nTotal 121.00 EUR', 1, 1]);
    assert.match(String(sha256), /^[0-9a-f]{64}$/);
    assert.equal((await output('doc.pdf_text', { url: 'https://shop.example.com/label.pdf' }))['text'], 'From afar');
    assert.deepEqual(await fault('doc.pdf_text', { pdf_base64: 'bm90aGluZw==' }), ['#/input/pdf_base64', 'not_a_pdf']);
    assert.deepEqual(await fault('doc.pdf_text', {}), ['#/input', 'invalid']);
    const missing = await work.run(
      { capability: 'doc.pdf_text', input: { url: 'https://shop.example.com/no' } },
      caller,
    );
    assert.equal(missing instanceof Refusal && missing.type.code, 'provider_failed');
  });

  test('a QR code that was written is read, and so is an EAN code in a picture', async () => {
    const { image_base64 } = await output('code.barcode', { text: 'https://shop.example/7' });
    const read = async (image: unknown) => (await output('code.barcode', { image_base64: image }))['values'];
    assert.deepEqual(await read(image_base64), [{ format: 'QRCode', text: 'https://shop.example/7' }]);
    assert.deepEqual(await read(inBase64(await barcodeOf('8712345678906'))), [
      { format: 'EAN13', text: '8712345678906' },
    ]);
    assert.match(String((await output('code.barcode', { text: 'x', output: 'svg' }))['svg']), /^<svg/);
    const bomb = pictureOf('A');
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    assert.deepEqual(await fault('code.barcode', { image_base64: inBase64(bomb) }), [
      '#/input/image_base64',
      'image_too_large',
    ]);
    const jpeg = Buffer.from('ffd8ffe000044a46ffc0000b08ea60ea60011100', 'hex');
    assert.deepEqual(await fault('code.barcode', { image_base64: inBase64(jpeg) }), [
      '#/input/image_base64',
      'image_too_large',
    ]);
    assert.deepEqual(await fault('code.barcode', { image_base64: 'AAAA' }), ['#/input/image_base64', 'not_an_image']);
  });

  // Where the extra is not installed, test/extras.more.ts reads with one that it installs elsewhere.
  if (ocrFolder !== null) {
    test('printed text in a picture is read', async () => {
      const { text, confidence, words } = await output('doc.ocr', { image_base64: inBase64(pictureOf('TOTAL 121')) });
      assert.equal(text, 'TOTAL 121');
      assert.ok(Number(confidence) > 60);
      assert.equal((words as unknown[]).length, 2);
      assert.deepEqual(await fault('doc.ocr', { image_base64: 'AAAA' }), ['#/input/image_base64', 'not_an_image']);
    });
  }

  test('where the extra is missing, the embedded form names the command that installs it', async () => {
    const without = new CapabilityWork({ ...OPTIONS, hasExtra: () => false });
    const input = { image_base64: inBase64(pictureOf('A')) };
    for (const mode of ['auto', 'embedded'] as const) {
      const refusal = await without.run({ capability: 'doc.ocr', input, options: { mode } }, caller);
      assert.ok(refusal instanceof Refusal);
      assert.equal(refusal.type.code, 'not_installed');
      assert.match(refusal.details.detail, /\.\/avouch extras install ocr\b/);
    }
    const row = CAPABILITIES.find(({ id }) => id === 'doc.ocr');
    assert.deepEqual(row && without.modesOf(row), []);
    const languages = await without.run({ capability: 'text.language', input: { text: 'Guten Morgen' } }, caller);
    assert.ok(languages instanceof Refusal && languages.type.code === 'not_installed');
  });

  test('a page is fetched, its text read and its seal asked for', async () => {
    const url = 'https://shop.example.com/terms';
    const fetched = await done('web.fetch_seal', { url });
    const { text, status, sha256, attestation_id, retrieved_at } = fetched.output as Record<string, unknown>;
    assert.deepEqual([text, status, attestation_id], ['Terms of sale', 200, null]);
    const statement = `GET ${url} at ${String(retrieved_at)} answered with status 200`;
    assert.deepEqual(fetched.seals, [{ of: fetched.output, claim: { statement, evidence_digests: [sha256] } }]);
    assert.deepEqual((await done('web.fetch_seal', { url, seal: false })).seals, []);
    const long = await output('web.fetch_seal', { url: 'https://shop.example.com/long' });
    assert.equal(String(long['text']), 'Terms '.repeat(4_000).trim());
  });
});

suite('data', () => {
  test('JSON is checked against a schema, and a schema that is none is refused', async () => {
    const schema = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' }, tags: { uniqueItems: true } },
    };
    assert.equal((await output('data.validate', { data: { id: 7 }, schema }))['valid'], true);
    const wrong = await output('data.validate', { data: { id: 'x', tags: [1, 1] }, schema });
    assert.deepEqual(
      (wrong['errors'] as { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code]),
      [
        ['/id', 'type'],
        ['/tags', 'uniqueItems'],
      ],
    );
    assert.deepEqual(await fault('data.validate', { data: 1, schema: { type: 'no' } }), [
      '#/input/schema',
      'schema_invalid',
    ]);
    for (const odd of [{ $async: true }, { $ref: 'https://schemas.example/x' }]) {
      assert.deepEqual(await fault('data.validate', { data: 1, schema: odd }), ['#/input/schema', 'schema_invalid']);
    }
    assert.deepEqual(await fault('data.validate', { data: 1 }), ['#/input', 'invalid']);
  });

  test('patterns of callers match as JavaScript matches, in linear time; what would go back and forth is not taken', async () => {
    const matches = async (pattern: string, data: string) =>
      (await output('data.validate', { data, schema: { type: 'string', pattern } }))['valid'];
    for (const hostile of ['^(a+)+$', '^(a|aa)+$', '^(?:a*)*$', '([a-z]+)*1']) {
      assert.equal(await matches(hostile, `${'a'.repeat(4_000)}!`), false, hostile);
    }
    for (const [pattern, data] of [
      ['^[A-Z]{2}\\d{2}$', 'NL12'],
      ['^\\p{L}+$', 'Zürich'],
      ['^\\u00e9.$', 'é😀'],
      ['[\\w.+-]+@[\\w-]+\\.[a-z]{2,}', 'to desk@shop.example'],
      ['^(?<year>\\d{4})-\\d\\d$', '2026-11'],
      ['\\/v1\\/', 'at /v1/look'],
    ] as const) {
      assert.equal(await matches(pattern, data), true, pattern);
      assert.equal(new RegExp(pattern, 'u').test(data), true, pattern);
    }
    for (const pattern of ['(?=a)b', '(?<!a)b', '(a)\\1', '((a{100}){100}){100}', '(']) {
      const schema = { properties: { x: { pattern } } };
      assert.deepEqual(await fault('data.validate', { data: {}, schema }), ['#/input/schema', 'schema_invalid']);
    }
  });

  test('a CSV is profiled and its rows are checked with their types', async () => {
    const csv = 'id;name;paid\r\n1;"Kim; the ""first""";true\n2;;false\n2;;false\n';
    const schema = { items: { properties: { id: { maximum: 1 }, name: { type: 'string' } } } };
    const checked = await done('data.validate', { csv, schema });
    const { valid, errors, profile } = checked.output as Record<string, unknown>;
    assert.deepEqual(profile, {
      rows: 3,
      duplicate_rows: 1,
      columns: [
        { name: 'id', type: 'integer', nulls: 0, distinct: 2 },
        { name: 'name', type: 'string', nulls: 2, distinct: 1 },
        { name: 'paid', type: 'boolean', nulls: 0, distinct: 2 },
      ],
    });
    assert.equal(valid, false);
    assert.deepEqual(
      (errors as { pointer: string }[]).map(({ pointer }) => pointer),
      ['/1/id', '/1/name', '/2/id', '/2/name'],
    );
    const ragged = await output('data.validate', { csv: 'a,b\n1\n' });
    assert.deepEqual(await fault('data.validate', { csv: 'a,'.repeat(10_000) }), ['#/input', 'too_many_columns']);
    assert.deepEqual(ragged['errors'], [
      { pointer: '/0', code: 'cells', detail: 'The row has 1 cells, but the header has 2.' },
    ]);
  });

  test('members may be named like those of every object, and values are equal by what they say', async () => {
    const json = (text: string) => JSON.parse(text) as unknown;
    for (const [data, schema, codes] of [
      ['{}', { required: ['constructor', '__proto__'] }, ['required', 'required']],
      ['{"constructor":1,"__proto__":2}', { required: ['constructor', '__proto__'] }, []],
      ['{}', { properties: { constructor: { type: 'number' } }, dependentRequired: { toString: ['x'] } }, []],
      ['{"constructor":"a"}', { properties: { constructor: { type: 'number' } } }, ['type']],
      ['{"valueOf":1,"toString":{"constructor":2}}', { const: { toString: { constructor: 2 }, valueOf: 1 } }, []],
      ['{"valueOf":1}', { enum: [{ valueOf: 2 }, 'valueOf'] }, ['enum']],
      ['[{"valueOf":1},{"a":2},{"valueOf":1}]', { uniqueItems: true }, ['uniqueItems']],
      ['[1,"1",[1],{"1":1}]', { uniqueItems: true }, []],
      [`[${Array.from({ length: 20_000 }, (_, at) => `{"a":${at}}`).join()}]`, { uniqueItems: true }, []],
    ] as [string, object, string[]][]) {
      const { errors } = await output('data.validate', { data: json(data), schema });
      assert.deepEqual(
        (errors as { code: string }[]).map(({ code }) => code),
        codes,
        JSON.stringify(schema),
      );
    }
    for (const schema of ['{"properties":{"__proto__":{"type":"number"}}}', '{"$ref":"#"}']) {
      const refused = await fault('data.validate', { data: 1, schema: json(schema) });
      assert.deepEqual(refused, ['#/input/schema', 'schema_invalid'], schema);
    }
  });

  test('a CSV whose last quote is not closed, or whose columns share a name, is not valid', async () => {
    const faultsOf = async (input: object) => {
      const { valid, errors } = await output('data.validate', input);
      return [valid, (errors as { code: string; detail: string }[]).map(({ code, detail }) => `${code}: ${detail}`)];
    };
    const unclosed = [false, ['quote_unclosed: A quoted cell is not closed.']];
    assert.deepEqual(await faultsOf({ csv: 'amount\n"1\n2\n3\nnot a number' }), unclosed);
    const schema = { items: { properties: { a: { maximum: 5 } } } };
    const repeated = [false, ['column_repeated: Column 3 has the same name as column 1.']];
    assert.deepEqual(await faultsOf({ csv: 'a,b,a\n9,2,3\n', schema }), repeated);
    assert.deepEqual(await faultsOf({ csv: 'a,b,A\n5,2,"3"\n', schema }), [true, []]);
  });

  test('an invoice is added up, and every fault is named', async () => {
    const good = {
      number: '2026-001',
      issue_date: '2026-11-15',
      supplier: { vat_number: 'NL123456782B12' },
      iban: 'NL91 ABNA 0417 1643 00',
      lines: [
        { quantity: '3', unit_price: '33.33', net: '99.99', vat_rate: '21' },
        { quantity: 1, unit_price: 0.01, vat_rate: 9 },
      ],
      net_total: '100.00',
      vat_total: '21.00',
      gross_total: '121.00',
    };
    const checked = async (change: object, known: readonly unknown[] = []) =>
      output('invoice.check', { invoice: { ...good, ...change }, known_hashes: known });
    const codes = async (change: object, known: readonly unknown[] = []) => {
      const { verdict, findings } = await checked(change, known);
      return [verdict, ...(findings as { code: string }[]).map(({ code }) => code)];
    };
    const { duplicate_hash: hash } = await checked({});
    assert.deepEqual(await codes({}), ['PASS']);
    assert.deepEqual(await codes({ number: '2026 001' }, [hash]), ['FAIL', 'duplicate']);
    assert.deepEqual(await codes({ gross_total: '121.02' }), ['FAIL', 'gross_total_wrong']);
    assert.deepEqual(await codes({ vat_total: '19.00', gross_total: '119.00' }), ['FAIL', 'vat_total_wrong']);
    assert.deepEqual(await codes({ iban: 'NL92ABNA0417164300' }), ['FAIL', 'iban_invalid']);
    assert.deepEqual(await codes({ supplier: { vat_number: 'NL12' } }), ['FAIL', 'vat_number_impossible']);
    assert.deepEqual(await codes({ supplier: {} }), ['REVIEW', 'vat_number_missing']);
    const lines = [{ quantity: '1', unit_price: '100', net: '100', vat_rate: '20' }];
    const odd = { lines, vat_total: '20', gross_total: '120' };
    assert.deepEqual(await codes(odd), ['REVIEW', 'vat_rate_unusual']);
    assert.deepEqual(
      await codes({
        ...odd,
        lines: [{ ...lines[0], net: '101' }],
        net_total: '101',
        vat_total: '20.2',
        gross_total: '121.2',
      }),
      ['FAIL', 'line_total_wrong', 'vat_rate_unusual'],
    );
    const per = {
      quantity: '250',
      unit_price: '0.33',
      base_quantity: 100,
      adjustments: ['-0.5', 99.675],
      vat_rate: 21,
    };
    const ofPer = { net_total: '100', vat_total: '21', gross_total: '121' };
    assert.deepEqual(await codes({ ...ofPer, lines: [{ ...per, net: '100.00' }] }), ['PASS']);
    assert.deepEqual(await codes({ ...ofPer, lines: [{ ...per, net: '100.02' }] }), [
      'FAIL',
      'line_total_wrong',
      'net_total_wrong',
    ]);
    const nothing = { invoice: { ...good, lines: [{ ...per, base_quantity: 0 }] } };
    assert.deepEqual(await fault('invoice.check', nothing), ['#/input/invoice/lines/0/base_quantity', 'invalid']);
  });

  test('a UBL invoice is read with its allowances, charges and prices per quantity, and one that is none is refused', async () => {
    const ubl = `<?xml version="1.0"?><Invoice xmlns:cbc="urn:x" xmlns:cac="urn:y"><cbc:ID>U-7</cbc:ID><cbc:IssueDate>2026-11-15</cbc:IssueDate>
      <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
      <cac:AccountingSupplierParty><cac:Party><cac:PostalAddress><cac:Country><cbc:IdentificationCode>NL</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
      <cac:PartyTaxScheme><cbc:CompanyID>NL123456782B12</cbc:CompanyID></cac:PartyTaxScheme></cac:Party></cac:AccountingSupplierParty>
      <cac:PaymentMeans><cac:PayeeFinancialAccount><cbc:ID>NL91ABNA0417164300</cbc:ID><cbc:Name>Shop</cbc:Name></cac:PayeeFinancialAccount></cac:PaymentMeans>
      <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">21.00</cbc:TaxAmount></cac:TaxTotal>
      <cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount>100.00</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount>121.00</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal>
      <cac:InvoiceLine><cbc:InvoicedQuantity>2</cbc:InvoicedQuantity><cbc:LineExtensionAmount>100.00</cbc:LineExtensionAmount>
      <cac:Item><cbc:Name>Valve</cbc:Name><cac:ClassifiedTaxCategory><cbc:Percent>21</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item>
      <cac:Price><cbc:PriceAmount>50.00</cbc:PriceAmount></cac:Price></cac:InvoiceLine></Invoice>`;
    const { verdict, findings } = await output('invoice.check', { ubl_xml: ubl });
    assert.deepEqual([verdict, findings], ['PASS', []]);
    const charge = (isCharge: boolean, amount: string) =>
      `<cac:AllowanceCharge><cbc:ChargeIndicator>${isCharge}</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Why</cbc:AllowanceChargeReason>
      <cbc:Amount>${amount}</cbc:Amount><cac:TaxCategory><cbc:Percent>9</cbc:Percent></cac:TaxCategory></cac:AllowanceCharge>`;
    const perThousand = ubl
      .replace(
        '<cbc:PriceAmount>50.00</cbc:PriceAmount>',
        '<cbc:PriceAmount>50000</cbc:PriceAmount><cbc:BaseQuantity>1000</cbc:BaseQuantity>' + charge(false, '7'),
      )
      .replace('<cac:Item>', `${charge(false, '10.00')}${charge(true, '4')}<cac:Item>`);
    const added = perThousand
      .replace('>100.00<', '>94.00<')
      .replace('>100.00<', '>94.00<')
      .replace('>21.00<', '>19.74<')
      .replace('121.00', '113.74');
    const whole = ubl
      .replace('<cac:TaxTotal>', `${charge(false, '20.00')}${charge(true, '10.00')}<cac:TaxTotal>`)
      .replace('>100.00<', '>90.00<')
      .replace('>21.00<', '>20.10<')
      .replace('121.00', '110.10');
    for (const xml of [added, whole]) {
      const read = await output('invoice.check', { ubl_xml: xml });
      assert.deepEqual([read['verdict'], read['findings']], ['PASS', []]);
    }
    const elsewhere = '<cac:TaxTotal><cbc:TaxAmount currencyID="SEK">240.00</cbc:TaxAmount></cac:TaxTotal>';
    const twoCurrencies = ubl
      .replace('<cac:TaxTotal>', `${elsewhere}<cac:TaxTotal>`)
      .replace('21.00</cbc:TaxAmount>', '21.00</cbc:TaxAmount><cac:TaxSubtotal/>');
    assert.equal((await output('invoice.check', { ubl_xml: twoCurrencies }))['verdict'], 'PASS');
    const wrong = await output('invoice.check', { ubl_xml: ubl.replace('121.00', '122.00') });
    assert.equal(wrong['verdict'], 'FAIL');
    for (const xml of ['<Invoice>', '<Order/>', '<!DOCTYPE x [<!ENTITY a "b">]><Invoice/>', '<Invoice/>']) {
      assert.deepEqual(await fault('invoice.check', { ubl_xml: xml }), ['#/input/ubl_xml', 'ubl_invalid']);
    }
  });
});
