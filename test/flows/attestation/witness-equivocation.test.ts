// Witnesses that say one thing here and another there: the service counts only what covers its own checkpoint, and our own
// witness never does it.
import assert from 'node:assert/strict';
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { ConfigError } from '#platform/config/config-error.ts';
import { formatCheckpoint, parseCheckpoint } from '#protocol/checkpoint.ts';
import { checkpointVerifier } from '#protocol/cosignature.ts';
import { formatNote, formatSignatureLine, parseNote, verifyNote } from '#protocol/note.ts';
import { C2SP_COSIGNATURE_ML_DSA_44, formatVkey, noteKey, parseVkey } from '#protocol/note-key.ts';
import { GrowingLog } from '../../../src/witness/_growing-log.ts';
import { expectProblem } from '../../support/client.ts';
import { BEGUN, sealRecord, treeHead } from '../../support/log.ts';
import { type Asked, cosignerOf, LyingWitness, needsAllOf } from '../../support/lying-witness.ts';
import { TestService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { ask, log, start } from './witness-process.ts';

const root = await temporaryDirectory();
after(() => rm(root, { recursive: true, force: true }));

/** The text with the root of another tree. */
function forked(text: string): string {
  const { origin, size, root: hash } = parseCheckpoint(text);
  return formatCheckpoint({ origin, size, root: Buffer.from(hash).reverse() });
}

function elsewhere(text: string): string {
  return formatCheckpoint({ ...parseCheckpoint(text), origin: 'other.example/astralock' });
}

/** The line with the time in front of its signature moved. */
function retimed(line: string): string {
  const [signature] = parseNote(`x\n\n${line}`).signatures;
  const bytes = Buffer.from(signature?.signature ?? assert.fail());
  bytes.writeBigUInt64BE(bytes.readBigUInt64BE() - 3_600n);
  return formatSignatureLine({ name: signature?.name ?? '', keyId: signature?.keyId ?? '', signature: bytes });
}

type Lie = (asked: Asked, liar: LyingWitness, others: LyingWitness) => ReturnType<LyingWitness['answer']>;

/** None of these is a cosignature of the checkpoint that was sent. */
const LIES: Readonly<Record<string, Lie>> = {
  'another tree of the same size': ({ text, nowSeconds }, liar) => liar.line(forked(text), nowSeconds),
  'an older tree, cosigned again': ({ text, nowSeconds }, liar) => {
    const { origin, size, root: hash } = parseCheckpoint(text);
    return liar.line(formatCheckpoint({ origin, size: size - 1n, root: hash }), nowSeconds);
  },
  'the cosignature of the round before': (_asked, liar) => {
    const before = liar.asked.at(-2);
    return liar.line(before?.text ?? assert.fail(), before?.nowSeconds ?? 0);
  },
  'the same tree of another log': ({ text, nowSeconds }, liar) => liar.line(elsewhere(text), nowSeconds),
  'a signature of another key under its own name and id': ({ text, nowSeconds }, liar) => {
    const { signature } = cosignerOf(9).cosign(text, nowSeconds);
    const { name, keyId } = liar.cosigner.key;
    return formatSignatureLine({ name, keyId, signature });
  },
  'a good cosignature under the name of another witness': ({ text, nowSeconds }, _liar, other) =>
    other.line(text, nowSeconds),
  'a good cosignature by another key of its name': ({ text, nowSeconds }, liar) =>
    liar.line(text, nowSeconds, cosignerOf(8, liar.cosigner.key.name)),
  'a time of tomorrow': ({ text, nowSeconds }, liar) => liar.line(text, nowSeconds + 86_400),
  'another time than it signed': ({ text, nowSeconds }, liar) => retimed(liar.line(text, nowSeconds)),
  'a forged line before the good one': ({ text, nowSeconds }, liar) =>
    liar.line(forked(text), nowSeconds) + liar.line(text, nowSeconds),
  'that it knows more entries than there are': ({ size }) => ({
    status: 409,
    body: `${size + 1_000}\n`,
    type: 'text/x.tlog.size',
  }),
  'that it knows fewer entries each time': ({ oldSize }) => ({
    status: 409,
    body: `${oldSize === 0 ? 1 : oldSize - 1}\n`,
    type: 'text/x.tlog.size',
  }),
};

const nowSeconds = () => Math.floor(Date.now() / 1000);

async function askAll(service: TestService): Promise<void> {
  await service.runNow('publish');
  await service.runNow('witness');
}

/** The published checkpoint; every line in the name of a witness is good. */
async function published(service: TestService, witnesses: readonly LyingWitness[]) {
  const { text: body } = await service.call('/astralock/checkpoint');
  const note = parseNote(body);
  const keys = [...(await treeHead(service)).vkeys.map(parseVkey), ...witnesses.map(({ cosigner }) => cosigner.key)];
  const { verified } = verifyNote(
    note,
    keys.map((key) => checkpointVerifier(key, nowSeconds())),
  );
  const names = witnesses.map(({ cosigner }) => cosigner.key.name);
  return {
    size: parseCheckpoint(note.text).size,
    by: verified.map(({ key }) => key.name).filter((name) => names.includes(name)),
  };
}

suite('a service with a witness that equivocates', () => {
  test('publishes nothing as witnessed that the quorum does not cover, and goes on with the log that it has', async () => {
    await using honest = await LyingWitness.start(1);
    await using liar = await LyingWitness.start(2);
    const both = [honest, liar];
    await using service = await TestService.start({ env: needsAllOf(root, both) });
    const vkey = (await treeHead(service)).vkeys;
    await askAll(service);
    const first = await service.call('/astralock/checkpoint.witnessed');
    assert.equal(first.status, 200, 'honest for once');
    for (const [what, lie] of Object.entries(LIES)) {
      assert.equal((await sealRecord(service, what)).status, 201);
      liar.answer = (asked) => lie(asked, liar, honest);
      await askAll(service);
      const { size, by } = await published(service, both);
      assert.equal(Number(size), (await treeHead(service)).tree_size, what);
      assert.deepEqual(by, ['w1.example'], what);
      const witnessed = await service.call('/astralock/checkpoint.witnessed');
      assert.equal(witnessed.text, first.text, `${what}: the last one that both cosigned stays`);
      assert.equal((await treeHead(service)).witnessed_checkpoint, first.text, what);
    }
    liar.answer = liar.honest;
    await askAll(service);
    assert.deepEqual((await published(service, both)).by, ['w1.example', 'w2.example']);
    const last = await service.call('/astralock/checkpoint.witnessed');
    assert.equal(Number(parseCheckpoint(parseNote(last.text).text).size), BEGUN + Object.keys(LIES).length);
    assert.deepEqual((await treeHead(service)).vkeys, vkey);
    // Every tree that a witness was ever shown is a beginning of the next one.
    const trees = new Map(honest.asked.map(({ size, text }) => [size, text]));
    for (const { size, text } of [...honest.asked, ...liar.asked]) assert.equal(text, trees.get(size));
  });

  test('has never been witnessed by one that lied from the beginning, whoever it answers how', async () => {
    await using honest = await LyingWitness.start(1);
    await using liar = await LyingWitness.start(2);
    let turn = 0;
    // To the first caller one tree, to the next another; neither is ours.
    liar.answer = ({ text, nowSeconds: now }) => liar.line(turn++ % 2 === 0 ? forked(text) : elsewhere(text), now);
    await using service = await TestService.start({ env: needsAllOf(root, [honest, liar]) });
    for (let round = 0; round < 3; round += 1) await askAll(service);
    assert.ok(turn >= 2);
    expectProblem(await service.call('/astralock/checkpoint.witnessed'), 404, 'not_witnessed');
    const { witnesses, witnessed_checkpoint: none } = await treeHead(service);
    assert.deepEqual([witnesses, none], [[], null]);
  });

  test('does not start where its own key, or one in its own name, would be the witness', async () => {
    const dataDir = join(root, 'own');
    let vkeys: string[] = [];
    {
      await using service = await TestService.start({ dataDir });
      const { text } = await service.call('/.well-known/avouch-keys.json');
      vkeys = [...text.matchAll(/"vkey":"([^"]+)"/g)].map(([, vkey]) => vkey as string);
    }
    const own = vkeys.filter((vkey) => parseVkey(vkey).type === C2SP_COSIGNATURE_ML_DSA_44);
    assert.equal(own.length, 1, 'the key with which the log cosigns itself');
    const { name, publicKey } = parseVkey(own[0] ?? '');
    const renamed = formatVkey(noteKey('w2.example', C2SP_COSIGNATURE_ML_DSA_44, publicKey));
    for (const vkey of [...own, renamed, formatVkey(cosignerOf(7, name).key)]) {
      const env = needsAllOf(root, [{ name: 'w2', vkey, url: 'http://127.0.0.1:1' }]);
      await assert.rejects(TestService.start({ dataDir, env }), (error: Error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.faults.join(), /names a key of this log, or one in its name, as a witness \(w2\)/);
        return true;
      });
    }
  });

  test('does not start beside one that shows more of the log than the database holds, and says what is known of it', async () => {
    const dataDir = join(root, 'shown');
    await using witness = await LyingWitness.start(3);
    const env = needsAllOf(root, [witness]);
    const old = join(root, 'shown-old');
    {
      await using service = await TestService.start({ dataDir, env });
      await askAll(service);
    }
    await cp(dataDir, old, { recursive: true });
    let note = '';
    {
      await using service = await TestService.start({ dataDir, env });
      for (let n = 0; n < 3; n += 1) await sealRecord(service, `${n}`);
      await askAll(service);
      note = (await service.call('/astralock/checkpoint')).text;
    }
    witness.shown = note;
    // With the newest database all is well; with the old one the next entries would be a fork.
    await (await TestService.start({ dataDir, env }))[Symbol.asyncDispose]();
    const lost =
      /witness w3 has cosigned \d+ entries of \S+, the database holds \d+: restore the newest database, and serve no older copy of the data directory at the same time$/;
    await assert.rejects(TestService.start({ dataDir: old, env }), { name: 'LogError', message: lost });
    // What the log never signed proves nothing against it.
    const { origin } = parseCheckpoint(parseNote(note).text);
    const text = formatCheckpoint({ origin, size: 1_000_000, root: Buffer.alloc(32, 1) });
    witness.shown = formatNote({ text, signatures: [witness.cosigner.cosign(text, nowSeconds())] });
    const doubted = /No key that is known here signed them: if this database is the newest, the witness is not honest/;
    await assert.rejects(TestService.start({ dataDir, env }), { name: 'LogError', message: doubted });
  });
});

