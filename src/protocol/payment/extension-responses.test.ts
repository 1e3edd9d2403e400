import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listingAnswer } from './extension-responses.ts';

const header = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

test('the status of bazaar is read, and the reason of a rejection is one short line', () => {
  assert.deepEqual(listingAnswer(header({ bazaar: { status: 'success' } })), { status: 'success', reason: '' });
  const rejectedReason = `schema\r\n\u001b[31m  invalid ${'x'.repeat(300)}`;
  const read = listingAnswer(header({ bazaar: { status: 'rejected', rejectedReason, more: 1 }, other: {} }));
  assert.equal(read?.status, 'rejected');
  assert.match(read?.reason ?? '', /^schema \[31m invalid x+$/);
  assert.equal(read?.reason.length, 200);
});

test('what is not such a header tells nothing', () => {
  const others = [
    undefined,
    '',
    'not base64!',
    header([]),
    header({}),
    header({ bazaar: 'success' }),
    header({ bazaar: { status: 'listed' } }),
    header({ bazaar: { status: 'rejected', rejectedReason: 7 } }),
    header({ bazaar: { status: 'success' }, padding: 'x'.repeat(4096) }),
  ];
  for (const other of others) assert.equal(listingAnswer(other), undefined, String(other).slice(0, 40));
});
