import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import fc, { anyCharacter } from '#properties';
import { Answers } from '#areas/data/retrieval/answers.ts';
import { Components } from '#areas/data/components.ts';
import { Grounding } from '#areas/data/retrieval/grounding.ts';
import { passagesSha256 } from '#areas/data/retrieval/chunks.ts';
import { editDistance } from '#kernel/edit-distance.ts';
import { RowPassages } from '#areas/data/retrieval/row-passages.ts';
import { DataSeals } from '#areas/data/sources/seals.ts';
import { SOURCES } from '#areas/data/sources/source-table.ts';
import { pricedAs } from '#areas/discovery/surfaces.ts';
import { boundRows } from '#kernel/area.ts';
import { rowAsker } from '#kernel/bound-operation.ts';
import { callerWords } from '#kernel/rate-policy.ts';
import { readConfig } from '#platform/config/config.ts';
import { type OpenData, dataArea } from '#areas/data/area.ts';
import { operationFacts, publicDocuments } from '#areas/data/retrieval/public-documents.ts';
import { OPERATIONS, PROTOCOLS, TABLE } from '../../../src/areas.ts';
import { openDataWorld } from './data-world.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { judgeRetrieval, openRetrieval } from '../../evals/questions.ts';

test('on labelled questions search finds nine of ten and at most one answer in fifty is wrong', async (t) => {
  const { figures } = await judgeRetrieval();
  t.diagnostic(JSON.stringify(figures));
  const { development, held_out: heldOut } = figures;
  for (const { recall_at_5: recall } of [development, heldOut]) assert.ok(recall >= 0.9, `recall ${recall}`);
  const questions = development.questions + heldOut.questions;
  const wrong = development.wrong_answers * development.questions + heldOut.wrong_answers * heldOut.questions;
  assert.ok(questions >= 100 && wrong / questions <= 0.02, `${wrong} of ${questions} are wrong`);
});

test('the facts of an operation are its price as documents give it and its limit as callers are counted', () => {
  const { rates } = readConfig({});
  const facts = [...operationFacts(TABLE, rates).values()].flat();
  for (const row of OPERATIONS) {
    const factOf = (field: string) => facts.find(({ id }) => id === `${row.operationId}.${field}`);
    const { amount, currency, rule = '' } = pricedAs(row) ?? { amount: '0', currency: 'USDC' };
    const { value, unit = '' } = factOf('price') ?? {};
    assert.equal(`${value} ${unit}`, `${amount} ${currency} per call${rule && ` at least: ${rule}`}`, row.operationId);
    const counted = row.rate === 'none' ? '' : ` and ${callerWords(row.rate)}, burst ${rates[row.rate].burst}`;
    assert.ok((factOf('limit')?.unit ?? '').endsWith(counted), row.operationId);
  }
});

test('whatever is asked, nothing fails, every result can be fetched and every quote stands in its text', async () => {
  using retrieval = openRetrieval();
  const words = [
    'fence',
    'lease',
    '"',
    'NEAR(',
    'AND',
    '*',
    ':',
    '-',
    '\0',
    'bm25',
    'körper',
    'mandaat',
    '^',
    '(',
    ')',
  ];
  const question = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(fc.constantFrom(...words)).map((list) => list.join(' ')),
  );
  await fc.assert(
    fc.asyncProperty(question, async (text) => {
      for (const { id } of await retrieval.search(text)) assert.equal((await retrieval.fetch(id))?.id, id);
      const { answer, abstained, citations } = await retrieval.ask(text);
      assert.equal(answer === null, abstained);
      assert.equal(citations.length === 0, abstained);
      if (answer !== null) assert.equal(answer, citations.map(({ quote }) => quote).join('\n'));
      for (const { id, quote } of citations) assert.ok((await retrieval.fetch(id))?.text.includes(quote));
    }),
    { numRuns: 100 },
  );
});

test('of the answers to the development questions few are wrong, and of those with confidence 0.9 nearly none', async (t) => {
  const { figures } = await judgeRetrieval(new URL('../../evals/development/retrieval.json', import.meta.url));
  const { answerable, right, wrong_answers: wrong, invented, sure, sure_right: sureRight } = figures.all;
  t.diagnostic(JSON.stringify(figures.all));
  assert.ok(right / answerable >= 0.33, `${right} of ${answerable} are right`);
  assert.ok(wrong <= 0.035 && invented <= 3, `${wrong} are wrong, ${invented} invented`);
  assert.ok(sure >= 10 && sureRight >= 0.97, `${sureRight} of ${sure} that are sure are right`);
});

test('prices, bounds and fees of the tables are sentences that can be quoted', async () => {
  const bodies = new Map((await publicDocuments(TABLE, PROTOCOLS)).map(({ id, body }) => [id, body]));
  for (const { price, path, operationId } of OPERATIONS) {
    const body = bodies.get(`operations:${path}#${operationId}`) ?? '';
    if (price !== null) assert.match(body, new RegExp(`^One .+ costs ${price.usdc} USDC`, 'm'), operationId);
  }
  assert.match(bodies.get('operations:/v1/claim#claim') ?? '', /^- ttl: .+30 to 3600; default 600\)$/m);
  assert.match(bodies.get('schemas:/api/attest/schemas#kvk.liveness.v1') ?? '', /costs 50 eurocents \(0\.50 EUR\)/);
  using retrieval = openRetrieval();
  const { answer } = await retrieval.ask('What does one EU VAT check cost?');
  assert.match(answer ?? '', /One EU VAT check \(GET \/v1\/eu-vat-check\) costs 0\.002 USDC/);
});

