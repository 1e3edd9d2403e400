import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime } from '#kernel/clock.ts';
import { SealCount } from '#platform/log/seal-count.ts';
import { documentTest } from '../../support/documents.ts';
import { AUDIT, PaidService } from '../../support/paid-service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { until } from '../../support/until.ts';

const REFRESHED_MS = 61_000;
const PRICES = [
  ['/v1/counterparty-check', '0.03', '30000'],
  ['/v1/sanctions-screen', '0.01', '10000'],
  ['/v1/nl-vehicle-check', '0.01', '10000'],
  ['/v1/eu-vat-check', '0.002', '2000'],
  ['/v1/uk-company-check', '0.005', '5000'],
  ['/v1/uk-vehicle-mot-check', '0.005', '5000'],
  ['/v1/agent-budget-audit', '0.05', '50000'],
  ['/v1/spend-fuse', '0.002', '2000'],
  ['/v1/agent-coordination-audit', '0.05', '50000'],
];

documentTest('economy_manifest', async (service, _statuses, answer) => {
  const { verdicts, payment } = answer.json as { verdicts: Record<string, string>[]; payment: Record<string, unknown> };
  assert.deepEqual(
    verdicts.map((row) => [row['path'], row['price_usdc'], row['price_atomic']]),
    PRICES,
  );
  const { json: challenge } = await service.call('/v1/eu-vat-check');
  const [accepted] = challenge['accepts'] as [Record<string, unknown>];
  assert.deepEqual([payment['pay_to'], payment['asset']], [accepted['payTo'], accepted['asset']]);
  assert.deepEqual(payment['eip712'], accepted['extra']);
  assert.equal(answer.headers['cache-control'], 'public, max-age=60');
});

test('the manifest of prices has its amounts as numbers, the longest time of a payment and the way to the capabilities', async () => {
  const service = await sharedService();
  const { json } = await service.call('/economy/manifest');
  const { payment, wallet, capabilities, verdicts } = json as Record<string, Record<string, unknown>> & {
    verdicts: { path: string; max_timeout_s: number }[];
  };
  assert.equal(wallet?.['minimum_charge_eur'], 0.01);
  const timeouts = await Promise.all(
    verdicts.map(async ({ path, max_timeout_s }) => {
      const [accepted] = (await service.call(path)).json['accepts'] as [{ maxTimeoutSeconds: number }];
      assert.equal(max_timeout_s, accepted.maxTimeoutSeconds, path);
      return accepted.maxTimeoutSeconds;
    }),
  );
  assert.equal(payment?.['max_timeout_s'], Math.max(...timeouts));
  const { status, json: manifest } = await service.call(new URL(String(capabilities?.['url'])).pathname);
  assert.deepEqual([status, manifest['manifest']], [200, 'capabilities']);
});

test('a call that was paid is counted with what it cost', async () => {
  const paid = await PaidService.on('sqlite');
  const figures = async () => {
    paid.clock.advance(REFRESHED_MS);
    const asOf = isoTime(paid.clock.now());
    let live: Record<string, unknown> | null = null;
    await until('figures of now', async () => {
      await paid.service.heartbeat();
      live = (await paid.call('/economy/manifest')).json['live'] as Record<string, unknown> | null;
      return live?.['as_of'] === asOf;
    });
    return live as unknown as Record<string, unknown>;
  };
  const before = await figures();
  await paid.buy(AUDIT);
  const counted = await figures();
  const more = (name: string) => Number(counted[name]) - Number(before[name]);
  assert.deepEqual([more('paid_calls_total'), more('settled_usdc_total').toFixed(6)], [1, '0.050000']);
  assert.equal(counted['refunds_due'], 0);
  assert.ok(Number(counted['seals_total']) >= 1, 'entry 0 is a seal');
});

test('rejections are counted by their verdict, whatever a statement says', async () => {
  const service = await sharedService();
  const seal = async (statement: string) => {
    const body = { schema_id: 'record.integrity.v1', claim: { statement } };
    return (await service.call('/api/attest/seal', { method: 'POST', body })).json as { seq: number; verdict: string };
  };
  const first = await seal('"verdict":"REJECT"');
  const last = await seal('');
  assert.deepEqual([first.verdict, last.verdict], ['ACCEPT', 'REJECT']);
  const counted = async (size: number) => new SealCount(service.service.store).countUpTo(size, 0);
  const [before, after] = [await counted(first.seq), await counted(last.seq + 1)];
  assert.deepEqual([after.seals - before.seals, after.rejects - before.rejects], [2, 1]);
  const onceMore = new SealCount(service.service.store);
  await onceMore.countUpTo(first.seq, 0);
  assert.deepEqual(await onceMore.countUpTo(last.seq + 1, 0), after);
});
