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
    assert.deepEqual(json['citations'], [], 'what does not speak of the question is not cited');
    const near = await service.call('/api/data/ask?question=How+long+does+a+lease+live+and+who+pays+for+it%3F');
    assert.equal(near.json['abstained'], true);
    const citations = near.json['citations'] as { id: string; quote: string }[];
    assert.ok(citations.length > 0);
    for (const { id, quote } of citations) {
      const { json: text } = await service.call(`/api/data/documents?id=${encodeURIComponent(id)}`);
      assert.ok(quote !== '' && String(text['text']).includes(quote), id);
    }
    const ask = async () =>
      saw(await service.call('/api/data/ask?question=What+is+the+admin+password+of+your+server%3F'));
    {
      using _lock = lockDatabase(service.dataDir);
      expectProblem(await ask(), 503, 'storage_unavailable');
    }
    assert.equal(expectProblem(await ask(), 403, 'rule_refused')['rule'], 'secret_request');
  },
});
