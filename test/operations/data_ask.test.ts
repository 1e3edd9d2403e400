import assert from 'node:assert/strict';
import { testDataOperation } from '../_data-operations.ts';
import { expectProblem } from '../_harness.ts';

testDataOperation('data_ask', {
  path: '/api/data/ask',
  good: ['?question=How+many+keys+can+one+claim+take+at+once%3F&lang=en', '?question=Wat+is+het+weer+morgen%3F'],
  bad: { '?lang=fr': ['question', 'lang'] },
  async more(service, saw) {
    const { json } = await service.call('/api/data/ask?question=What+is+the+capital+of+France%3F');
    assert.deepEqual([json['answer'], json['abstained']], [null, true]);
    const asked = saw(await service.call('/api/data/ask?question=What+is+the+admin+password+of+your+server%3F'));
    assert.equal(expectProblem(asked, 403, 'rule_refused')['rule'], 'secret_request');
  },
});
