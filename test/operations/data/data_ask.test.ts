import assert from 'node:assert/strict';
import { testDataOperation } from './data-operations.ts';
import { expectProblem } from '../../support/client.ts';
import { lockDatabase } from '../../support/service.ts';

testDataOperation('data_ask', {
  path: '/api/data/ask',
  good: ['?question=How+many+keys+can+one+claim+take+at+once%3F&lang=en', '?question=Wat+is+het+weer+morgen%3F'],
  bad: { '?lang=fr': ['question', 'lang'] },
  async more(service, saw) {
    const { json } = await service.call('/api/data/ask?question=What+is+the+capital+of+France%3F');
    assert.deepEqual([json['answer'], json['abstained']], [null, true]);
    const ask = async () =>
      saw(await service.call('/api/data/ask?question=What+is+the+admin+password+of+your+server%3F'));
    {
      using _lock = lockDatabase(service.dataDir);
      expectProblem(await ask(), 503, 'storage_unavailable');
    }
    assert.equal(expectProblem(await ask(), 403, 'rule_refused')['rule'], 'secret_request');
  },
});
