import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { VerifyPage } from '#areas/attestation/explorer/explorer-answers.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectForms } from '../../support/documents.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';
import { verifySealAnswer } from '../../../verify/avouch-verify.mjs';

const statuses = new PromisedStatuses('verify_page');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the keys to check with are those that the service publishes', async () => {
  const service = await sharedService();
  const read = async (query = '') => statuses.saw(await service.call(`/verify${query}`));
  const { vkeys, receipt_keys: keys } = VerifyPage.parse((await read()).json);
  const published = (await service.call('/.well-known/avouch-keys.json')).json['keys'] as Record<string, unknown>[];
  const of = (scope: string, member: string) =>
    published.filter((key) => key['scope'] === scope && key['alg'] === 'ed25519').map((key) => key[member]);
  assert.deepEqual(vkeys, of('log-checkpoint', 'vkey'));
  assert.deepEqual(
    keys.map((key) => key.public_key),
    of('receipts', 'public_key'),
  );
  await expectForms(service, '/verify', new RegExp(RegExp.escape(vkeys[0] as string).slice(0, 40)));
  const { example, ...keysAlone } = VerifyPage.parse((await read('?example=valid')).json);
  assert.deepEqual(keysAlone, VerifyPage.parse((await read()).json), 'without an example the response is as ever');
  const { example: changed } = VerifyPage.parse((await read('?example=tampered')).json);
  const verdicts = [example, changed].map(async (file) =>
    verifySealAnswer(JSON.parse(String(file?.text)), vkeys).then(({ valid }) => valid),
  );
  assert.deepEqual(await Promise.all(verdicts), [true, false]);
  expectProblem(await read('?x=1'), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/verify'));
});
