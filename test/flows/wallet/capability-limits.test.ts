// What one agent sends to hold up the others: it costs it nothing, gets it nothing, and nobody else notices.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { seedOfEntry } from '#platform/log/public-log.ts';
import { paidFees } from '#areas/attestation/unit.ts';
import { Executions } from '#areas/capabilities/executions.ts';
import { HEAVY_LIMITS } from '#areas/capabilities/heavy/heavy-limits.ts';
import type { ExecuteAnswer } from '#areas/capabilities/operations.ts';
import { HeavyWork } from '#areas/capabilities/outside/heavy-work.ts';
import { ModelClient } from '#areas/capabilities/outside/model-client.ts';
import { type PriceTable, readPriceTable } from '#areas/capabilities/prices.ts';
import { CapabilityWork } from '#areas/capabilities/work.ts';
import { ManualClock } from '#kernel/clock.ts';
import { Refusal } from '#kernel/problem.ts';
import { walletOf } from '#platform/ledger/steps.ts';
import type { Store } from '#platform/storage/store.ts';
import { buyer } from '../../support/capabilities.ts';
import { expectProblem } from '../../support/client.ts';
import { openStore } from '../../support/engines.ts';
import { deflatedPdf, hugePng, runLengthPdf, twicePackedPdf } from '../../support/hostile-files.ts';
import { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { pdfOf } from '../../support/small-files.ts';
import { until } from '../../support/until.ts';
import { fund } from '../../support/wallet.ts';

const inBase64 = (bytes: Buffer) => bytes.toString('base64');
const QR = { input: { text: 'https://shop.example/7', output: 'svg' } };
const UNCHARGED = ['10.00', '0.00'];

suite('a file that unpacks to far more than it has', () => {
  const pdfs = {
    'packed twice over': twicePackedPdf(),
    'packed once': deflatedPdf(),
    'of runs, which only its reader finds out': runLengthPdf(512 * 1024 * 1024),
  };
  for (const [how, pdf] of Object.entries(pdfs)) {
    test(`a PDF bomb ${how} is refused with 413 and not charged, and the work of another agent goes on`, async () => {
      const service = await sharedService();
      const [hostile, honest] = [await buyer(service), await buyer(service)];
      const refused = hostile.execute('doc.pdf_text', { input: { pdf_base64: inBase64(pdf) } });
      const done = await honest.execute('code.barcode', QR);
      assert.equal(done.status, 200, done.text);
      const problem = expectProblem(await refused, 413, 'work_too_large');
      const [fault] = problem['errors'] as { pointer: string; code: string }[];
      assert.equal(fault?.pointer, '#/input/pdf_base64');
      assert.deepEqual(await hostile.balance(), UNCHARGED);
      const next = await hostile.execute('doc.pdf_text', { input: { pdf_base64: inBase64(pdfOf(['Hello'])) } });
      assert.equal((next.json['output'] as { text: string }).text, 'Hello', next.text);
    });
  }

  test('a PNG bomb is refused with 413 by what its header says, and not charged', async () => {
    const agent = await buyer(await sharedService());
    const input = { image_base64: inBase64(hugePng()) };
    const problem = expectProblem(await agent.execute('code.barcode', { input }), 413, 'work_too_large');
    assert.match(String(problem['detail']), /unpacks to 39690000 pixels and 317520000 bytes/);
    assert.deepEqual(await agent.balance(), UNCHARGED);
  });

  test('in a list takes the place of its output, and the rest is done and charged', async () => {
    const agent = await buyer(await sharedService());
    const inputs = [twicePackedPdf(), pdfOf(['Hello'])].map((pdf) => ({ pdf_base64: inBase64(pdf) }));
    const { json } = await agent.execute('doc.pdf_text', { inputs });
    const outputs = json['outputs'] as { text?: string; error?: { code: string } }[];
    assert.deepEqual([outputs[0]?.error?.code, outputs[1]?.text], ['pdf_too_large', 'Hello']);
    assert.deepEqual(await agent.balance(), ['9.99', '0.00']);
  });
});

test('a regular expression that would go back and forth for years is answered like any other', async () => {
  const agent = await buyer(await sharedService());
  const input = { data: `${'a'.repeat(4_000)}!`, schema: { type: 'string', pattern: '^(a+)+$' } };
  const { json, text } = await agent.execute('data.validate', { input });
  assert.equal((json['output'] as { valid: boolean }).valid, false, text);
});

test('work that takes too long is not charged, and after several of them the heavy work of the agent rests', async () => {
  // No process answers in the thousandth part of the usual time.
  await using service = await TestService.start({ clock: new ManualClock(Date.UTC(2026, 10, 15)), patience: 0.001 });
  const [agent, other] = [await buyer(service), await buyer(service)];
  for (let n = 0; n < HEAVY_LIMITS.failuresPerAgent; n += 1) {
    expectProblem(await agent.execute('code.barcode', QR), 502, 'provider_failed');
  }
  const paused = await agent.execute('code.barcode', QR);
  expectProblem(paused, 429, 'heavy_work_paused');
  assert.equal(paused.headers['retry-after'], String(HEAVY_LIMITS.restMs / 1_000));
  assert.deepEqual(await agent.balance(), UNCHARGED);
  assert.equal((await agent.execute('text.draft', { input: { template: 'Hello' } })).status, 200);
  expectProblem(await other.execute('code.barcode', QR), 502, 'provider_failed');
});

/** Executions over processes that the test has in its hand; the key of an agent is its id. */
function executionsOf(store: Store, heavy: HeavyWork): Executions {
  const clock = new ManualClock();
  const prices = readPriceTable('{"version":"1","prices":[]}') as PriceTable;
  const work = new CapabilityWork({
    clock,
    prices,
    heavy,
    fxMicro: 1_000_000,
    hasExtra: (name) => name !== 'ocr',
    models: new ModelClient([]),
    fetch: () => assert.fail('nothing is fetched here'),
  });
  const authenticate = async (key: string | undefined) => ({
    agentId: key ?? '',
    keyId: 'key_1',
    name: 'buyer',
    scopes: [],
  });
  return new Executions({
    store,
    clock,
    work,
    prices,
    paidFees,
    seedOf: (id) => seedOfEntry(store, id),
    process: 'one',
    fx: { rate: '1', asOf: '2026-11-15' },
    authenticate,
    recognise: authenticate,
    notary: { sandbox: true, receipt: ({ signed }) => signed as never },
  });
}

suite('an execution in a process', () => {
  const [LOST, BUSY] = ['agt_0123456789abcdefghjkmnpqrs', 'agt_1123456789abcdefghjkmnpqrs'] as const;
  const options = { mode: 'auto', model: null, max_charge_eur: null, max_output_tokens: 100 } as const;
  const pdf = (bytes: Buffer) => ({ capability: 'doc.pdf_text', input: { pdf_base64: inBase64(bytes) }, options });
  const balanceOf = async (store: Store, agentId: string) => {
    const [row] = await store.read('SELECT posted, held FROM ledger_account WHERE id = $1', [walletOf(agentId)]);
    return [row?.['posted'], row?.['held']];
  };

  test('that is killed from outside fails uncharged with a problem that says to repeat it, and the repeat works', async () => {
    await using opened = await openStore('sqlite');
    await using heavy = new HeavyWork({ clock: new ManualClock(), limitMs: 300_000 });
    const { store } = opened;
    await fund(store, LOST, 1_000_000);
    const executions = executionsOf(store, heavy);
    const running = executions.execute({ ...pdf(pdfOf(['Hello'])), agent_key: LOST });
    process.kill(await until('a process', () => heavy.pids[0]), 'SIGKILL');
    const lost = await running;
    assert.ok(lost instanceof Refusal);
    assert.deepEqual([lost.type.status, lost.type.code], [502, 'provider_failed']);
    assert.match(lost.type.help, /retry the same call/);
    assert.deepEqual(await balanceOf(store, LOST), [1_000_000, 0]);
    const again = (await executions.execute({ ...pdf(pdfOf(['Hello'])), agent_key: LOST })) as ExecuteAnswer;
    assert.equal(again.output?.['text'], 'Hello');
    assert.deepEqual(await balanceOf(store, LOST), [990_000, 0]);
  });

  test('is refused with 429 beyond what its agent may have under way, and held and charged nothing', async () => {
    await using opened = await openStore('sqlite');
    await using heavy = new HeavyWork({ clock: new ManualClock(), limitMs: 300_000 });
    const { store } = opened;
    await fund(store, BUSY, 1_000_000);
    await fund(store, LOST, 1_000_000);
    const executions = executionsOf(store, heavy);
    const given = new AbortController();
    const turns = Array.from({ length: HEAVY_LIMITS.executionsPerAgent }, () => heavy.turn(BUSY, given.signal));
    const stuck = turns.map((turn) => turn.run('stuck', null));
    const refused = await executions.execute({ ...pdf(pdfOf(['Hello'])), agent_key: BUSY });
    assert.ok(refused instanceof Refusal);
    assert.deepEqual(
      [refused.type.status, refused.type.code, refused.details.retryAfterSeconds],
      [429, 'too_many_executions', 5],
    );
    assert.deepEqual(await balanceOf(store, BUSY), [1_000_000, 0]);
    const other = (await executions.execute({ ...pdf(pdfOf(['Hello'])), agent_key: LOST })) as ExecuteAnswer;
    assert.equal(other.output?.['text'], 'Hello');
    given.abort();
    await Promise.all(stuck);
  });
});
