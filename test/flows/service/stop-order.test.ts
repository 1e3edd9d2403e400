// What a stop does, and in which order: seen from outside while it stops, and in what it leaves.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Client } from '../../support/client.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

test('a stop answers what is under way, gives up the lead and anchors the trail last', async () => {
  const dataDir = await temporaryDirectory();
  const service = await TestService.start({ dataDir });
  const client = new Client();
  const order: string[] = [];
  const done = async <T>(name: string, work: Promise<T>): Promise<T> => {
    const result = await work;
    order.push(name);
    return result;
  };
  await service.call('/v1/claim', { method: 'POST', body: { key: 'stop/1', agent: 'a' } });
  const { json: now } = await service.call('/v1/look?key=stop/1');
  const waiting = client.call(service.url, `/v1/watch?key=stop/1&after=${String(now['rev'])}&wait=25`);
  // A second connection of the same caller, and both are under way when the stop begins.
  const working = client.call(service.url, '/do', {
    method: 'POST',
    body: { agent_id: 'anonymous', need: 'open bounties' },
  });
  await until('both calls have come', async () => {
    const [, open] = /^avouch_connections (\d+)$/m.exec((await service.call('/metrics')).text) ?? [];
    return Number(open) >= 3;
  });
  await service.heartbeat();
  const stopping = done('stopped', service[Symbol.asyncDispose]());
  const [watched, worked] = await Promise.all([done('wait', waiting), done('work', working)]);
  await stopping;
  client.close();
  assert.equal(watched.status, 200);
  assert.equal(worked.status, 201);
  assert.equal(order.at(-1), 'stopped');

  using database = new DatabaseSync(join(dataDir, 'avouch.db'), { readOnly: true });
  const count = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  // The jobs were given up while the database was still there, and no call came after the trail was anchored.
  assert.equal(count('SELECT COUNT(*) FROM process'), 0);
  assert.equal(count(`SELECT COUNT(*) FROM leader WHERE until > ${Date.now()}`), 0);
  const lines = readdirSync(join(dataDir, 'trail'))
    .filter((name) => name.endsWith('.ndjson'))
    .toSorted()
    .flatMap((name) =>
      readFileSync(join(dataDir, 'trail', name), 'utf8')
        .trim()
        .split('\n'),
    );
  const calls = lines.flatMap((line) => (JSON.parse(line) as { n?: number }).n ?? []);
  assert.equal(count('SELECT MAX(line) FROM trail_anchor'), Math.max(...calls));
  assert.equal(
    count('SELECT MAX(seq) FROM entries'),
    count(`SELECT seq FROM entries e JOIN trail_anchor a
    ON a.attestation_id = e.attestation_id ORDER BY a.line DESC LIMIT 1`),
  );
  await using again = await TestService.start({ dataDir });
  assert.equal((await again.call('/v1/look?key=stop/1')).status, 200);
});
