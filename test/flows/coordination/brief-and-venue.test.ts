import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';

for (const engine of ENGINES) {
  suite(`work that others describe on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('a brief is seen in look, its light in the brief, and its slots cap claims', async () => {
      await using service = await TestService.start({ engine });
      const post = (path: string, body: Record<string, unknown>) => service.call(path, { method: 'POST', body });
      const card = {
        goal: 'Translate the manual into Dutch',
        acceptance: 'every page is translated',
        reward_usd: '20',
      };
      const { json: made } = await post('/v1/brief', { ...card, slots: 2, key: 'translate-manual' });
      const look = async (key: unknown) => (await service.call(`/v1/look?key=${encodeURIComponent(String(key))}`)).json;
      const { brief, venue, slots } = await look('translate-manual');
      assert.equal((brief as { brief: string }).brief, made['brief']);
      assert.deepEqual([slots, (venue as { kind: string }).kind], [2, 'brief']);
      for (const agent of ['a1', 'b2'])
        assert.equal((await post('/v1/claim', { key: 'translate-manual', agent })).status, 200);
      expectProblem(await post('/v1/claim', { key: 'translate-manual', agent: 'c3', slots: 9 }), 409, 'slots_full');
      const { json: opened } = await service.call(`/v1/brief/${String(made['brief'])}`);
      assert.equal((opened['light'] as { signal: string }).signal, 'RED');
      assert.equal(((await look('translate-manual'))['venue'] as { claiming_people: number }).claiming_people, 2);
    });

    test('look shows what the code host says of an issue, and an outage as nothing known', async () => {
      await using service = await TestService.start({ engine });
      const list = (await service.call('/v1/bounties')).json;
      const [first] = list['bounties'] as { key: string }[];
      assert.ok(first !== undefined, JSON.stringify(list));
      const { json } = await service.call(`/v1/look?key=${encodeURIComponent(first.key)}`);
      assert.equal((json['venue'] as { kind: string }).kind, 'github_issue');
      const unknown = (await service.call('/v1/look?key=nobody/nowhere%23999999')).json;
      assert.equal(unknown['venue'], null);
      const codes = (unknown['reasons'] as { code: string }[]).map(({ code }) => code);
      assert.ok(codes.includes('venue_unknown'), codes.join());
    });
  });
}
