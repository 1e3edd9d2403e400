import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { registeredAgent } from '../../support/wallet.ts';
import { expectLimited, keyRefusals, STRANGER } from '../../support/refusals.ts';
import { sharedService, sharedServiceOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('get_wallet_ledger');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/agents/wallet/ledger';

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`movements are listed page by page, newest first, and as CSV, on ${engine}`, { skip }, async () => {
    const { service } = await sharedServiceOn(engine);
    const agent = await registeredAgent(service);
    const other = await registeredAgent(service);
    for (const amount of [1_000_000, 2_000_000, 3_000_000]) {
      await agent.fund(amount);
      await other.fund(amount);
    }
    const page = async (query: string) => statuses.saw(await agent.call(`${PATH}${query}`)).json;
    const first = await page('?limit=2');
    const items = first['items'] as Record<string, unknown>[];
    assert.deepEqual(
      items.map(({ amount_eur, balance_after_eur, kind }) => [amount_eur, balance_after_eur, kind]),
      [
        ['3.00', '6.00', 'test_credit'],
        ['2.00', '3.00', 'test_credit'],
      ],
    );
    assert.equal(first['next_before_seq'], items[1]?.['seq']);
    const second = await page(`?limit=2&before_seq=${String(first['next_before_seq'])}`);
    assert.deepEqual([(second['items'] as unknown[]).length, second['next_before_seq']], [1, null]);
    const { text, headers } = await agent.call(PATH, { headers: { accept: 'text/csv' } });
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
    const lines = text.split('\r\n');
    assert.equal(lines[0], 'seq,tx_id,at,kind,ref,amount_eur,balance_after_eur,hash');
    assert.deepEqual([lines.length, lines[1]?.split(',')[6], lines[4]], [5, '6.00', '']);
  });
}

test('bad pages and keys are refused', async () => {
  const service = await sharedService();
  const agent = await registeredAgent(service);
  expectProblem(statuses.saw(await agent.call(`${PATH}?limit=1001&before_seq=0`)), 400, 'invalid_parameters');
  await keyRefusals(statuses, (headers) => service.call(PATH, { headers }));
  await expectLimited(statuses, (limited) => limited.call(PATH, { headers: STRANGER }));
});
