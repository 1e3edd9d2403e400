// The rotation of the log's key as an operator does it, and what readers of the log see of it.
import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { KeyDocument } from '#areas/discovery/operations.ts';
import { DAY_MS, HOUR_MS, ManualClock, MINUTE_MS } from '#kernel/clock.ts';
import { openReader } from '#platform/storage/reader.ts';
import { verifyCheckpoint } from '#protocol/checkpoint.ts';
import { ed25519NoteVerifier } from '#protocol/note.ts';
import { parseVkey } from '#protocol/note-key.ts';
import type { z } from 'zod';
import { verifyConsistency, verifySealAnswer } from '../../../verify/avouch-verify.mjs';
import { runCommand } from '../../support/command.ts';
import { expectProblem } from '../../support/client.ts';
import { ENGINES, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { until } from '../../support/until.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { serviceEnv, TestService } from '../../support/service.ts';
import { publishedCheckpoint, sealRecord, treeHead } from '../../support/log.ts';

type Key = z.output<typeof KeyDocument>['keys'][number];

async function logKeys(service: TestService): Promise<Key[]> {
  const document = KeyDocument.parse((await service.call('/.well-known/avouch-keys.json')).json);
  return document.keys.filter(({ scope, alg }) => scope === 'log-checkpoint' && alg === 'ed25519');
}

function vkeysOf(published: readonly Key[]): string[] {
  return published.map(({ vkey }) => vkey ?? '');
}

/** Where the processes of a database offer to write for others. */
async function addressesIn(url: string): Promise<unknown[]> {
  const reader = await openReader({ url });
  const rows = await reader.read('SELECT address FROM process');
  await reader.close();
  return rows.map(({ address }) => address);
}

/** The keys, of those given, that signed the checkpoint. */
function signersOf(checkpoint: string, vkeys: readonly string[]): string[] {
  return vkeys.filter((vkey) => {
    try {
      return verifyCheckpoint(checkpoint, [ed25519NoteVerifier(parseVkey(vkey))]).verified.length === 1;
    } catch {
      return false;
    }
  });
}

/** Declarations of the log's Ed25519 keys, by entry id. */
async function declarations(service: TestService): Promise<Map<string, Record<string, string>>> {
  const { json } = await service.call('/api/attest/ledger?limit=1024');
  const entries = json['entries'] as { attestation_id: string; entry: { claim?: Record<string, string> } }[];
  return new Map(entries.map(({ attestation_id: id, entry }) => [id, entry.claim ?? {}]));
}

for (const engine of ENGINES) {
  suite(`rotation of the log's key on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('both keys sign until the overlap is over, and every proof ever answered still verifies', async () => {
      const dataDir = await temporaryDirectory();
      const databaseUrl = await freshDatabase(engine);
      // The command runs by the clock of the machine.
      const clock = new ManualClock(Date.now());
      const start = () => TestService.start({ dataDir, databaseUrl, clock });
      const answers: Record<string, unknown>[] = [];
      let [oldKey, newKey] = ['', ''];
      {
        await using service = await start();
        [oldKey = ''] = (await treeHead(service)).vkeys;
        answers.push((await sealRecord(service, 'before')).json);
        const rotated = await runCommand(['keys', 'rotate', 'log-checkpoint'], serviceEnv(dataDir, databaseUrl));
        assert.equal(rotated.code, 0, rotated.stderr);
        assert.match(rotated.stdout, / log-checkpoint +in force until \d{4}-/);
        const again = await runCommand(['keys', 'rotate', 'log-checkpoint'], serviceEnv(dataDir, databaseUrl));
        assert.deepEqual([again.code, again.stdout], [1, '']);
        assert.match(again.stderr, /is still under way: its overlap ends /);
        // The running service learns of it without a start.
        const { json } = await sealRecord(service, 'overlap');
        answers.push(json);
        await service.heartbeat();
        newKey = vkeysOf(await logKeys(service)).find((vkey) => vkey !== oldKey) ?? '';
        assert.deepEqual((await treeHead(service)).vkeys, [oldKey, newKey]);
        assert.deepEqual(signersOf(String(json['checkpoint']), [oldKey, newKey]), [oldKey, newKey]);
        const { text } = await publishedCheckpoint(service, Number(json['seq']) + 1);
        assert.deepEqual(signersOf(text, [oldKey, newKey]), [oldKey, newKey]);
        assert.equal((await service.call(`/api/attest/verify/${String(json['attestation_id'])}`)).json['valid'], true);
      }
      clock.advance(30 * DAY_MS - MINUTE_MS);
      {
        await using service = await start();
        assert.deepEqual(signersOf((await treeHead(service)).checkpoint, [oldKey, newKey]), [oldKey, newKey]);
      }
      // The rotation came later than the start of this clock, by as long as the machine took.
      clock.advance(HOUR_MS);
      {
        await using service = await start();
        answers.push((await sealRecord(service, 'after')).json);
        const { checkpoint, vkeys } = await treeHead(service);
        assert.deepEqual([vkeys, signersOf(checkpoint, [oldKey, newKey])], [[newKey], [newKey]]);
        const published = await logKeys(service);
        const declared = await declarations(service);
        const [old, made] = [oldKey, newKey].map((vkey) => published.find((key) => key.vkey === vkey)) as [Key, Key];
        assert.deepEqual([old.role, made.role, made.retired_at], ['legacy', 'root', null]);
        assert.equal(old.superseded_by, made.declared_in);
        assert.equal(declared.get(made.declared_in ?? '')?.['public_key'], newKey);
        const legacy = [...declared.values()].filter(({ role }) => role === 'legacy');
        assert.deepEqual(legacy, [
          { public_key: oldKey, role: 'legacy', scope: 'log-checkpoint', superseded_by: newKey },
        ]);
        for (const answer of answers) {
          const { valid, checks } = await verifySealAnswer(answer, vkeysOf(published));
          assert.ok(valid, JSON.stringify(checks));
          const older = String(answer['checkpoint']);
          const { consistency } = await treeHead(service, Number(older.split('\n')[1]));
          const joined = await verifyConsistency(
            { older, newer: checkpoint, hashes: consistency?.hashes ?? [] },
            vkeysOf(published),
          );
          assert.ok(joined.valid, JSON.stringify(joined.checks));
        }
        const { json: audit } = await service.call('/api/astralock/audit');
        assert.deepEqual([audit['ok'], audit['problems']], [true, []]);
        const checked = await runCommand(['fsck', service.url]);
        assert.equal(checked.code, 0, checked.stderr);
      }
      await rm(dataDir, { recursive: true });
    });
  });
}

test('who rotates the key of a log with witnesses is told that each must learn it by hand', async () => {
  const dataDir = await temporaryDirectory();
  await using _service = await TestService.start({ dataDir });
  const policy = join(dataDir, 'policy');
  const rotate = (scope: string, env: Record<string, string>) =>
    runCommand(['keys', 'rotate', scope], { ...serviceEnv(dataDir, undefined), ...env });
  const told = async (scope: string, env: Record<string, string> = {}) => {
    const { code, stderr } = await rotate(scope, env);
    assert.equal(code, 0, stderr);
    return stderr.includes('Witnesses learn a changed key only by hand');
  };
  assert.equal(await told('receipts', { AVOUCH_WITNESS_POLICY_FILE: policy }), false);
  assert.equal(await told('log-checkpoint', { AVOUCH_WITNESS_POLICY_FILE: policy }), true);
  await rm(dataDir, { recursive: true });
});

suite('several machines', { skip: !(await hasPostgres()) && 'no PostgreSQL here' }, () => {
  test('a machine without the new key writes no entry and is down until the file is there', async () => {
    await using here = await TestService.start({ engine: 'postgres' });
    const { databaseUrl } = here;
    const dataDir = await temporaryDirectory();
    await cp(join(here.dataDir, 'keys'), join(dataDir, 'keys'), { recursive: true });
    await cp(join(here.dataDir, 'server-secret'), join(dataDir, 'server-secret'));
    {
      await using there = await TestService.start({ dataDir, databaseUrl });
      assert.equal((await sealRecord(there, 'before')).status, 201);
      const rotated = await runCommand(['keys', 'rotate', 'log-checkpoint'], serviceEnv(here.dataDir, databaseUrl));
      assert.equal(rotated.code, 0, rotated.stderr);
      const { tree_size: size } = await treeHead(here);
      expectProblem(await sealRecord(there, 'split'), 503, 'signer_unavailable');
      assert.equal((await there.call('/v1/claim?key=k&agent=ab')).status, 200, 'what makes no entry goes on');
      assert.equal((await treeHead(there)).tree_size, size);
      await there.heartbeat();
      expectProblem(await there.call('/api/v1/health'), 503, 'down');
      const { json: sealed } = await sealRecord(here, 'whole');
      await cp(join(here.dataDir, 'keys'), join(dataDir, 'keys'), { recursive: true });
      const { json } = await sealRecord(there, 'joined');
      const vkeys = vkeysOf(await logKeys(there));
      for (const one of [sealed, json]) assert.deepEqual(signersOf(String(one['checkpoint']), vkeys), vkeys);
      assert.equal((await there.call('/api/v1/health')).status, 200);
    }
    await rm(dataDir, { recursive: true });
  });

  test('what the process that writes for all has no key for is written by the one that was asked', async () => {
    await using writer = await TestService.start({ engine: 'postgres' });
    const { databaseUrl } = writer;
    const dataDir = await temporaryDirectory();
    await cp(join(writer.dataDir, 'keys'), join(dataDir, 'keys'), { recursive: true });
    await cp(join(writer.dataDir, 'server-secret'), join(dataDir, 'server-secret'));
    {
      await using asked = await TestService.start({ dataDir, databaseUrl });
      assert.equal((await sealRecord(writer, 'before')).status, 201);
      await until('a seal that is handed on', async () => {
        assert.equal((await sealRecord(asked, 'before')).status, 201);
        return /^avouch_commits_forwarded [1-9]/m.test((await asked.call('/metrics')).text);
      });
      const rotated = await runCommand(['keys', 'rotate', 'log-checkpoint'], serviceEnv(dataDir, databaseUrl));
      assert.equal(rotated.code, 0, rotated.stderr);
      assert.equal((await sealRecord(asked, 'after')).status, 201);
      // The first one learns of the key, the second one takes the address back.
      for (const service of [writer, writer, asked]) await service.heartbeat();
      assert.equal((await sealRecord(asked, 'where nobody writes for all')).status, 201);
      const addresses = await addressesIn(databaseUrl as string);
      assert.equal(addresses.filter((address) => address === null).length, 1);
    }
    await rm(dataDir, { recursive: true });
  });

  test('a process of before the rotation signs with both keys at once, and none of the calls fails', async () => {
    await using first = await TestService.start({ engine: 'postgres' });
    const { dataDir, databaseUrl } = first;
    await using second = await TestService.start({ dataDir, databaseUrl });
    const over = new AbortController();
    const answers: { status: number; json: Record<string, unknown> }[] = [];
    const callers = [first, second].map(async (service) => {
      while (!over.signal.aborted) answers.push(await sealRecord(service, 'x'));
    });
    const rotated = await runCommand(['keys', 'rotate', 'log-checkpoint'], serviceEnv(dataDir, databaseUrl));
    const last = await Promise.all([first, second].map((service) => sealRecord(service, 'last')));
    over.abort();
    await Promise.all(callers);
    assert.equal(rotated.code, 0, rotated.stderr);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    await first.heartbeat();
    const vkeys = vkeysOf(await logKeys(first));
    for (const { json } of last) assert.deepEqual(signersOf(String(json['checkpoint']), vkeys), vkeys);
    for (const { json } of answers) assert.ok((await verifySealAnswer(json, vkeys)).valid);
  });
});

test('a start with another key than the one that signed the head is refused', async () => {
  await using mine = await TestService.start();
  await using other = await TestService.start();
  const dataDir = await temporaryDirectory();
  await cp(mine.dataDir, dataDir, { recursive: true });
  await rm(join(dataDir, 'lock'), { force: true, recursive: true });
  await cp(join(other.dataDir, 'keys'), join(dataDir, 'keys'), { recursive: true });
  await assert.rejects(TestService.start({ dataDir }), /belongs to \S+ key [0-9a-f]{16}, whose file is not in/);
  await rm(dataDir, { recursive: true });
});
