import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { runs } from '#properties';
import { fromHex, VECTOR_SETS } from '#protocol/_vectors.ts';
import { type Checkpoint, parseCheckpoint, signCheckpoint } from '#protocol/checkpoint.ts';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';
import { ed25519NoteSigner, formatNote, parseNote } from '#protocol/note.ts';
import { formatVkey, noteKey } from '#protocol/note-key.ts';
import { GrowingLog, ORIGIN, withFlippedProofBit } from './_growing-log.ts';
import { admitRequest, decide, isForked, type WitnessVerdict } from './decide.ts';
import { type KnownLogs, knownLogs } from './known-logs.ts';

function judged(body: string, logs: KnownLogs, latest: string | undefined): WitnessVerdict {
  const admitted = admitRequest(Buffer.from(body), logs);
  return 'status' in admitted ? admitted : decide(admitted, checkpointOf(latest));
}

function checkpointOf(note: string | undefined): Checkpoint | undefined {
  return note === undefined ? undefined : parseCheckpoint(parseNote(note).text);
}

for (const { name, vectors } of VECTOR_SETS) {
  suite(`C2SP tlog-witness, add-checkpoint, ${name}`, () => {
    const { golden, witness_add_checkpoint: shared } = vectors;
    const { origin, checkpoint_size_5: five, checkpoint_size_8: eight, add_checkpoint_body_5_to_8: body } = golden;
    const logs = knownLogs([golden.log_vkey]);
    const signer = ed25519NoteSigner(origin, ed25519PrivateKeyFromSeed(fromHex(golden.log_seed_hex)));
    const stranger = ed25519NoteSigner(origin, ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(9)));
    const signed = (size: number, by = signer) => signCheckpoint({ origin, size, root: Buffer.alloc(32, 1) }, [by]);
    const forged = eight.replace(/(\u2014 \S+ .{10})./, (_, kept) => `${kept}A`);
    const hashLine = `${Buffer.alloc(32).toString('base64')}\n`;

    /** By the words of the shared set: what was cosigned last, the bodies sent, and the status that each gets. */
    const requests: Readonly<Record<string, { latest?: string; bodies: readonly string[]; status: number }>> = {
      'golden.add_checkpoint_body_5_to_8': { latest: five, bodies: [body], status: 200 },
      'same body again (old 5, latest is now 8)': { latest: eight, bodies: [body], status: 409 },
      'unknown origin': { latest: five, bodies: [new GrowingLog({ origin: 'other.example' }).body(5, 8)], status: 404 },
      'no signature by a trusted key, or a trusted key that does not verify': {
        latest: five,
        bodies: [`old 5\n\n${signed(8, stranger)}`, `old 5\n\n${forged}`],
        status: 403,
      },
      'old larger than the checkpoint size': { latest: five, bodies: [body.replace('old 5', 'old 9')], status: 400 },
      'consistency proof with one bit changed': { latest: five, bodies: [withFlippedProofBit(body)], status: 422 },
      'old 0 with a non-empty proof': { bodies: [body.replace('old 5', 'old 0')], status: 422 },
      'old equal to size, other root': { latest: eight, bodies: [`old 8\n\n${signed(8)}`], status: 422 },
      'size 0 with a root other than SHA-256 of the empty string': { bodies: [`old 0\n\n${signed(0)}`], status: 422 },
      'more than 63 proof lines': { latest: five, bodies: [`old 5\n${hashLine.repeat(64)}\n${eight}`], status: 400 },
    };

    for (const [request, { latest, bodies, status }] of Object.entries(requests)) {
      test(`${request}: ${status}`, () => {
        for (const sent of bodies) assert.equal(judged(sent, logs, latest).status, status);
      });
    }

    if (shared !== undefined) {
      test('the table of the set has no other row and no other status', () => {
        assert.deepEqual(
          Object.entries(requests).map(([request, { status }]) => ({ request, status })),
          shared.matrix.map(({ request, status }) => ({ request, status })),
        );
      });
    }

    test('a conflict tells the size that was cosigned last', () => {
      assert.deepEqual(judged(body, logs, eight), { status: 409, size: 8n });
      assert.deepEqual(judged(body, logs, undefined), { status: 409, size: 0n });
    });
  });
}

const log = new GrowingLog();
const logs = knownLogs([log.vkey]);

