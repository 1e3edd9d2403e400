import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { SpendCheck } from '#areas/audits/outputs.ts';
import { ownVectors } from '../../properties/audit-vectors.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import type { TestService } from '../../support/service.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('check');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

async function check(service: TestService, query: Record<string, string> | string): Promise<Answer> {
  const text = typeof query === 'string' ? query : String(new URLSearchParams(query));
  return statuses.saw(await service.call(`/v1/check?${text}`));
}

function memory({ service }: TestService): Promise<readonly unknown[]> {
  return service.store.read('SELECT payment FROM fuse_memory');
}

const NAMES = [
  'instruction source',
  'envelope',
  'repeat',
  'counterparty',
  'price',
  'expected value',
  'stop-loss',
  'irreversibility',
  'delivery',
  'receipt',
];

/** What is sent for one parameter, and no pattern of the protocol takes. */
const MALFORMED: Readonly<Record<string, readonly string[]>> = {
  amount_usd: [
    '',
    ' ',
    '1 ',
    '-1',
    '+1',
    '01',
    '1.',
    '.5',
    '1e3',
    '1,5',
    '0x10',
    '1000000000',
    '0.0000001',
    'NaN',
    '٣',
  ],
  per_action_cap_usd: ['', '-0', '1_000', 'Infinity'],
  period_budget_usd: ['', '1.1234567'],
  period_spent_usd: ['', 'x'],
  agent: ['', 'a', 'x'.repeat(81)],
  intent_id: ['', 'x'.repeat(129)],
  intent_settled_before: ['', 'Yes', 'unknown', 'true', '1'],
  counterparty_verified: ['', 'maybe', 'YES'],
  instruction_source: ['', 'Principal', 'user'],
  reference_price_usd: ['', '1.'],
  p_success: ['', '1.1', '-0.1', '.5', '1.000001', '0.1234567', '50%', '2', '01'],
  p_basis: ['', 'guess', 'Measured'],
  value_usd: ['', '1 000'],
  effort_cost_usd: ['', '--1'],
  cumulative_cost_usd: ['', '1.0.0'],
  attempts_without_progress: ['', '-1', '1.5', '1234567', '1e1', 'two'],
  reversible: ['', 'unknown', 'YES'],
  approved_out_of_band: ['', 'y'],
  delivery: ['', 'cash', 'Escrow'],
  probe_amount_usd: ['', 'null'],
};

suite('check', () => {
  test('every vector gets its verdict over HTTP; only what the memory would know is missing', async () => {
    const service = await sharedService();
    for (const { name, query, isRemembered, expect } of ownVectors.fuse) {
      const answer = await check(service, query);
      assert.equal(answer.status, 200, name);
      const {
        verdict,
        stops,
        cautions,
        expected_value_usd: value,
        checks,
        declared,
        ...rest
      } = SpendCheck.parse(answer.json);
      const remembered = { ...expect, verdict: 'GO', stops: [] };
      assert.deepEqual(
        { verdict, stops, cautions, expected_value_usd: value },
        isRemembered ? remembered : expect,
        name,
      );
      assert.deepEqual(
        checks.map((row) => row.name),
        NAMES,
      );
      assert.deepEqual(declared, query);
      assert.deepEqual(rest, { protocol: 'ABA-1.0', signed: false, stored: false });
      assert.equal(answer.headers['cache-control'], 'no-store');
    }
  });

  test('asking twice changes nothing, and the answer says that nothing is remembered', async () => {
    const service = await sharedService();
    const vector = ownVectors.fuse[0];
    const query = vector?.query as Record<string, string>;
    const before = await memory(service);
    const first = await check(service, query);
    assert.equal((await check(service, query)).text, first.text);
    assert.match(SpendCheck.parse(first.json).checks[2]?.why ?? '', /remembers nothing/);
    assert.deepEqual(await memory(service), before);
  });

  test('each malformed value is refused and names its parameter', async () => {
    const service = await sharedService();
    for (const [name, values] of Object.entries(MALFORMED)) {
      for (const value of values) {
        const query = { ...(name !== 'amount_usd' && { amount_usd: '1' }), [name]: value };
        const body = expectProblem(await check(service, query), 400, 'invalid_parameters');
        assert.deepEqual(
          (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer),
          [`#/${name}`],
          `${name}=${value}`,
        );
      }
    }
  });

  test('all bad parameters are listed at once: wrong, missing, repeated and unknown ones', async () => {
    const service = await sharedService();
    const all = Object.fromEntries(Object.keys(MALFORMED).map((name) => [name, '']));
    const body = expectProblem(await check(service, all), 400, 'invalid_parameters');
    assert.equal((body['errors'] as unknown[]).length, Object.keys(MALFORMED).length);
    const query = 'p_success=0.5&p_success=0.5&per_action_cap_us=1&delivery=cash';
    const mixed = expectProblem(await check(service, query), 400, 'invalid_parameters');
    assert.deepEqual(
      (mixed['errors'] as { pointer: string; code: string }[]).map(({ pointer, code }) => `${pointer} ${code}`),
      [
        '#/amount_usd missing',
        '#/p_success repeated',
        '#/delivery not_allowed',
        '#/per_action_cap_us unknown_parameter',
      ],
    );
  });

  test('checks are limited as reads', async () => {
    await expectLimited(statuses, (service) => check(service, 'amount_usd=1'));
  });
});
