import assert from 'node:assert/strict';
import { loggedIn, testPage } from '../../support/cabinet.ts';

testPage(
  'cabinet_sessions',
  '/cabinet/sessions',
  ({ json }) => {
    const list = json['sessions'] as { session_id: string; this_one: boolean }[];
    assert.deepEqual(new Set(list.map(({ this_one }) => this_one)), new Set([false, true]));
    for (const { session_id } of list) assert.match(session_id, /^ses_[0-9a-f]{20}$/);
  },
  {
    async prepare({ service, owner }) {
      await loggedIn(service, owner.email);
      return undefined;
    },
  },
);
