// Backup under load, restore elsewhere, and moves between the engines: nothing lost, no fence given twice.
import assert from 'node:assert/strict';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createPrivateKey } from 'node:crypto';
import { systemClock } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { signCheckpoint } from '#protocol/checkpoint.ts';
import { ed25519NoteSigner } from '#protocol/note.ts';
import type { BackupManifest } from '#platform/recovery/manifest.ts';
import { GroupCommitter } from '#platform/storage/committer.ts';
import { openEngine, openSnapshot } from '#platform/storage/open-engine.ts';
import { markUnit } from '#platform/storage/recovery-mark.ts';
import { verifySealAnswer } from '../../verify/avouch-verify.mjs';
import { expectProblem } from '../support/client.ts';
import { type EngineName, ENGINES, hasPostgres, PATIENCE } from '../support/databases.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { runCommand } from '../support/command.ts';
import { serviceEnv, TestService } from '../support/service.ts';
import { assertContinues, BEGUN, postSeal, sealRecord, treeHead } from '../support/log.ts';
import {
  newPlace,
  type Place,
  removePlaces,
  run,
  runBackup,
  runMove,
  runRestore,
  takeKeys,
} from '../support/recovery.ts';
import { registeredAgent } from '../support/wallet.ts';

const noPostgres = !(await hasPostgres()) && 'no PostgreSQL here';
const ENGINES_HERE = ENGINES.filter((engine) => engine === 'sqlite' || !noPostgres);
const OTHER: Record<EngineName, EngineName> = { sqlite: noPostgres ? 'sqlite' : 'postgres', postgres: 'sqlite' };
const root = await temporaryDirectory();
after(async () => {
  await removePlaces();
  await rm(root, { recursive: true });
});

/** Seals, and claims, that are answered before the backup begins, and hence in it. */
const SEALS_BEFORE = 12;
const HELD = '/v1/claim?key=held&mode=exclusive&ttl=3600';

/** A service with a wallet, a held lease, and callers who go on while a backup is made. */
interface Story {
  readonly place: Place;
  readonly directory: string;
  readonly manifest: BackupManifest;
  readonly agentKey: string;
  readonly seals: readonly Record<string, unknown>[];
  readonly vkeys: readonly string[];
  readonly topFence: number;
  readonly said: string;
}

const stories = new Map<EngineName, Promise<Story>>();

function told(engine: EngineName): Promise<Story> {
  const story = stories.get(engine) ?? tell(engine);
  stories.set(engine, story);
  return story;
}

async function tell(engine: EngineName): Promise<Story> {
  const place = await newPlace(engine);
  const directory = join(root, `backup-${engine}`);
  await using service = await TestService.start({ ...place });
  const agent = await registeredAgent(service);
  await agent.fund(25_000_000);
  assert.equal((await service.call(`${HELD}&agent=holder`)).status, 200);
  const seals: Record<string, unknown>[] = [];
  const fences: number[] = [];
  const over = new AbortController();
  const callers = [1, 2].map(async (caller) => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      seals.push((await sealRecord(service, `${caller} ${turn}`)).json);
      const { json } = await service.call(`/v1/claim?key=k${caller}-${turn}&agent=load`);
      fences.push(Number(json['fence']));
    }
  });
  while (seals.length < SEALS_BEFORE || fences.length < SEALS_BEFORE) await sealRecord(service, 'more');
  const said = await runBackup(place, directory);
  const manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')) as BackupManifest;
  while (!seals.some(({ seq }) => Number(seq) >= manifest.tree_size)) await sealRecord(service, 'more');
  over.abort();
  await Promise.all(callers);
  const { vkeys } = await treeHead(service);
  return { place, directory, manifest, agentKey: agent.key, seals, vkeys, topFence: Math.max(...fences), said };
}

async function balanceOf(service: TestService, key: string): Promise<unknown> {
  return (await service.call('/api/agents/wallet', { headers: { 'x-agent-key': key } })).json['available_eur'];
}

