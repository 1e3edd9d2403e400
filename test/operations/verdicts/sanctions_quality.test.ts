import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Status } from '#areas/discovery/status-answer.ts';
import { SanctionsQuality } from '#areas/verdicts/sanctions-quality-answer.ts';
import { MATCHER_VERSION, PAIR_THRESHOLD, SCREEN_THRESHOLD } from '#platform/screening/name-score.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { RegisterBench } from '../../support/register-verdicts.ts';
import type { TestService } from '../../support/service.ts';
import { bareService, sharedService } from '../../support/shared-service.ts';
import { PROCESSES_HUNG_MS, until } from '../../support/until.ts';

const statuses = new PromisedStatuses('sanctions_quality');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/v1/sanctions/quality';
const qualityOf = async (service: TestService) => {
  const { json, headers } = statuses.saw(await service.call(PATH));
  return { quality: SanctionsQuality.parse(json), cache: headers['cache-control'] };
};

test('the figures are of the list in use, which is named by its date and hash', async () => {
  const service = await sharedService();
  const { quality, cache } = await until(
    'the figures',
    async () => {
      const seen = await qualityOf(service);
      return seen.quality.status === 'measured' && seen;
    },
    PROCESSES_HUNG_MS,
  );
  const { registers } = Status.parse((await service.call('/system/status')).json);
  const inUse = registers.find(({ id }) => id === 'eu_fsf')?.list;
  assert.ok(inUse !== null && inUse !== undefined);
  const { age_hours: _, ...named } = inUse;
  assert.partialDeepStrictEqual(quality.list, named);
  assert.match(quality.list?.source ?? '', /^Invented sandbox list/);
  assert.deepEqual(
    [quality.matcher_version, quality.pair_threshold, quality.screen_threshold],
    [MATCHER_VERSION, PAIR_THRESHOLD, SCREEN_THRESHOLD],
  );
  const [mangled] = quality.recall;
  assert.ok(mangled !== undefined && mangled.queries > 0 && mangled.recall !== null);
  assert.ok(mangled.entities <= inUse.entities, 'the queries come from this list');
  assert.equal(quality.false_hits.length, 8);
  assert.equal(cache, 'public, max-age=60');
  expectProblem(statuses.saw(await service.call(`${PATH}?verbose=1`)), 400, 'invalid_parameters');
});

test('without a list, or with none switched on, nothing is said to be measured', async () => {
  await using listless = await RegisterBench.start({}, ['fsf', '500']);
  const services = { no_list: listless.paid.service, switched_off: (await bareService()).service };
  for (const [reason, service] of Object.entries(services)) {
    const { quality, cache } = await qualityOf(service);
    assert.partialDeepStrictEqual(quality, {
      status: 'not_measured',
      reason,
      list: null,
      measured_at: null,
      recall: [],
      false_hits: [],
    });
    assert.equal(cache, 'public, max-age=5');
  }
});

test('the printed examples are of the matcher that runs', async () => {
  const { sanctionsQualityPage } = await import('#areas/verdicts/sanctions-quality.ts');
  for (const { output } of sanctionsQualityPage.examples) {
    assert.deepEqual(
      [output.matcher_version, output.pair_threshold, output.screen_threshold],
      [MATCHER_VERSION, PAIR_THRESHOLD, SCREEN_THRESHOLD],
    );
  }
});
