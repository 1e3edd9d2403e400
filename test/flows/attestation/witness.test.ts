import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { verifyCheckpoint } from '#protocol/checkpoint.ts';
import { checkpointVerifier } from '#protocol/cosignature.ts';
import { formatSignatureLine } from '#protocol/note.ts';
import { formatVkey } from '#protocol/note-key.ts';
import { latestKnown } from '#platform/log/witness-client.ts';
import { GrowingLog, ORIGIN, WITNESS, withFlippedProofBit } from '../../../src/witness/_growing-log.ts';
import { runCommand } from '../../support/command.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { argsOf, ask, getFromWitness, log, nowSeconds, postToWitness, start, witnessKills } from './witness-process.ts';

const known = { origin: ORIGIN, keys: [log.signer.key] };
const root = await temporaryDirectory();
after(() => rm(root, { recursive: true, force: true }));

suite('./avouch witness', { concurrency: 3 }, () => {
  const wrong: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['no arguments', [], /Missing options: --name, --data, --log\./],
    ['no log', ['--name', WITNESS, '--data', join(root, 'x')], /Missing option: --log\./],
    ['an unknown option', argsOf(join(root, 'x'), '--quick'), /Unknown option --quick\./],
    ['an operand', argsOf(join(root, 'x'), 'more'), /Unexpected argument "more"\./],
    ['a name twice', argsOf(join(root, 'x'), '--name', 'b'), /Give --name only once\./],
    ['a name with a space', ['--name', 'a b', '--data', join(root, 'x'), '--log', log.vkey], /--name must not contain/],
    [
      'a port that is none',
      argsOf(join(root, 'x')).with(-1, '65536'),
      /--port must be a whole number from 0 to 65535\./,
    ],
    ['a key that is none', argsOf(join(root, 'x'), '--log', 'log.example+00000000+AAAA'), /--log: /],
    ['a key twice', argsOf(join(root, 'x'), '--log', log.vkey), /--log: Two known keys/],
  ];
  for (const [what, args, message] of wrong) {
    test(`${what} is wrong usage and makes nothing`, async () => {
      const { code, stdout, stderr } = await runCommand(['witness', ...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
      assert.match(stderr, /^Run `avouch witness --help`\.$/m);
      assert.ok(!existsSync(join(root, 'x')));
    });
  }

  test('prints its vkey and address, keeps its key for the owner alone, and stops cleanly with SIGTERM', async () => {
    const directory = join(root, 'first');
    await using running = await start(directory);
    const { child, target } = running;
    assert.deepEqual([target.key.type, target.key.name], [4, WITNESS]);
    assert.match(
      child.output.stdout,
      new RegExp(`^vkey: .*\nlog: ${ORIGIN}\nWitness ${WITNESS} listens on http://127.0.0.1:`),
    );
    assert.ok((await (await fetch(child.url)).text()).includes(formatVkey(target.key)));
    assert.equal(statSync(join(directory, 'witness.pem')).mode & 0o777, 0o600);
    assert.equal((await ask(target, 9, 0)).outcome, 'cosigned');
    assert.equal(await child.end('SIGTERM'), 0);
    await using again = await start(directory);
    assert.deepEqual(again.target.key, target.key);
    assert.partialDeepStrictEqual(await latestKnown(again.target, known, getFromWitness), { known: 9, isSigned: true });
    assert.equal(await again.child.end('SIGINT'), 0);
  });

  test('a second process on the directory, a port in use and another name end with 1 and one line', async () => {
    const directory = join(root, 'taken');
    await using running = await start(directory);
    const { child } = running;
    const port = new URL(child.url).port;
    const second = await runCommand(['witness', ...argsOf(directory)]);
    assert.deepEqual([second.code, second.stdout], [1, '']);
    assert.match(second.stderr, /^avouch witness: Another witness runs on .*\n$/);
    const busy = await runCommand(['witness', ...argsOf(join(root, 'busy')).with(-1, port)]);
    assert.deepEqual([busy.code, busy.stdout], [1, '']);
    assert.match(
      busy.stderr,
      /^avouch witness: Cannot listen on .* \(EADDRINUSE\)\. Pass another --host or --port\.\n$/,
    );
    assert.equal(await child.end('SIGTERM'), 0);
    const nowhere = await runCommand(['witness', ...argsOf(join(root, 'nowhere'), '--host', '203.0.113.1')]);
    assert.deepEqual([nowhere.code, nowhere.stdout], [1, '']);
    assert.match(nowhere.stderr, /^avouch witness: Cannot listen on 203\.0\.113\.1 port 0 \(EADDRNOTAVAIL\)\. .*\n$/);
    const renamed = await runCommand(['witness', ...argsOf(directory).with(1, 'other.example')]);
    assert.equal(renamed.code, 1);
    assert.match(renamed.stderr, /^avouch witness: .* belongs to witness\.example\/w1\+.*\n$/);
  });
});

suite('client and witness over HTTP', () => {
  test('a log without memory finds its place, grows, and hears when it is behind or forked', async () => {
    await using running = await start(join(root, 'talk'));
    const { target } = running;
    assert.equal(await latestKnown(target, known, getFromWitness), 'never');
    const first = await ask(target, 100, 0);
    assert.ok(first.outcome === 'cosigned');
    assert.ok(Math.abs(Number(first.timeSeconds) - nowSeconds()) <= 60);
    const note = log.checkpoint(100) + formatSignatureLine(first.signature);
    const verifiers = [log.signer.key, target.key].map((key) => checkpointVerifier(key, nowSeconds()));
    assert.equal(verifyCheckpoint(note, verifiers).verified.length, 2);

    assert.equal((await ask(target, 300, 100)).outcome, 'cosigned');
    assert.equal((await ask(target, 350, 0)).outcome, 'cosigned', 'the size of the conflict is used');
    assert.equal((await ask(target, 360, 400)).outcome, 'cosigned');
    const behind = await ask(target, 200, 100);
    assert.deepEqual([behind.outcome, 'knownSize' in behind && behind.knownSize], ['behind', 360]);
    const forked = new GrowingLog({ forkAt: 50 });
    assert.equal((await ask(target, 400, 360, forked)).outcome, 'refused');
    const stranger = new GrowingLog({ origin: 'stranger.example' });
    assert.match(JSON.stringify(await ask(target, 5, 0, stranger)), /refused.*404/);
    const flipped = withFlippedProofBit(log.body(360, 400));
    assert.equal((await postToWitness(`${target.url}/add-checkpoint`, flipped)).status, 422);
    assert.partialDeepStrictEqual(await latestKnown(target, known, getFromWitness), { known: 360, isSigned: true });
  });

  test('a log that changes its key goes on, once the witness knows both', async () => {
    const directory = join(root, 'rotation');
    const next = new GrowingLog({ seed: 2 });
    await using before = await start(directory);
    assert.equal((await ask(before.target, 10, 0)).outcome, 'cosigned');
    assert.match(JSON.stringify(await ask(before.target, 20, 10, next)), /refused.*403/);
    await before.child.end('SIGTERM');
    await using running = await start(directory, '--log', next.vkey);
    const { target } = running;
    assert.equal((await ask(target, 20, 10, next)).outcome, 'cosigned');
    assert.equal((await ask(target, 30, 20)).outcome, 'cosigned');
  });
});

witnessKills(3);
