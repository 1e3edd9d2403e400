import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SanctionsQuality } from '#areas/verdicts/sanctions-quality.ts';
import { MATCHER_VERSION, PAIR_THRESHOLD, SCREEN_THRESHOLD } from '#screening/name-score.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('sanctions_quality');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the figures are those of the matcher in use: without a new measurement no other matcher is published', async () => {
  const service = await sharedService();
  const answer = statuses.saw(await service.call('/v1/sanctions/quality'));
  const quality = SanctionsQuality.parse(answer.json);
  assert.deepEqual(
    [quality.matcher_version, quality.pair_threshold, quality.screen_threshold],
    [MATCHER_VERSION, PAIR_THRESHOLD, SCREEN_THRESHOLD],
    'measure again: npm run eval:sanctions -- --data <directory> --write',
  );
  assert.deepEqual(
    quality.parts.map(({ part }) => part),
    ['tuned', 'held_out'],
  );
  for (const { recall, false_hits: falseHits } of quality.parts) assert.ok(recall.length > 0 && falseHits.length > 0);
  expectProblem(statuses.saw(await service.call('/v1/sanctions/quality?verbose=1')), 400, 'invalid_parameters');
});
