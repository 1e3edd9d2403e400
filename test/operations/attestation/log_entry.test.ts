import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ExplorerEntry } from '#areas/attestation/explorer/explorer-answers.ts';
import { verifySealAnswer } from '../../../verify/avouch-verify.mjs';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { sealRecord } from '../../support/log.ts';
import { expectForms } from '../../support/documents.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedLogOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('log_entry');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('an entry by its number and by its id is the same, verifies with its keys, and is a page too', async () => {
  const service = await sharedLogOn('sqlite');
  const read = async (ref: string) => statuses.saw(await service.call(`/log/${ref}`));
  const { json: sealed } = await sealRecord(service, 'a');
  const entry = ExplorerEntry.parse((await read(String(sealed['seq']))).json);
  const again = ExplorerEntry.parse((await read(entry.attestation_id)).json);
  assert.deepEqual({ ...again, recomputed_at: '' }, { ...entry, recomputed_at: '' });
  assert.equal((await verifySealAnswer(entry, entry.vkeys, { ignoreClaim: true })).valid, true);
  await expectForms(service, `/log/${entry.seq}`, new RegExp(entry.attestation_id));
  expectProblem(await read('999999'), 404, 'attestation_not_found');
  expectProblem(await read(`ATT-${'A'.repeat(52)}`), 404, 'attestation_not_found');
  for (const ref of ['01', '-1', 'ATT-x', '1e3']) expectProblem(await read(ref), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/log/0'));
});