suite('our own witness', () => {
  test('cosigns one of two trees of a size, whoever asks first, and stands by it over kill -9 and every second process', async () => {
    const directory = join(root, 'witness');
    const link = join(root, 'link');
    await mkdir(directory, { mode: 0o700 });
    await symlink(directory, link);
    const other = new GrowingLog({ forkAt: 10 });
    const kept: GrowingLog[] = [];
    await using stack = new AsyncDisposableStack();
    for (let size = 20; size <= 40; size += 10) {
      // Several processes are started on the directory at once, one of them by another path.
      const starts = await Promise.allSettled([start(directory), start(directory), start(link)]);
      const running = starts.flatMap((one) => (one.status === 'fulfilled' ? [stack.use(one.value)] : []));
      const refusals = starts.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
      for (const refusal of refusals) assert.match(refusal, /Another witness runs on/);
      const [first] = running;
      assert.ok(first !== undefined && running.length === 1, `${running.length} processes cosign at once`);
      const { target, child } = first;
      const remembered = size === 20 ? 0 : size - 10;
      const outcomes = await Promise.all(
        [log, other, log, other].map(async (grown) => ({ grown, ...(await ask(target, size, remembered, grown)) })),
      );
      const trees = new Set(outcomes.flatMap(({ outcome, grown }) => (outcome === 'cosigned' ? [grown] : [])));
      assert.equal(trees.size, 1, 'two trees of one size');
      kept.push(...trees);
      await child.end('SIGKILL');
    }
    assert.equal(new Set(kept).size, 1, 'a tree that does not start with the one before');
    await using running = await start(directory);
    const [tree] = kept;
    const refused = tree === log ? other : log;
    for (const size of [20, 30, 40, 60]) {
      assert.notEqual((await ask(running.target, size, 40, refused)).outcome, 'cosigned', `size ${size}`);
    }
    assert.notEqual((await ask(running.target, 30, 20, tree)).outcome, 'cosigned', 'an older one after a newer one');
    assert.equal((await ask(running.target, 50, 40, tree)).outcome, 'cosigned');
  });
});