async function dayKeysIn({ dataDir, databaseUrl: url }: Place): Promise<unknown> {
  await using snapshot = await openSnapshot(
    url === undefined ? { file: join(dataDir, 'avouch.db') } : { url, patience: PATIENCE },
  );
  return (await snapshot.query('SELECT COUNT(*) AS count FROM day_key'))[0]?.['count'];
}

/** A process that has the database of a place open, and of which the place knows nothing. */
async function silentProcess({ dataDir, databaseUrl: url }: Place) {
  const location = url === undefined ? { file: join(dataDir, 'avouch.db') } : { url, patience: PATIENCE };
  const clock = systemClock();
  const store = new GroupCommitter({ engine: await openEngine(location, clock), clock, maxBatch: 1, maxQueue: 1 });
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}

const NOTE = [markUnit, { name: 'backup', detail: 'by hand' }] as const;

/** The service on the place holds everything that the story had told when it was copied; gives the fence of a new claim. */
async function assertWhole(place: Place, story: Story): Promise<number> {
  await using service = await TestService.start({ ...place });
  const copied = story.seals.filter(({ seq }) => Number(seq) < story.manifest.tree_size);
  assert.ok(copied.length >= SEALS_BEFORE && copied.length < story.seals.length, 'callers went on after that moment');
  for (const seal of copied) assert.ok((await verifySealAnswer(seal, [...story.vkeys])).valid);
  const shown = await service.call(`/api/attest/verify/${String(copied.at(-1)?.['attestation_id'])}`);
  assert.equal(shown.json['valid'], true, shown.text);
  await assertContinues(service, story.manifest.checkpoint);
  assert.deepEqual((await service.call('/api/astralock/audit')).json['problems'], []);
  assert.equal(await balanceOf(service, story.agentKey), '25.00');
  expectProblem(await service.call(`${HELD}&agent=another`), 409, 'held');
  const { json } = await service.call('/v1/claim?key=fresh&agent=late');
  const fence = Number(json['fence']);
  assert.ok(fence > story.topFence, String(fence));
  return fence;
}

