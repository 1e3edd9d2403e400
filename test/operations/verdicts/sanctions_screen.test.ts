import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { HOUR_MS } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { testPaidOperation } from '../../support/paid-operation.ts';
import { PaidService } from '../../support/paid-service.ts';
import { expectOutage, pathOf, RegisterBench } from '../../support/register-verdicts.ts';
import { bareService } from '../../support/shared-service.ts';

const statuses = testPaidOperation({
  operationId: 'sanctions_screen',
  right: { name: 'Voorbeeld' },
  otherRight: { name: 'Other' },
  wrong: { name: 'x', colour: 'red' },
  pointers: ['#/colour', '#/name'],
  price: '10000',
});

interface Hit {
  readonly entity_id: string;
  readonly listed_name: string;
  readonly why: { readonly words: readonly { readonly listed: string; readonly how: string }[] };
}
interface Result {
  readonly status: string;
  readonly flags: readonly string[];
  readonly hit_count: number;
  readonly attribution: string;
  readonly hits: readonly Hit[];
  readonly weak_hits: readonly Hit[];
  readonly list_age_hours: number;
  readonly open_questions: readonly { readonly code: string }[];
  readonly list_loaded_at: string;
  readonly checked_at: string;
  readonly oldest_observation_at: string;
}

const path = (name: string) => pathOf('sanctions_screen', { name });
const resultOf = (answer: { readonly json: Record<string, unknown> }) => answer.json['result'] as Result;

suite('sanctions_screen: verdicts', () => {
  const cases = [
    ['Anton Borisovich Vymyslov', 'CANDIDATES', [], ['EU.80001.11'], []],
    ['Антон Вымыслов', 'CANDIDATES', [], ['EU.80001.11'], []],
    ['Zephyrion Marble Trading', 'CANDIDATES', [], ['80002'], []],
    ['Tomasz Mikael Exempelov', 'CANDIDATES', [], ['EU.90077.33'], []],
    ['Thomas Exempeloff', 'CANDIDATES', [], ['EU.90077.33'], []],
    ['Ivan Ivanovitj Primerov', 'CANDIDATES', [], ['EU.97666.71'], []],
    ['Иван Иванович Примеров', 'CANDIDATES', [], ['EU.97666.71'], []],
    ['Organização Exemplo Fictícia', 'CANDIDATES', [], ['EU.93502.46'], []],
    ['Shadow Badgers', 'WEAK_CANDIDATES_ONLY', ['WEAK_ALIAS_MATCH'], [], ['EU.80001.11']],
    ['Voorbeeld', 'NO_CANDIDATES', ['SHORT_QUERY'], [], []],
    ['Voorbeeld Handel', 'NO_CANDIDATES', [], [], []],
    ['ឈ្មោះ គំរូ', 'NO_CANDIDATES', ['SCRIPT_NOT_READ'], [], []],
    ['Anton Borisovich Vymyslov ឈ្មោះ', 'CANDIDATES', ['SCRIPT_NOT_READ'], ['EU.80001.11'], []],
    ['★ ★ ★', 'NO_CANDIDATES', ['SCRIPT_NOT_READ'], [], []],
  ] as const;

  let bench: RegisterBench;
  before(async () => {
    bench = await RegisterBench.start();
  });
  after(() => bench[Symbol.asyncDispose]());

  test('a name finds the entities that it may mean, with what fits and nothing of the name itself', async () => {
    for (const [name, status, flags, hits, weak] of cases) {
      const result = resultOf(statuses.saw(await bench.paid.buy(path(name))));
      const ids = (found: readonly Hit[]) => found.map((hit) => hit.entity_id);
      assert.deepEqual(
        [result.status, result.flags, ids(result.hits), ids(result.weak_hits)],
        [status, flags, hits, weak],
      );
      assert.deepEqual([result.hit_count, result.attribution], [hits.length, 'European Commission, DG FISMA']);
      const asksForLatin = result.open_questions.some(({ code }) => code === 'SCRIPT_NOT_READ');
      assert.equal(
        asksForLatin,
        flags.some((flag) => flag === 'SCRIPT_NOT_READ'),
        name,
      );
      for (const { why } of [...result.hits, ...result.weak_hits]) assert.ok(why.words.length > 0);
    }
  });

  test('the time of the check and the time of the list are told apart', async () => {
    const loadedAt = new Date(bench.paid.clock.now()).toISOString();
    bench.paid.clock.advance(HOUR_MS);
    const screened = resultOf(await bench.paid.buy(path('Voorbeeld Handel')));
    const checkedAt = new Date(bench.paid.clock.now()).toISOString();
    assert.deepEqual([screened.checked_at, screened.list_loaded_at], [checkedAt, loadedAt]);
    assert.equal(screened.oldest_observation_at, loadedAt);
    const company = pathOf('counterparty_check', { company_name: 'Voorbeeld Handel' });
    const checked = (await bench.paid.buy(company)).json['result'] as Result & { sanctions: Result };
    assert.deepEqual([checked.checked_at, checked.oldest_observation_at], [checkedAt, loadedAt]);
    assert.equal(checked.sanctions.list_loaded_at, loadedAt);
  });

  test('a list that is older than two days is used and flagged', async () => {
    bench.paid.clock.advance(42 * HOUR_MS);
    const result = resultOf(await bench.paid.buy(path('Voorbeeld Handel')));
    assert.deepEqual([result.flags, result.list_age_hours], [['LIST_OLDER_THAN_48H'], 49]);
  });

  for (const fault of ['500', 'hang']) {
    test(`a service that got ${fault} instead of a list screens nothing and charges nothing`, async () => {
      await using listless = await RegisterBench.start({}, ['fsf', fault]);
      const body = expectOutage(statuses.saw(await listless.paid.buy(path('Anton Vymyslov'))), 'eu_fsf');
      assert.deepEqual([body['register_code'], listless.paid.chain.transfers.size], ['LIST_NOT_LOADED', 0]);
    });
  }

  test('a list that is switched off is told, uncharged', async () => {
    const paid = PaidService.at(await bareService());
    const body = expectProblem(statuses.saw(await paid.buy(path('Voorbeeld'))), 503, 'register_not_configured');
    assert.deepEqual([body['register'], body['charged']], ['eu_fsf', false]);
  });
});
