import assert from 'node:assert/strict';
import { testPage } from '../../support/cabinet.ts';
import { fund } from '../../support/wallet.ts';

testPage(
  'cabinet_ledger',
  '/cabinet/ledger',
  async ({ json }, { owner, agent }) => {
    const items = json['items'] as Record<string, string>[];
    assert.deepEqual(
      items.map(({ amount_eur, balance_after_eur }) => [amount_eur, balance_after_eur]),
      [['2.00', '7.00']],
    );
    assert.match(items[0]?.['hash'] ?? '', /^[0-9a-f]{64}$/);
    const path = `/cabinet/ledger?agent_id=${agent.id}`;
    const older = await owner.call(`${path}&limit=1&before_seq=${String(json['next_before_seq'])}`);
    assert.equal((older.json['items'] as unknown[]).length, 1);
    assert.deepEqual((await owner.call(`${path}&kind=test_credit`)).json['kinds'], ['test_credit']);
    assert.deepEqual((await owner.call(`${path}&kind=task`)).json['items'], []);
    for (const csv of [
      await owner.call(`${path}&csv=yes`),
      await owner.call(path, { headers: { accept: 'text/csv' } }),
    ]) {
      assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8');
      assert.deepEqual(
        [csv.text.split('\r\n').length, csv.text.split(',')[0], csv.text.includes(',7.00,')],
        [4, 'seq', true],
      );
    }
  },
  {
    missing: 'agent_id=agt_0123456789abcdefghjkmnpqrs',
    async prepare({ service, agent }) {
      await fund(service.service.store, agent.id, 2_000_000);
      return '?limit=1';
    },
  },
);
