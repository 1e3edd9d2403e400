import assert from 'node:assert/strict';
import { sha256Hex } from '#kernel/ids.ts';
import { documentTest } from '../../support/documents.ts';
import { expectProblem } from '../../support/client.ts';

documentTest(
  'verify_file',
  async (service, statuses) => {
    const { json } = await service.call('/agent-discovery/onboarding');
    for (const name of ['verifier', 'test_vectors']) {
      const { url, sha256 } = json[name] as { url: string; sha256: string };
      assert.equal(sha256Hex((await service.call(url.slice(service.url.length))).text), sha256, name);
    }
    for (const name of ['other', '..', 'constructor', '..%2fpackage.json']) {
      expectProblem(statuses.saw(await service.call(`/verify/${name}`)), 404, 'unknown_file');
    }
  },
  '/verify/avouch-verify.mjs',
);