test('two questions in one, another deed and unknown names are met with silence', async () => {
  using retrieval = openRetrieval();
  for (const question of [
    'What does an EU VAT check cost and how long does a lease last?',
    'What does an EU VAT check cost? How long does a lease last?',
    'How do I rename a wallet?',
    'What does a Netflix lease cost?',
    '',
  ]) {
    const silence = { answer: null, abstained: true, confidence: 0, citations: [] };
    assert.deepEqual(await retrieval.ask(question), silence, question);
  }
});

test('typing errors are forgiven, in both languages, and ids stay the same from start to start', async () => {
  using retrieval = openRetrieval();
  for (const [right, wrong] of [
    ['clearance exclusive lease', 'claerance exclusve leese'],
    ['mandaat intrekken', 'mandaat intreken'],
  ] as const) {
    const [expected] = await retrieval.search(right);
    const found = (await retrieval.search(wrong)).slice(0, 3).map(({ id }) => id);
    assert.ok(expected !== undefined && found.includes(expected.id), `${wrong}: ${found.join(' ')}`);
  }
  const ids = (await publicDocuments(TABLE, PROTOCOLS)).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    (await publicDocuments(TABLE, PROTOCOLS)).map(({ id }) => id),
    ids,
  );
  assert.deepEqual(
    [
      editDistance('lease', 'lease', 2),
      editDistance('laese', 'lease', 2),
      editDistance('lease', 'release', 2),
      editDistance('a', 'bcd', 1),
    ],
    [0, 1, 2, 2],
  );
});

for (const engine of ENGINES) {
  suite(`retrieval over data on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('rows are found after their snapshot, never answer, and go with it; all tools keep their schemas', async () => {
      await using world = await openDataWorld(engine);
      const { store } = world.opened;
      using retrieval = openRetrieval();
      const rows = new RowPassages(store, retrieval);
      for (const { id } of SOURCES) await world.load(id);
      await Promise.all([rows.refresh(), rows.refresh()]);
      const [first] = await retrieval.search('Voorbeeldveen natura');
      assert.deepEqual([first?.source, /^natura \d$/.test(first?.title ?? '')], ['pdok-natura2000', true]);
      assert.match((await retrieval.fetch('data:pdok-natura2000#3'))?.text ?? '', /name: Voorbeeldveen 3/);
      const asked = await retrieval.ask('Voorbeeldveen 3');
      assert.deepEqual([asked.abstained, asked.citations], [true, []], 'what others wrote answers nothing');
      const feature = { properties: { nr: 77, naamN2K: 'Nieuwveen', beschermin: 'HR', shape_area: 1 } };
      const features = Array.from({ length: 6 }, (_, nr) => ({ properties: { ...feature.properties, nr: 70 + nr } }));
      const file = (async function* () {
        yield Buffer.from(JSON.stringify({ features }));
      })();
      await world.ingestion.run(world.source('pdok-natura2000'), { signal: new AbortController().signal, file });
      await rows.refresh();
      assert.equal(await retrieval.fetch('data:pdok-natura2000#3'), undefined);
      assert.equal((await retrieval.search('Nieuwveen'))[0]?.source, 'pdok-natura2000');

      const docsSha256 = async () => passagesSha256(await publicDocuments(TABLE, PROTOCOLS));
      const facts = operationFacts(TABLE, readConfig({}).rates);
      const grounding = new Grounding({ store, retrieval, docsSha256, factsOf: (id) => facts.get(id) ?? [] });
      const seals = new DataSeals({ store, clock: world.clock, sandbox: true, docsSha256 });
      assert.equal((await grounding.ground('spend fuse')).attestation_id, null);
      await seals.run();
      world.clock.advance(DAY_MS);
      await seals.run();
      await seals.run();
      const sealed = await store.read('SELECT name FROM dataset_seal ORDER BY name');
      assert.deepEqual(
        sealed.map(({ name }) => name),
        ['day 2026-11-15', 'docs'],
        'each digest is sealed once',
      );

      const { dataSets, clock } = world;
      const components = new Components({ clock, sandbox: true, look: async () => null });
      const answers = new Answers(
        retrieval,
        async () => null,
        async () => {},
      );
      const area: OpenData = {
        dataSets,
        answers,
        grounding,
        components,
        retrieval,
        jobs: [],
        async [Symbol.asyncDispose]() {},
      };
      const ask = rowAsker(boundRows(dataArea, area));
      assert.equal(dataArea.tools.length, 14);
      for (const served of dataArea.tools) {
        const { name, description, input, output } = served.tool;
        const handler = served.workOf(area, ask) as (input: unknown, call: object) => unknown;
        assert.ok(description.length <= 300, `${name}: ${description.length}`);
        const given = { query: 'spend fuse', question: 'What is a fence?', mpn: 'x-1', id: 'data:pdok-natura2000#71' };
        const fitting = Object.fromEntries(
          Object.entries(given).filter(([field]) => field in input.shape && !name.startsWith('construction')),
        );
        const answered = output.safeParse(await handler(input.parse(fitting), {}));
        assert.ok(answered.success, `${name}: ${answered.error}`);
      }
      const grounded = await grounding.ground('price of the spend fuse');
      assert.match(grounded.attestation_id ?? '', /^ATT-/);
      const row = OPERATIONS.find(({ operationId }) => operationId === 'spend_fuse');
      const fact = (field: string) =>
        grounded.facts.find((one) => one.subject === 'spend_fuse' && one.field === field)?.value;
      assert.deepEqual([fact('price'), fact('endpoint')], [row?.price?.usdc, `GET ${row?.path}`]);
      assert.ok((await grounding.ground('zebra crossing paint')).abstained);
    });
  });
}
