// A database with the oldest schema, filled as the release of then would have, under the release of today.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { systemClock } from '#kernel/clock.ts';
import { loadTables } from '#platform/recovery/table-source.ts';
import { migrateWithin } from '#platform/storage/migrate.ts';
import { openEngine, openSnapshot } from '#platform/storage/open-engine.ts';
import { tablesOf } from '#platform/storage/snapshot.ts';
import { allMigrations } from '#platform/storage/all-migrations.ts';
import { databaseLocation } from '../../../src/platform/foundation.ts';
import { readConfig } from '#platform/config/config.ts';
import { verifySealAnswer } from '../../../verify/avouch-verify.mjs';
import { expectProblem } from '../../support/client.ts';
import { ENGINES, type EngineName, hasPostgres, PATIENCE } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { serviceEnv, TestService } from '../../support/service.ts';
import { assertContinues, sealRecord, treeHead } from '../../support/log.ts';
import { newPlace, type Place, removePlaces, runBackup, runRestore, takeKeys } from '../../support/recovery.ts';
import { registeredAgent } from '../../support/wallet.ts';

const FIRST_AREAS = ['storage', 'keys', 'log', 'ledger', 'attestation', 'crossing', 'wallet'];
const HELD = '/v1/claim?key=old&mode=exclusive&ttl=3600';
const root = await temporaryDirectory();
after(async () => {
  await removePlaces();
  await rm(root, { recursive: true });
});

interface Remembered {
  readonly seal: Record<string, unknown>;
  readonly vkeys: readonly string[];
  readonly agentKey: string;
  readonly checkpoint: string;
}

const locationOf = ({ dataDir, databaseUrl }: Place) =>
  databaseLocation(readConfig(serviceEnv(dataDir, databaseUrl)), PATIENCE);

/** What a service of today wrote, cut down to the tables and columns that the first schema had. */
async function oldPlace(engine: EngineName): Promise<{ place: Place; remembered: Remembered }> {
  const [today, place] = [await newPlace('sqlite'), await newPlace(engine)];
  let remembered: Remembered;
  {
    await using service = await TestService.start({ ...today });
    const agent = await registeredAgent(service);
    await agent.fund(3_000_000);
    const { json: seal } = await sealRecord(service, 'long ago');
    assert.equal((await service.call(`${HELD}&agent=holder`)).status, 200);
    const { vkeys, checkpoint } = await treeHead(service);
    remembered = { seal, vkeys, checkpoint, agentKey: agent.key };
  }
  await takeKeys(today, place);
  await using snapshot = await openSnapshot(locationOf(today));
  const target = await openEngine(locationOf(place), systemClock());
  const first = (await allMigrations()).filter(({ area, number }) => FIRST_AREAS.includes(area) && number === 1);
  await target.exclusively(async (query) => {
    await migrateWithin(query, first);
    const tables = await tablesOf(target.name, query);
    for (const name of ['migration', 'writer', 'process', 'leader']) tables.delete(name);
    await loadTables(target.name, query, { tables, rows: (name) => snapshot.rows(name, tables.get(name) ?? []) });
    await query("DELETE FROM service_key WHERE scope = 'log-cosign'");
  });
  await target.close();
  return { place, remembered };
}

async function assertKept(place: Place, { seal, vkeys, agentKey, checkpoint }: Remembered): Promise<void> {
  await using service = await TestService.start({ ...place });
  await assertContinues(service, checkpoint);
  assert.ok((await verifySealAnswer(seal, [...vkeys])).valid);
  assert.equal((await service.call(`/api/attest/verify/${String(seal['attestation_id'])}`)).json['valid'], true);
  const wallet = await service.call('/api/agents/wallet', { headers: { 'x-agent-key': agentKey } });
  assert.equal(wallet.json['available_eur'], '3.00', wallet.text);
  expectProblem(await service.call(`${HELD}&agent=another`), 409, 'held');
  assert.deepEqual((await service.call('/api/astralock/audit')).json['problems'], []);
  assert.equal((await sealRecord(service, 'today')).status, 201);
}

for (const engine of ENGINES) {
  suite(`a database of the first schema on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('starts under this release with the same root, balances and leases, and so does a backup of it', async () => {
      const { place, remembered } = await oldPlace(engine);
      const directory = join(root, engine);
      assert.match(
        await runBackup(place, directory),
        /from an older release, so it could not record the time of this backup/,
      );
      const restored = await newPlace('sqlite');
      await runRestore(restored, directory);
      await takeKeys(place, restored);
      await assertKept(place, remembered);
      await assertKept(restored, remembered);
    });
  });
}
