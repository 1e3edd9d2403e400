import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckAnswer } from '#areas/briefs/outputs.ts';
import vectors from '../../vectors/briefs.json' with { type: 'json' };
import { type CallOptions, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('brief_check');
const PATH = '/v1/brief/check';
let service: TestService;
before(async () => {
  service = await sharedService();
});
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

/** Every brief and every event. */
async function stored(): Promise<unknown> {
  const { store } = service.service;
  return [await store.read('SELECT id FROM brief'), await store.read('SELECT rev FROM event')];
}

const get = async (parameters: Record<string, string>, headers = {}) =>
  statuses.saw(await service.call(`${PATH}?${new URLSearchParams(parameters)}`, { headers }));
const post = async (body: CallOptions['body'], headers = {}) =>
  statuses.saw(await service.call(PATH, { method: 'POST', ...(body !== undefined && { body }), headers }));

test('every card of the vectors has its score, verdict and questions, by GET and by POST', async () => {
  for (const { id, card, score, clarity, asks } of vectors.cards) {
    for (const answer of [await get(card), await post(card)]) {
      assert.equal(answer.status, 200, answer.text);
      const judged = CheckAnswer.parse(answer.json);
      assert.deepEqual(
        [judged.score, judged.clarity, judged.questions.map(({ field }) => field)],
        [score, clarity, asks],
        id,
      );
    }
  }
});

test('nothing is stored', async () => {
  const earlier = await stored();
  await get({ goal: 'The parser accepts commas' });
  assert.deepEqual(await stored(), earlier);
});

test('questions are asked in the language that the caller or the card speaks', async () => {
  const dutch = { goal: 'De knop moet zichtbaar zijn voor alle gebruikers' };
  assert.equal((await get(dutch)).json['language'], 'nl');
  const asked = CheckAnswer.parse((await get(dutch, { 'accept-language': 'de, en;q=0.8, nl' })).json);
  assert.deepEqual(
    [asked.language, asked.questions[0]?.text],
    ['en', 'How will someone see, without asking you, that it is done?'],
  );
});

test('an amount may be a number in JSON, and odd content is weak and not refused', async () => {
  const { json } = await post({
    goal: 'The parser accepts commas',
    reward_usd: 20,
    spend_cap_usd: 1e21,
    expires_at: 'soon',
  });
  const states = CheckAnswer.parse(json).fields.map(({ field, state }) => `${field} ${state}`);
  assert.ok(
    ['reward_usd good', 'spend_cap_usd weak', 'expires_at weak'].every((state) => states.includes(state)),
    json['text'] as string,
  );
});

test('a goal is required, blank is absent, and fields and card have their limits', async () => {
  for (const parameters of [{}, { goal: ' \u200b ' }]) expectProblem(await get(parameters), 400, 'invalid_parameters');
  const long = '😀'.repeat(2_000);
  assert.equal((await post({ goal: long })).status, 200);
  assert.equal((await post({ goal: long, acceptance: long, target: long, output: long })).status, 200);
  const errors = async (body: Record<string, unknown>) =>
    (expectProblem(await post(body), 400, 'invalid_parameters')['errors'] as { pointer: string; code: string }[]).map(
      ({ pointer, code }) => `${pointer} ${code}`,
    );
  assert.deepEqual(await errors({ goal: `${long}x`, output: `${long}x`, colour: 'red' }), [
    '#/goal too_long',
    '#/output too_long',
    '#/colour unknown_parameter',
  ]);
  assert.deepEqual(await errors({ goal: long, acceptance: long, target: long, output: long, inputs: 'x' }), [
    '# card_too_long',
  ]);
  expectProblem(await get({ goal: 'a', slots: '1' }), 400, 'invalid_parameters');
});

test('bodies that are no JSON or too long are refused', async () => {
  expectProblem(await post('{', { 'content-type': 'application/json' }), 400, 'malformed_json');
  expectProblem(await post('goal=x', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
  expectProblem(await post({ goal: 'x'.repeat(270_000) }), 413, 'body_too_large');
});

test('more calls than the class allows are refused with 429', async () => {
  await expectLimited(statuses, (limited) => limited.call(`${PATH}?goal=x`));
});
