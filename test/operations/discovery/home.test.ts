import assert from 'node:assert/strict';
import { Demos } from '#areas/discovery/front/demos.ts';
import { liveLeases } from '#areas/crossing/lease/lease-reads.ts';
import { SealCount } from '#platform/log/seal-count.ts';
import { documentTest } from '../../support/documents.ts';
import { sealRecord } from '../../support/log.ts';
import { sharedServiceOn } from '../../support/shared-service.ts';
import { until } from '../../support/until.ts';

documentTest('home', async (service, _statuses, { json }) => {
  const entry = (await service.call('/entry')).json;
  for (const name of ['first_calls', 'description', 'is_not']) assert.deepEqual(json[name], entry[name], name);
  assert.equal((json['first_calls'] as unknown[]).length, 3);
  const { entry: newest, vat_check: check } = Demos.parse(json['demos']);
  const verified = (await service.call(`/api/attest/verify/${newest?.attestation_id}`)).json;
  assert.deepEqual([verified['valid'], verified['seq']], [true, newest?.seq]);
  const prices = entry['prices'] as { operation_id: string; amount: string }[];
  assert.equal(check?.price_usdc, prices.find(({ operation_id: id }) => id === 'eu_vat_check')?.amount);
  const live = async () => (await service.call('/')).json['live'] as Record<string, number | null>;
  await sealRecord(service, 'for the page');
  // Counted by the minute.
  (await sharedServiceOn('sqlite')).clock.advance(61_000);
  await until('the seal on the page', async () => {
    await service.heartbeat();
    const { claims_now, seals_today } = await live();
    return claims_now !== null && Number(seals_today) > 0;
  });
  const asPage = { headers: { accept: 'text/html' } };
  const statusHeadline = async () =>
    /<h1><span[^>]*><\/span>([^<]+)<\/h1>/.exec((await service.call('/system/status', asPage)).text)?.[1];
  const [earlier, home, later] = [await statusHeadline(), await service.call('/', asPage), await statusHeadline()];
  assert.match(
    home.text,
    new RegExp(`id="live"[^]*?(?:${[earlier, later].map((text) => RegExp.escape(String(text))).join('|')})</span></a>`),
    'as the status page has it',
  );
  const { store } = service.service;
  const before = await liveLeases(store, 0);
  assert.equal((await service.call('/v1/claim?key=k:home-counts&agent=counter')).status, 200);
  assert.deepEqual([await liveLeases(store, 0), await liveLeases(store, Number.MAX_SAFE_INTEGER)], [before + 1, 0]);
  const { clock } = await sharedServiceOn('sqlite');
  clock.advance(2_000);
  assert.equal((await live())['claims_now'], await liveLeases(store, clock.now()), 'without a heartbeat');
  const { log_entries, seals_today } = await live();
  const seals = new SealCount(store);
  const { today } = await seals.countUpTo(log_entries as number, 0);
  assert.ok(today >= Number(seals_today) && Number(seals_today) > 0, `${today} ${seals_today}`);
  assert.equal((await seals.countUpTo(log_entries as number, Number.MAX_SAFE_INTEGER)).today, 0);
});
