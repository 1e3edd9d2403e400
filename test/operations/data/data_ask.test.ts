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
    assert.deepEqual(json['citations'], [], 'silence cites nothing');
    const near = await service.call('/api/data/ask?question=How+long+does+a+lease+live+and+who+pays+for+it%3F');
    assert.deepEqual([near.json['abstained'], near.json['citations']], [true, []], 'nor do two questions in one');
    const told = await service.call('/api/data/ask?question=What+does+one+EU+VAT+check+cost%3F');
    const citations = told.json['citations'] as { id: string; quote: string }[];
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
