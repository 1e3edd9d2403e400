import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { leafHash } from '#protocol/merkle.ts';
import { decodeEntryBundle } from '#protocol/tile.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';
import { BEGUN, sealRecord } from '../../support/log.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('log_tile');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

async function tile(service: TestService, path: string): Promise<Answer> {
  return statuses.saw(await service.call(`/astralock/tile/${path}`));
}

async function tileBytes(service: TestService, path: string): Promise<Buffer> {
  const answer = await fetch(`${service.url}/astralock/tile/${path}`);
  assert.equal(answer.status, 200, path);
  return Buffer.from(await answer.arrayBuffer());
}

for (const engine of ENGINES) {
  suite(`log_tile on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    let service: TestService;
    // Of its own: its tiles are those of a log that has just begun.
    before(async () => {
      service = await TestService.start({ engine });
    });
    after(() => service[Symbol.asyncDispose]());

    test('a tile that the log does not have yet is not found, nor one in another spelling', async () => {
      const missing = ['0/000', '0/000.p/5', '0/001.p/1', '1/000.p/1', 'entries/000', 'entries/000.p/5', '63/000'];
      const misspelt = [
        ...['', '0', '0/', '0/0', '0/0000', '00/000', '0/x000/000', '0/000.p/0', '0/000.p/256', '0/000.p/01', '64/000'],
        ...['0/000.p/1/', '/0/000.p/1', '0//000.p/1', '-1/000', 'data/000', 'Entries/000.p/1', '0/000.p/1%0a'],
        ...['0/../0/000.p/1', '..%2f0/000', '0/x999/x999/x999/x999/x999/999', '%00', '0/%F0%9F%98%80'],
      ];
      for (const path of [...missing, ...misspelt]) {
        const answer = await tile(service, path);
        expectProblem(answer, 404, 'tile_not_found');
        assert.equal(answer.headers['cache-control'], 'no-store', path);
      }
    });

    test('partial tiles hold the hashes and the entries of the log, at every width up to its size', async () => {
      const { json } = await sealRecord(service, 'a');
      await sealRecord(service, 'b');
      const hashes = await tileBytes(service, '0/000.p/6');
      assert.equal(hashes.length, 192);
      assert.equal(hashes.subarray(BEGUN * 32, BEGUN * 32 + 32).toString('hex'), json['leaf_hash']);
      assert.deepEqual(await tileBytes(service, '0/000.p/2'), hashes.subarray(0, 64));
      const entries = decodeEntryBundle(await tileBytes(service, 'entries/000.p/6'), 6);
      assert.deepEqual(entries[BEGUN], Buffer.from(String(json['entry']), 'base64'));
      assert.deepEqual(Buffer.concat(entries.map(leafHash)), hashes);
      const { headers, status } = await tile(service, '0/000.p/1');
      assert.deepEqual(
        [status, headers['content-type'], headers['cache-control'], headers['content-length']],
        [200, 'application/octet-stream', 'public, max-age=31536000, immutable', '32'],
      );
      assert.equal(headers['access-control-allow-origin'], '*');
    });
  });
}

test('a path that is longer than any tile is refused, as are parameters', async () => {
  const service = await sharedService();
  expectProblem(await tile(service, '0/000.p/1?a=b'), 400, 'invalid_parameters');
  expectProblem(await tile(service, `0/${'x001/'.repeat(20)}067`), 400, 'invalid_parameters');
});
