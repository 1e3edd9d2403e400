import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';
import { sharedServiceOn } from '../../support/shared-service.ts';

for (const engine of ENGINES) {
  suite(`work that others describe on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('a brief that a stranger wrote for a key caps nobody who does not name it', async () => {
      const service = (await sharedServiceOn(engine)).service;
      const post = (path: string, body: Record<string, unknown>) => service.call(path, { method: 'POST', body });
      const key = 'https://github.com/acme/open-to-all/issues/1';
      const { json: made } = await post('/v1/brief', { goal: 'Keep everybody out', slots: 1, key });
      const brief = String(made['brief']);
      for (const agent of ['a1', 'b2', 'c3']) assert.equal((await post('/v1/claim', { key, agent })).status, 200);
      const named = expectProblem(await post('/v1/claim', { key, agent: 'd4', slots: 9, brief }), 409, 'slots_full');
      assert.deepEqual([named['cause'], named['slots'], named['brief']], ['brief', 1, brief]);
      assert.match(String(named['detail']), /the brief/);
      const own = expectProblem(await post('/v1/claim', { key, agent: 'd4', slots: 3 }), 409, 'slots_full');
      assert.deepEqual([own['cause'], own['slots'], own['brief']], ['slots', 3, undefined]);
      const { slots, brief: shown } = (await service.call(`/v1/look?key=${encodeURIComponent(key)}`)).json;
      assert.deepEqual([slots, (shown as { slots: number }).slots], [1, 1]);
      const elsewhere = await post('/v1/claim', { key: 'other work', agent: 'd4', brief });
      const [fault] = expectProblem(elsewhere, 400, 'invalid_parameters')['errors'] as Record<string, string>[];
      assert.deepEqual([fault?.['pointer'], fault?.['code']], ['#/brief', 'other_brief']);
    });

    test('who claims the link of a brief is bound by its slots, and by those of no other brief', async () => {
      const service = (await sharedServiceOn(engine)).service;
      const post = (path: string, body: Record<string, unknown>) => service.call(path, { method: 'POST', body });
      const { json: made } = await post('/v1/brief', { goal: 'Translate the manual', slots: 2 });
      const key = String(made['link']);
      await post('/v1/brief', { goal: 'Make room for myself', slots: 9, key });
      for (const agent of ['a1', 'b2']) assert.equal((await post('/v1/claim', { key, agent })).status, 200);
      const full = expectProblem(await post('/v1/claim', { key, agent: 'c3' }), 409, 'slots_full');
      assert.deepEqual([full['cause'], full['slots'], full['brief']], ['brief', 2, made['brief']]);
      const token = made['token'];
      assert.equal((await post('/v1/brief', { brief: made['brief'], token, close: 'yes' })).status, 200);
      assert.equal((await post('/v1/claim', { key, agent: 'c3' })).status, 200);
    });

    test('a brief is seen in look, its light in the brief, and its slots cap claims that name it', async () => {
      await using service = await TestService.start({ engine });
      const post = (path: string, body: Record<string, unknown>) => service.call(path, { method: 'POST', body });
      const card = {
        goal: 'Translate the manual into Dutch',
        acceptance: 'every page is translated',
        reward_usd: '20',
      };
      const { json: made } = await post('/v1/brief', { ...card, slots: 2, key: 'translate-manual' });
      const look = async (key: unknown) => (await service.call(`/v1/look?key=${encodeURIComponent(String(key))}`)).json;
      const { brief: shown, venue } = await look('translate-manual');
      const { brief, slots } = shown as { brief: string; slots: number };
      assert.equal(brief, made['brief']);
      assert.deepEqual([slots, (venue as { kind: string }).kind], [2, 'brief']);
      const signal = async () =>
        ((await service.call(`/v1/brief/${brief}`)).json['light'] as { signal: string }).signal;
      for (const [agent, light] of [
        ['a1', 'AMBER'],
        ['b2', 'RED'],
      ]) {
        assert.equal((await post('/v1/claim', { key: 'translate-manual', agent, brief })).status, 200);
        assert.equal(await signal(), light);
      }
      const claim = { key: 'translate-manual', agent: 'c3', slots: 9, brief };
      expectProblem(await post('/v1/claim', claim), 409, 'slots_full');
      assert.equal(((await look('translate-manual'))['venue'] as { claiming_people: number }).claiming_people, 2);
    });

    test('look shows what the code host says of an issue, and why nothing is known of others', async () => {
      await using service = await TestService.start({ engine });
      const list = (await service.call('/v1/bounties')).json;
      const [first] = list['bounties'] as { key: string }[];
      assert.ok(first !== undefined, JSON.stringify(list));
      const { json } = await service.call(`/v1/look?key=${encodeURIComponent(first.key)}`);
      assert.equal((json['venue'] as { kind: string }).kind, 'github_issue');
      const unknown = (await service.call('/v1/look?key=nobody/nowhere%23999999')).json;
      assert.equal(unknown['venue'], null);
      const unread = (await service.call('/v1/look?key=https://gitlab.example/group/tools/-/issues/3')).json;
      for (const [seen, words] of [
        [unknown, /shows no such issue/],
        [unread, /does not check this work/],
      ] as const) {
        const reasons = seen['reasons'] as { code: string; text: string }[];
        assert.match(reasons.find(({ code }) => code === 'venue_unknown')?.text ?? '', words);
      }
    });
  });
}
