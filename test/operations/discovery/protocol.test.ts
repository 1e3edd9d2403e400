import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';
import { expectProblem } from '../../support/client.ts';

/** Where the same method stands on its own. */
const ALSO_AT = { 'aba-1': '/v1/budget/protocol', 'aca-1': '/v1/coordination/protocol', 'acb-1': '/v1/brief' };

documentTest(
  'protocol',
  async (service, statuses) => {
    for (const [id, path] of Object.entries(ALSO_AT)) {
      const { json } = statuses.saw(await service.call(`/protocols/${id}`));
      assert.deepEqual(json['document'], (await service.call(path)).json, id);
    }
    expectProblem(statuses.saw(await service.call('/protocols/xyz')), 404, 'unknown_protocol');
    expectProblem(await service.call('/protocols/constructor'), 404, 'unknown_protocol');
  },
  '/protocols/amh-0',
);
