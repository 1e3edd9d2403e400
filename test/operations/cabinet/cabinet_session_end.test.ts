import assert from 'node:assert/strict';
import { loggedIn, testAction } from '../../support/cabinet.ts';

const PATH = '/cabinet/sessions';
const idOf = (json: Record<string, unknown>) =>
  (json['sessions'] as { session_id: string; this_one: boolean }[]).find(({ this_one }) => this_one)?.session_id;

testAction('cabinet_session_end', PATH, {
  async prepare({ service, owner }) {
    const other = await loggedIn(service, owner.email);
    return { session_id: idOf((await other.call(PATH)).json) };
  },
  missing: { session_id: `ses_${'0'.repeat(20)}` },
  async check({ json, headers }, { owner, service }) {
    assert.equal((json['sessions'] as unknown[]).length, 1, 'the other one ended');
    assert.equal(headers['set-cookie'], undefined);
    const second = await loggedIn(service, owner.email);
    const out = await second.post(PATH, { session_id: 'this' }, { accept: 'text/html' });
    assert.deepEqual([out.status, out.headers.location], [303, '/dashboard/login']);
    assert.match(String(out.headers['set-cookie']), /^sid=; .*Max-Age=0$/);
    assert.deepEqual([(await second.call(PATH)).status, (await owner.call(PATH)).status], [401, 200]);
    await owner.post(PATH, { session_id: 'all' });
    assert.equal((await owner.call(PATH)).status, 401);
  },
});
