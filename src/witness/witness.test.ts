import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import fc, { runs } from '#properties';
import { sha256Hex } from '#kernel/ids.ts';
import { verifyCheckpoint } from '#protocol/checkpoint.ts';
import { checkpointVerifier } from '#protocol/cosignature.ts';
import { parseSignatureLines, verifyNote } from '#protocol/note.ts';
import { parseVkey } from '#protocol/note-key.ts';
import { GrowingLog, ORIGIN, WITNESS, withFlippedProofBit } from './_growing-log.ts';
import { RunningWitness } from './_running.ts';
import { openWitnessData } from './identity.ts';
import { serveWitness } from './server.ts';

const log = new GrowingLog();
const add = ({ witness }: RunningWitness, body: string) => witness.addCheckpoint(Buffer.from(body));

suite('cosigning', () => {
  test('the answer is one line that verifies with the vkey of the witness and carries its time', () => {
    using running = new RunningWitness([log.vkey]);
    const { status, contentType, text } = add(running, log.body(0, 5));
    assert.deepEqual([status, contentType], [200, 'text/plain; charset=utf-8']);
    const signatures = parseSignatureLines(text);
    const nowSeconds = Math.floor(running.clock.now() / 1000);
    const key = parseVkey(running.witness.vkey);
    assert.deepEqual([key.type, key.name, signatures.length], [4, WITNESS, 1]);
    const note = { text: `${log.checkpoint(5).split('\n\n')[0]}\n`, signatures };
    const { verified } = verifyNote(note, [checkpointVerifier(key, nowSeconds)]);
    assert.equal(verified[0]?.timeSeconds, BigInt(nowSeconds));
  });

  test('the latest checkpoint is shown with the lines of log and witness, and nothing before the first', () => {
    using running = new RunningWitness([log.vkey]);
    const path = sha256Hex(ORIGIN);
    assert.equal(running.witness.latest(path).status, 404);
    add(running, log.body(0, 5));
    add(running, log.body(5, 9));
    const { text } = running.witness.latest(path);
    const keys = [log.signer.key, parseVkey(running.witness.vkey)];
    const nowSeconds = Math.floor(running.clock.now() / 1000);
    const { checkpoint, verified } = verifyCheckpoint(
      text,
      keys.map((key) => checkpointVerifier(key, nowSeconds)),
    );
    assert.deepEqual([checkpoint.size, verified.length], [9n, 2]);
  });

  test('the same checkpoint again gets a cosignature of its own time', () => {
    using running = new RunningWitness([log.vkey]);
    const first = add(running, log.body(0, 5));
    running.clock.advance(60_000);
    const second = add(running, log.body(5, 5));
    assert.deepEqual([first.status, second.status, running.size()], [200, 200, 5]);
    assert.notEqual(first.text, second.text);
  });

  test('a slow smaller request does not roll the state back', () => {
    using running = new RunningWitness([log.vkey]);
    add(running, log.body(0, 5));
    const slow = log.body(5, 6);
    add(running, log.body(5, 20));
    assert.deepEqual(add(running, slow), { status: 409, contentType: 'text/x.tlog.size', text: '20\n' });
    assert.equal(running.size(), 20);
  });

  test('logs do not disturb each other', () => {
    const other = new GrowingLog({ origin: 'other.example', seed: 3 });
    using running = new RunningWitness([log.vkey, other.vkey]);
    assert.equal(add(running, log.body(0, 50)).status, 200);
    assert.equal(add(running, other.body(0, 3)).status, 200);
    assert.equal(running.size(), 50);
    assert.match(
      running.witness.about().text,
      new RegExp(`other\\.example at /${sha256Hex('other.example')}/checkpoint`),
    );
  });

  test('a fork is refused and both signed trees are told to the operator', () => {
    using running = new RunningWitness([log.vkey]);
    const forked = new GrowingLog({ forkAt: 3 });
    add(running, log.body(0, 8));
    assert.equal(add(running, forked.body(8, 8)).status, 422);
    const [line = '', ...more] = running.reported;
    assert.match(line, /^log\.example\/astralock has signed two trees of size 8: \{/);
    const { cosigned, refused } = JSON.parse(line.slice(line.indexOf('{'))) as Record<string, string>;
    assert.ok(cosigned?.startsWith(log.checkpoint(8)));
    assert.deepEqual([refused, more], [forked.checkpoint(8), []]);
  });
});

interface Attempt {
  readonly history: number;
  readonly grow: number;
  readonly old: 'latest' | 'zero' | 'guess';
  readonly guess: number;
  readonly proof: 'right' | 'flipped';
}

const attempts = fc.array(
  fc.record<Attempt>({
    history: fc.nat(1),
    grow: fc.nat(40),
    old: fc.constantFrom('latest', 'latest', 'latest', 'zero', 'guess'),
    guess: fc.nat(60),
    proof: fc.constantFrom('right', 'right', 'right', 'flipped'),
  }),
  { minLength: 1, maxLength: 30 },
);

/** The body of an attempt against a witness that stands at a size, and the size that it asks for. */
function bodyOf(attempt: Attempt, histories: readonly GrowingLog[], latest: number): { size: number; body: string } {
  const chosen = histories[attempt.history] as GrowingLog;
  const old = { latest, zero: 0, guess: attempt.guess }[attempt.old];
  const size = old + attempt.grow;
  const body = chosen.body(old, size);
  return { size, body: attempt.proof === 'right' || !body.includes('=\n\n') ? body : withFlippedProofBit(body) };
}

/** All sizes and roots that were cosigned lie in one of the two histories. */
function assertOneHistory(cosigned: readonly { size: number; history: number }[], histories: readonly GrowingLog[]) {
  const rootOf = (history: number, size: number) => histories[history]?.tree.root(size).toString('hex');
  const fits = [0, 1].map((one) => cosigned.every(({ size, history }) => rootOf(one, size) === rootOf(history, size)));
  assert.ok(fits.includes(true), JSON.stringify(cosigned));
}

suite('whatever is asked in whatever order', () => {
  test('no two cosigned trees contradict each other, the size never goes down, also over restarts', () => {
    fc.assert(
      fc.property(fc.nat(30), attempts, fc.nat(29), (forkAt, asked, restartAt) => {
        const histories = [log, new GrowingLog({ forkAt })];
        using running = new RunningWitness([log.vkey]);
        const cosigned: { size: number; history: number }[] = [];
        asked.forEach((attempt, i) => {
          if (i === restartAt) running.restart();
          const before = running.size() ?? 0;
          const { size, body } = bodyOf(attempt, histories, before);
          const { status } = add(running, body);
          assert.ok([200, 409, 422].includes(status), String(status));
          if (status === 200) cosigned.push({ size, history: attempt.history });
          assert.equal(running.size() ?? 0, status === 200 ? size : before);
          assert.ok((running.size() ?? 0) >= before);
        });
        assertOneHistory(cosigned, histories);
      }),
      { numRuns: runs(60) },
    );
  });

  test('also when many ask at once over HTTP', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(30), fc.array(attempts, { minLength: 2, maxLength: 5 }), async (forkAt, callers) => {
        const histories = [log, new GrowingLog({ forkAt })];
        using running = new RunningWitness([log.vkey]);
        await using server = await serveWitness(running, { host: '127.0.0.1', port: 0 });
        const cosigned: { size: number; history: number }[] = [];
        await Promise.all(
          callers.map(async (asked) => {
            let latest = 0;
            for (const attempt of asked) {
              const { size, body } = bodyOf(attempt, histories, latest);
              const before = running.size() ?? 0;
              const response = await fetch(`${server.url}/add-checkpoint`, { method: 'POST', body });
              const text = await response.text();
              if (response.status === 409) latest = Number(text);
              if (response.status === 200) cosigned.push({ size, history: attempt.history });
              assert.ok([200, 409, 422].includes(response.status), String(response.status));
              assert.ok((running.size() ?? 0) >= Math.max(before, response.status === 200 ? size : 0));
            }
          }),
        );
        assertOneHistory(cosigned, histories);
      }),
      { numRuns: runs(15) },
    );
  });
});

