// Processes are killed between the commit of a handshake and its answer, and the key of receipts is rotated before the next
// one starts: whoever repeats a call gets the answer that was stored, with a receipt that is valid and always the same.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChildService } from '../../support/child-service.ts';
import { type Answer, Client } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { asked, type Body, mandateBody } from '../../support/mandates.ts';
import { newPlace, removePlaces, run } from '../../support/recovery.ts';
import { serviceEnv } from '../../support/service.ts';

const KILLS = 4;
const CALLS = 40;

after(removePlaces);

for (const engine of ENGINES) {
  test(`no kill and no rotation changes the receipt of a handshake (${engine})`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, async () => {
    const place = await newPlace(engine);
    // Receipts name their issuer, so that it stays where its port does not.
    const env = serviceEnv(place.dataDir, place.databaseUrl, { BASE_URL: 'http://receipts.example' });
    using stack = new DisposableStack();
    const client = new Client();
    stack.defer(() => client.close());
    let child = await ChildService.start(env);
    const post = (path: string, body: Body, headers: Record<string, string> = {}): Promise<Answer> =>
      client.call(child.url, path, { method: 'POST', body, headers });
    const platform = { name: 'Harbour Shop', mcp_url: 'https://shop.example/mcp', contact: 'desk@shop.example' };
    const key = String((await post('/api/amh/register', platform)).json['api_key']);
    const { mandate_id: id } = (await post('/api/amh/mandate', mandateBody(Date.now()))).json;
    const verify = (call: number) =>
      post('/api/amh/verify', asked(String(id), 1, `order ${call}`), {
        'x-amh-key': key,
        'idempotency-key': `${call}`,
      });
    const told = new Map<number, string>();
    let unanswered = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const calls = Array.from({ length: CALLS }, (_, index) => kill * CALLS + index);
      const sent = calls.map(async (call) => {
        await sleep(call % CALLS);
        return verify(call).then(
          ({ status, json }) => void (status === 200 && told.set(call, JSON.stringify(json))),
          () => void (unanswered += 1),
        );
      });
      await Promise.race(sent);
      await child.end('SIGKILL');
      await Promise.all(sent);
      await run(['keys', 'rotate', 'receipts'], place);
      child = await ChildService.start(env);
    }
    const everyCall = Array.from({ length: KILLS * CALLS }, (_, call) => call);
    for (const call of everyCall) {
      const [first, second] = [await verify(call), await verify(call)];
      assert.deepEqual([first.status, second.status], [200, 200], first.text);
      assert.deepEqual(second.json, first.json);
      const before = told.get(call);
      if (before !== undefined) assert.equal(JSON.stringify(first.json), before, 'what was answered before the kill');
      const checked = await post('/v1/receipts/verify', { answer: first.json });
      assert.equal(checked.json['valid'], true, checked.text);
    }
    assert.ok(told.size > 0 && unanswered > 0, `${told.size} answered before a kill, ${unanswered} not`);
    await child.end('SIGTERM');
  });
}
