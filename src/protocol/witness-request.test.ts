import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { runs } from '#properties';
import { exampleLeafHashes } from './_naive-tree.ts';
import { refusesWrongTypes } from './_wrong-types.ts';
import { signCheckpoint } from './checkpoint.ts';
import { ed25519PrivateKeyFromSeed } from './ed25519.ts';
import { ed25519NoteSigner, formatNote } from './note.ts';
import { ProtocolError } from './protocol-error.ts';
import { formatAddCheckpoint, parseAddCheckpoint } from './witness-request.ts';

const origin = 'log.example/astralock';
const signer = ed25519NoteSigner(origin, ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(1)));
const checkpoint = signCheckpoint({ origin, size: 8, root: new Uint8Array(32) }, [signer]);
const proof = exampleLeafHashes(3);
const body = formatAddCheckpoint({ oldSize: 5, proof, checkpoint });

suite('C2SP tlog-witness, add-checkpoint', () => {
  test('a body is written and read again: old size, proof, checkpoint', () => {
    const request = parseAddCheckpoint(Buffer.from(body));
    assert.deepEqual([request.oldSize, request.proof, request.checkpoint.size], [5n, proof, 8n]);
    assert.equal(formatNote(request.note), checkpoint);
    const first = formatAddCheckpoint({ oldSize: 0, proof: [], checkpoint });
    assert.equal(first, `old 0\n\n${checkpoint}`);
    assert.deepEqual(parseAddCheckpoint(first).proof, []);
  });

  test('an old size beyond the checkpoint and a proof for old 0 are well-formed: the witness judges them', () => {
    assert.equal(parseAddCheckpoint(body.replace('old 5', 'old 9')).oldSize, 9n);
    assert.equal(parseAddCheckpoint(body.replace('old 5', 'old 0')).proof.length, 3);
  });

  test('malformed bodies are refused', () => {
    const line = Buffer.from(proof[0] as Uint8Array).toString('base64');
    for (const wrong of [
      '',
      'old 5\n',
      body.replace('old 5\n', ''),
      body.replace('old 5', 'old 05'),
      body.replace('old 5', 'old -5'),
      body.replace('old 5', 'old  5'),
      body.replace('old 5', 'Old 5'),
      body.replace('old 5', 'old 9223372036854775808'),
      body.replace('old 5\n', 'old 5\r\n'),
      body.replace('old 5\n', 'old 5\n\n'),
      body.replace(line, line.slice(4)),
      body.replace(line, `${line}AAAA`),
      body.replace(line, ` ${line}`),
      body.replace(line, line.replace(/=$/, '')),
      body.replace('old 5\n', `old 5\n${`${line}\n`.repeat(61)}`),
      body.slice(0, -1),
      `\n${body}`,
    ]) {
      assert.throws(() => parseAddCheckpoint(wrong), ProtocolError, wrong.slice(0, 80));
    }
    assert.throws(() => parseAddCheckpoint(new Uint8Array(1_100_000)), { code: 'request_malformed' });
    assert.throws(() => formatAddCheckpoint({ oldSize: 5, proof: exampleLeafHashes(64), checkpoint }), {
      code: 'argument_invalid',
    });
  });

  test('what is read of a damaged body is written alike, or the one error is thrown', () => {
    const damaged = fc
      .tuple(fc.nat(body.length), fc.nat(3), fc.string({ maxLength: 3 }))
      .map(([at, gone, put]) => body.slice(0, at) + put + body.slice(at + gone));
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string(), fc.uint8Array()), (input) => {
        try {
          const read = parseAddCheckpoint(input);
          assert.equal(formatAddCheckpoint({ ...read, checkpoint: formatNote(read.note) }), input);
        } catch (error) {
          assert.ok(error instanceof ProtocolError, String(error));
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

test('values of the wrong type are refused in every place', () => {
  refusesWrongTypes('nothing', (value) => parseAddCheckpoint(value));
  refusesWrongTypes('nothing', (value) => formatAddCheckpoint(value));
  refusesWrongTypes('integer', (value) => formatAddCheckpoint({ oldSize: value, proof, checkpoint }));
  refusesWrongTypes('list', (value) => formatAddCheckpoint({ oldSize: 5, proof: value, checkpoint }));
  refusesWrongTypes('text', (value) => formatAddCheckpoint({ oldSize: 5, proof, checkpoint: value }));
});