suite('data directory', () => {
  test('the key file is for the owner alone and the same after a restart, and so is what was cosigned', () => {
    using running = new RunningWitness([log.vkey]);
    const { vkey } = running.witness;
    add(running, log.body(0, 5));
    running.restart();
    assert.deepEqual([running.witness.vkey, running.size()], [vkey, 5]);
    assert.equal(statSync(join(running.directory, 'witness.pem')).mode & 0o777, 0o600);
    assert.ok(!readdirSync(running.directory).some((name) => name.endsWith('.draft')));
  });

  const refusals: readonly (readonly [string, RegExp, (directory: string) => void, string?])[] = [
    ['its key is gone', /holds no witness\.pem/, (directory) => rmSync(join(directory, 'witness.pem'))],
    ['its state is gone', /a key and no record/, (directory) => rmSync(join(directory, 'witness.db'))],
    ['its state was emptied', /a key and no record/, (directory) => writeFileSync(join(directory, 'witness.db'), '')],
    [
      'its state is rubbish',
      /cannot be used/,
      (directory) => writeFileSync(join(directory, 'witness.db'), 'x'.repeat(5000)),
    ],
    ['another name is given', /belongs to witness\.example\/w1/, () => undefined, 'witness.example/w2'],
  ];
  for (const [what, message, damage, name = WITNESS] of refusals) {
    test(`a witness does not start when ${what}, and nothing is made in its place`, () => {
      using running = new RunningWitness([log.vkey]);
      add(running, log.body(0, 5));
      running.state[Symbol.dispose]();
      damage(running.directory);
      const key = join(running.directory, 'witness.pem');
      const before = readdirSync(running.directory).includes('witness.pem') ? readFileSync(key, 'utf8') : undefined;
      for (let tries = 0; tries < 2; tries += 1)
        assert.throws(() => openWitnessData(running.directory, name), { name: 'WitnessDataError', message });
      const after = readdirSync(running.directory).includes('witness.pem') ? readFileSync(key, 'utf8') : undefined;
      assert.equal(after, before);
    });
  }

  test('the key of another witness is refused', () => {
    using running = new RunningWitness([log.vkey]);
    using other = new RunningWitness([log.vkey]);
    running.state[Symbol.dispose]();
    renameSync(join(running.directory, 'witness.pem'), join(running.directory, 'old'));
    copyFileSync(join(other.directory, 'witness.pem'), join(running.directory, 'witness.pem'));
    assert.throws(() => openWitnessData(running.directory, WITNESS), /belongs to .*, and not to /);
  });

  test('a second witness on a directory in use is refused', () => {
    using running = new RunningWitness([log.vkey]);
    assert.throws(() => openWitnessData(running.directory, WITNESS), /another witness runs on/);
    assert.equal(add(running, log.body(0, 5)).status, 200);
  });

  test('a directory that cannot be one is named', () => {
    using running = new RunningWitness([log.vkey]);
    const path = join(running.directory, 'witness.pem', 'below');
    assert.throws(() => openWitnessData(path, WITNESS), /the directory .* cannot be used \(ENOTDIR\): give --data/);
  });
});
