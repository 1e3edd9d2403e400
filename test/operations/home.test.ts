import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { liveLeases } from '#areas/crossing/claim-count.ts';
import { SealCount } from '#log/seal-count.ts';
import { documentTest } from '../_documents.ts';

documentTest('home', async (service, _statuses, { json }) => {
  const entry = (await service.call('/entry')).json;
  for (const name of ['first_calls', 'description', 'is_not']) assert.deepEqual(json[name], entry[name], name);
  assert.equal((json['first_calls'] as unknown[]).length, 3);
  const live = async () => (await service.call('/')).json['live'] as Record<string, number | null>;
  while ((await live())['claims_now'] === null || (await live())['seals_today'] === null) await setTimeout(20);
  const { log_entries, claims_now, seals_today } = await live();
  const { store } = service.service;
  assert.deepEqual([claims_now, await liveLeases(store, 0)], [0, 0]);
  assert.equal((await service.call('/v1/claim?key=gh:acme/repo%2312&agent=counter')).status, 200);
  assert.deepEqual([await liveLeases(store, 0), await liveLeases(store, Number.MAX_SAFE_INTEGER)], [1, 0]);
  const seals = new SealCount(store);
  assert.equal((await seals.countUpTo(log_entries as number, 0)).today, seals_today, 'all are of today');
  assert.equal((await seals.countUpTo(log_entries as number, Number.MAX_SAFE_INTEGER)).today, 0);
});