suite('what a witness accepts', () => {
  test('a first checkpoint of any size, the empty tree too, and the same one again', () => {
    for (const size of [0, 1, 7, 64]) {
      const verdict = judged(log.body(0, size), logs, undefined);
      assert.equal(verdict.status, 200, String(size));
      assert.equal(judged(log.body(size, size), logs, log.checkpoint(size)).status, 200);
    }
    const repeatedWithProof = log.body(8, 8).replace('\n\n', `\n${Buffer.alloc(32).toString('base64')}\n\n`);
    assert.equal(judged(repeatedWithProof, logs, log.checkpoint(8)).status, 422);
  });

  test('keeps one signature of each known key and of nobody else', () => {
    const next = new GrowingLog({ seed: 2 });
    const both = knownLogs([log.vkey, next.vkey]);
    const { text, signatures } = parseNote(log.checkpoint(8));
    const [own] = signatures;
    const [second] = parseNote(next.checkpoint(8)).signatures;
    assert.ok(own !== undefined && second !== undefined);
    const unknown = { ...own, name: 'stranger.example' };
    const note = formatNote({ text, signatures: [unknown, second, own, own] });
    const verdict = judged(`old 0\n\n${note}`, both, undefined);
    assert.ok(verdict.status === 200);
    assert.deepEqual(verdict.note, { text, signatures: [second, own] });
  });

  test('while a log changes its key a signature by either is enough, and a forged one by either is not forgiven', () => {
    const next = new GrowingLog({ seed: 2 });
    const both = knownLogs([log.vkey, next.vkey]);
    assert.equal(judged(next.body(8, 20), both, log.checkpoint(8)).status, 200);
    assert.equal(judged(next.body(8, 20), logs, log.checkpoint(8)).status, 403);
    const mixed = log.body(8, 20) + next.checkpoint(21).split('\n\n')[1];
    assert.equal(judged(mixed, both, log.checkpoint(8)).status, 403);
    assert.equal(judged(mixed, logs, log.checkpoint(8)).status, 200);
  });

  test('extension lines are refused however well they are signed', () => {
    const text = `${ORIGIN}\n8\n${log.tree.root(8).toString('base64')}\nextension\n`;
    const note = formatNote({ text, signatures: [log.signer.sign(text)] });
    assert.equal(judged(`old 0\n\n${note}`, logs, undefined).status, 400);
  });

  test('checks come in the order 404, 403, 400, 409, 422', () => {
    const stranger = new GrowingLog({ seed: 9 });
    const faulty = (grown: GrowingLog) => withFlippedProofBit(grown.body(5, 8)).replace('old 5', 'old 9');
    assert.equal(judged(faulty(log), knownLogs([]), log.checkpoint(6)).status, 404);
    assert.equal(judged(faulty(stranger), logs, log.checkpoint(6)).status, 403);
    assert.equal(judged(faulty(log), logs, log.checkpoint(6)).status, 400);
    assert.equal(judged(withFlippedProofBit(log.body(5, 8)), logs, log.checkpoint(6)).status, 409);
    assert.equal(judged(withFlippedProofBit(log.body(5, 8)), logs, log.checkpoint(5)).status, 422);
  });

  test('sizes near 2^63 are judged like others', () => {
    const huge = signCheckpoint({ origin: ORIGIN, size: 2n ** 63n - 1n, root: Buffer.alloc(32) }, [log.signer]);
    assert.equal(judged(`old 0\n\n${huge}`, logs, undefined).status, 200);
    assert.deepEqual(judged(log.body(8, 9), logs, huge), { status: 409, size: 2n ** 63n - 1n });
  });

  test('two trees of one size by one log are a fork; nothing else is', () => {
    const forked = new GrowingLog({ forkAt: 5 });
    const asked = (grown: GrowingLog, size: number) => {
      const admitted = admitRequest(Buffer.from(grown.body(0, size)), logs);
      assert.ok(!('status' in admitted));
      return isForked(admitted, checkpointOf(log.checkpoint(8)));
    };
    assert.deepEqual(
      [asked(forked, 8), asked(log, 8), asked(forked, 9), asked(forked, 4)],
      [true, false, false, false],
    );
  });

  test('any bytes get a verdict, and any change of a good request that is accepted says the same', () => {
    const body = log.body(5, 8);
    const good = parseNote(log.checkpoint(8)).text;
    const damaged = fc
      .tuple(fc.nat(body.length), fc.nat(3), fc.string({ maxLength: 3 }))
      .map(([at, gone, put]) => Buffer.from(body.slice(0, at) + put + body.slice(at + gone)));
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array()), (bytes) => {
        const admitted = admitRequest(bytes, logs);
        const verdict = 'status' in admitted ? admitted : decide(admitted, checkpointOf(log.checkpoint(5)));
        if (verdict.status === 200) assert.equal(verdict.note.text, good);
      }),
      { numRuns: runs(500) },
    );
  });
});

suite('known logs', () => {
  test('keys are of Ed25519 notes, each once', () => {
    const { publicKey } = log.signer.key;
    const cases: readonly (readonly [string[], string])[] = [
      [[log.vkey, log.vkey], 'key_duplicate'],
      [[formatVkey(noteKey(ORIGIN, 4, publicKey))], 'key_type_unsupported'],
      [[formatVkey(noteKey(ORIGIN, 6, new Uint8Array(1312)))], 'key_type_unsupported'],
      [['rubbish'], 'key_malformed'],
      [[log.vkey.replace('log.', 'lag.')], 'key_id_mismatch'],
    ];
    for (const [vkeys, code] of cases) assert.throws(() => knownLogs(vkeys), { code });
  });
});