for (const engine of ENGINES_HERE) {
  suite(`a backup of ${engine} that was made under load`, () => {
    let story: Story;
    before(async () => {
      story = await told(engine);
    });

    test('holds one moment and says which, without keys and address keys', async () => {
      const { manifest, directory } = story;
      const files = await readdir(directory);
      assert.deepEqual(
        files.toSorted(),
        ['manifest.json', ...manifest.tables.map(({ table }) => `${table}.ndjson`)].toSorted(),
      );
      for (const name of ['day_key', 'try_key', 'event', 'writer', 'process', 'leader']) {
        assert.ok(!files.includes(`${name}.ndjson`) && manifest.left_out.includes(name), name);
      }
      const rows = new Map(manifest.tables.map(({ table, rows: count }) => [table, count]));
      assert.equal(rows.get('entries'), manifest.tree_size);
      assert.ok(manifest.tree_size >= BEGUN + SEALS_BEFORE && manifest.revision >= SEALS_BEFORE);
      assert.match(story.said, new RegExp(`size ${manifest.tree_size}, root ${manifest.root}`));
      assert.match(story.said, /Keys and the server secret are not in the backup/);
      const text = (await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')))).join('');
      for (const key of await readdir(join(story.place.dataDir, 'keys'))) {
        const secret = (await readFile(join(story.place.dataDir, 'keys', key), 'utf8')).split('\n')[1] as string;
        assert.ok(!text.includes(secret));
      }
    });

    test('is restored with texts that hold every end of line of Unicode, as they were', async () => {
      const statement = 'one\u2028two\u2029three\u0085four\vfive\fsix';
      const [from, to] = [await newPlace(engine), await newPlace(engine)];
      const body = { schema_id: 'record.integrity.v1', claim: { statement }, disclosure: 'public' };
      let sealed = '';
      {
        await using service = await TestService.start({ ...from });
        sealed = String((await postSeal(service, body)).json['attestation_id']);
      }
      const directory = join(root, `ends-of-lines-${engine}`);
      await runBackup(from, directory);
      await runRestore(to, directory);
      await takeKeys(from, to);
      await using service = await TestService.start({ ...to });
      const { json } = await service.call(`/api/attest/verify/${sealed}`);
      assert.equal((json['claim'] as { statement: string }).statement, statement);
    });

    let firstFence = 0;

    test(`is restored on ${OTHER[engine]} with the same root, receipts, balances and leases, and higher fences`, async () => {
      const place = await newPlace(OTHER[engine]);
      const said = await runRestore(place, story.directory);
      assert.match(said, new RegExp(`size ${story.manifest.tree_size}, root ${story.manifest.root}`));
      await assert.rejects(runRestore(place, story.directory), /database is not empty/);
      await takeKeys(story.place, place);
      firstFence = await assertWhole(place, story);
    });

    test('is restored again with fences above all that the first gave, and moved to the other engine with revision and all rows', async () => {
      const [from, to] = [await newPlace(engine), await newPlace(OTHER[engine])];
      await runRestore(from, story.directory);
      await takeKeys(story.place, from);
      let fence = 0;
      {
        await using service = await TestService.start({ ...from });
        fence = Number((await service.call('/v1/claim?key=moving&agent=mover')).json['fence']);
        assert.ok(firstFence > 0 && fence > firstFence, `${fence} after ${firstFence}`);
        await assert.rejects(runMove(from, to), /serves the database to move|Another process/);
      }
      await using early = await silentProcess(from);
      await early.run(...NOTE);
      const said = await runMove(from, to);
      await using late = await silentProcess(from);
      for (const silent of [early, late]) {
        await assert.rejects(silent.run(...NOTE), { kind: 'set_back', message: /this database was moved to / });
        await assert.rejects(silent.read('SELECT rev FROM head'), { kind: 'set_back' });
      }
      await assert.rejects(runBackup(from, join(root, `moved-${engine}`)), /database was moved to /);
      const revision = Number(/revision (\d+)/.exec(said)?.[1]);
      await assert.rejects(TestService.start({ ...from }), /this database was moved to /);
      assert.deepEqual(
        [await dayKeysIn(from), await dayKeysIn(to)],
        [0, 1],
        'the key of the day moved, and dies there',
      );
      await takeKeys(from, to);
      await using service = await TestService.start({ ...to });
      const { json } = await service.call('/v1/claim?key=moved&agent=mover');
      assert.equal(json['fence'], revision + 1, 'not one revision was left out');
      const { json: seen } = await service.call(`/v1/watch?key=moving&after=${fence - 1}&wait=1`);
      assert.equal((seen['events'] as unknown[]).length, 1, 'events moved too');
      assert.equal(await balanceOf(service, story.agentKey), '25.00');
      await assertContinues(service, story.manifest.checkpoint);
      await assert.rejects(runMove(from, to), /is not empty|Another process/);
    });
  });
}

suite('a backup that is not whole', () => {
  let story: Story;
  let key: string;
  before(async () => {
    story = await told('sqlite');
    const [name = ''] = (await readdir(join(story.place.dataDir, 'keys'))).filter((file) =>
      file.startsWith('log-checkpoint'),
    );
    key = await readFile(join(story.place.dataDir, 'keys', name), 'utf8');
  });

  /** A restore of a copy of the backup that was changed; gives why it is refused. */
  async function refusal(change: (directory: string) => Promise<void>, ...more: string[]): Promise<string> {
    const directory = await temporaryDirectory();
    await cp(story.directory, directory, { recursive: true });
    await change(directory);
    const place = await newPlace('sqlite');
    const outcome = await runRestore(place, directory, ...more).then(
      () => 'restored',
      (error: Error) => error.message,
    );
    await rm(directory, { recursive: true });
    return outcome;
  }

  async function editManifest(directory: string, change: (text: string) => string): Promise<void> {
    const path = join(directory, 'manifest.json');
    await writeFile(path, change(await readFile(path, 'utf8')));
  }

  async function edit(
    directory: string,
    table: string,
    change: (text: string) => string,
    isSaid: boolean,
  ): Promise<void> {
    const path = join(directory, `${table}.ndjson`);
    const text = change(await readFile(path, 'utf8'));
    await writeFile(path, text);
    if (!isSaid) return;
    const sha256 = sha256Hex(text);
    await editManifest(directory, (written) => {
      const manifest = JSON.parse(written) as BackupManifest;
      const tables = manifest.tables.map((file) => (file.table === table ? { ...file, sha256 } : file));
      return JSON.stringify({ ...manifest, tables });
    });
  }

  const accept = (text: string) => text.replace('ACCEPT', 'REJECT');
  const cut = (text: string) => text.slice(0, -10);
  const lastGone = (text: string) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`;
  for (const [what, change, why] of [
    ['has no manifest', (directory: string) => rm(join(directory, 'manifest.json')), /an unfinished one/],
    [
      'has half a manifest',
      (directory: string) => writeFile(join(directory, 'manifest.json'), '{"form'),
      /is not of the form/,
    ],
    ['lacks a file', (directory: string) => rm(join(directory, 'lease.ndjson')), /lease\.ndjson .* \(ENOENT\)/],
    ['was cut', (directory: string) => edit(directory, 'entries', cut, false), /entries\.ndjson .* changed or cut/],
    [
      'was edited',
      (directory: string) => edit(directory, 'entries', accept, false),
      /entries\.ndjson .* changed or cut/,
    ],
    [
      'has an edited entry and a manifest that says so',
      (directory: string) => edit(directory, 'entries', accept, true),
      /does not hash to its id/,
    ],
    ['lacks the last entry', (directory: string) => edit(directory, 'entries', lastGone, true), /entry \d+ is missing/],
    [
      'has another balance',
      (directory: string) =>
        edit(
          directory,
          'ledger_account',
          (text) => text.replace('-25000000', '-26000000').replace(',25000000,', ',26000000,'),
          true,
        ),
      /account \S+ holds/,
    ],
    [
      'has a checkpoint that nobody signed',
      (directory: string) =>
        edit(
          directory,
          'checkpoints',
          (text) => text.replace(/(?<=\\n\d+\\n)./, (digit) => (digit === 'A' ? 'B' : 'A')),
          true,
        ),
      /checkpoint of size/,
    ],
    [
      'has another schema',
      (directory: string) => editManifest(directory, (text) => text.replace('"area": "wallet"', '"area": "walls"')),
      /schema step walls\/\d+ .* does not know/,
    ],
  ] as const) {
    test(`and ${what} is refused`, async () => {
      assert.match(await refusal(change), why);
    });
  }

  test('leaves the place empty, so that a whole one can take it', async () => {
    const place = await newPlace('sqlite');
    const directory = join(root, 'edited');
    await cp(story.directory, directory, { recursive: true });
    await edit(directory, 'entries', accept, true);
    await assert.rejects(runRestore(place, directory), /does not hash/);
    await runRestore(place, story.directory);
  });

  test('or has another manifest than the one that was noted is refused', async () => {
    const [, noted = ''] = /manifest: sha256 (\w+)/.exec(story.said) ?? [];
    assert.equal(await refusal(async () => {}, '--sha256', noted), 'restored');
    assert.match(
      await refusal(async () => {}, '--sha256', '0'.repeat(64)),
      /SHA-256 of manifest\.json in the backup is not 0{64}/,
    );
  });

  test('is compared with every checkpoint that was published: a fork and a longer log are refused', async () => {
    const { origin, tree_size: size, checkpoint } = story.manifest;
    const signer = ed25519NoteSigner(origin, createPrivateKey(key));
    const signed = (atSize: number, byte: number) =>
      signCheckpoint({ origin, size: atSize, root: new Uint8Array(32).fill(byte) }, [signer]);
    const foreign = ed25519NoteSigner('other.invalid/log', createPrivateKey(key));
    const path = join(root, 'checkpoints');
    const earlier = story.seals
      .map((seal) => String(seal['checkpoint']))
      .filter((note) => Number(note.split('\n')[1]) <= size);
    for (const [notes, why] of [
      [[checkpoint, ...earlier.slice(0, 20)], /^restored$/],
      [[checkpoint, signed(size, 7)], new RegExp(`first ${size} entries are not those of the checkpoint`)],
      [[signed(5, 7)], /first 5 entries are not those .* a fork/],
      [[signed(size + 1, 7)], new RegExp(`of size ${size + 1} was signed, the log has ${size} entries`)],
      [
        [signCheckpoint({ origin: 'other.invalid/log', size, root: new Uint8Array(32) }, [foreign])],
        /not signed by a key of the log/,
      ],
      [['hello\n'], /does not contain signed checkpoints only/],
    ] as const) {
      await writeFile(path, notes.join('\n'));
      assert.match(await refusal(async () => {}, '--checkpoints', path), why);
    }
  });
});

test('long work shows its progress on a terminal and nowhere else, and ends with a line that says what was done', async () => {
  const place = await newPlace('sqlite');
  let url = '';
  {
    await using service = await TestService.start(place);
    await sealRecord(service, 'one');
    url = service.url;
    const rebuilt = await runCommand(['fsck', url], {}, true);
    assert.match(rebuilt.stderr, /Rebuilding the log \[#{24}\] 100%, \d+ of \d+ entries, /);
    assert.match(rebuilt.stdout, /\nLog verified: \d+ entries in [\d.]+ s\.\n$/);
  }
  const copy = join(root, 'watched');
  const empty = await newPlace('sqlite');
  const moved = await newPlace('sqlite');
  for (const [words, at, shows, done] of [
    [['backup', copy], place, /Copying rows \[/, /^Backed up \d+ rows in [\d.]+ s\.$/m],
    [
      ['restore', copy],
      empty,
      /Checking the backup files \[[^]*Copying rows \[[^]*Auditing/,
      /^Restored \d+ rows in /m,
    ],
    [['audit-trail', 'verify'], place, /Verifying the audit trail \[/, /^Audit trail intact\. Verified \d+ lines in /m],
    [
      ['migrate-store', '--from', empty.dataDir, '--to', moved.dataDir],
      moved,
      /Comparing both databases/,
      /^Moved \d+ rows in /m,
    ],
  ] as const) {
    const env = serviceEnv(at.dataDir, at.databaseUrl);
    const watched = await runCommand(words, env, true);
    assert.equal(watched.code, 0, watched.stderr);
    assert.match(watched.stderr, shows, words.join(' '));
    assert.match(watched.stdout, done);
    assert.ok(!watched.stdout.includes('\r'), 'data are data');
  }
  const piped = await runCommand(['backup', join(root, 'piped')], serviceEnv(place.dataDir, place.databaseUrl));
  assert.doesNotMatch(piped.stderr + piped.stdout, /\r|Copying/);
});

test('wrong usage of the recovery commands is told as such, before anything is touched', async () => {
  const place = { dataDir: join(root, 'untouched'), databaseUrl: undefined };
  for (const words of [
    ['backup'],
    ['backup', 'a', 'b'],
    ['restore'],
    ['restore', 'a', '--force'],
    ['migrate-store', '--from', 'a'],
    ['migrate-store', '--from', 'DATABASE_URL', '--to', 'a'],
    ['doctor', 'all'],
  ]) {
    await assert.rejects(run(words, place), /\nRun `avouch [a-z-]+ --help`\.\n$/, words.join(' '));
  }
  assert.ok(!(await readdir(root)).includes('untouched'));
});
