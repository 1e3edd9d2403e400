import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { base64, fromBase64, fromHex, hex, type LogVectors, VECTOR_SETS } from './_vectors.ts';
import { formatCheckpoint, parseCheckpoint, signCheckpoint, verifyCheckpoint } from './checkpoint.ts';
import {
  checkpointVerifier,
  cosignatureV1Message,
  ed25519Cosigner,
  mlDsa44Cosigner,
  subtreeV1Message,
} from './cosignature.ts';
import { ed25519PrivateKeyFromSeed } from './ed25519.ts';
import { leafHash, verifyConsistency } from './merkle.ts';
import { MerkleTree } from './merkle-tree.ts';
import { mlDsa44PrivateKeyFromSeed, mlDsa44Verify } from './ml-dsa.ts';
import {
  ed25519NoteSigner,
  ed25519NoteVerifier,
  formatNote,
  formatSignatureLine,
  parseNote,
  parseSignatureLines,
  verifyNote,
} from './note.ts';
import { formatVkey, parseVkey } from './note-key.ts';
import { ProtocolError } from './protocol-error.ts';
import { decodeEntryBundle, encodeEntryBundle, formatTilePath, parseTilePath, tileLayout } from './tile.ts';
import { formatTlogProof, parseTlogProof, verifyTlogProof } from './tlog-proof.ts';
import { formatAddCheckpoint, parseAddCheckpoint } from './witness-request.ts';
import { parsePolicy } from './witness-policy.ts';

const NOW = 2_000_000_000;

for (const { name: setName, vectors } of VECTOR_SETS) {
  const vectorTest = (title: string, run: (given: LogVectors) => void) => {
    test(title, () => run(vectors));
  };

  suite(`C2SP signed-note, ${setName}`, () => {
    vectorTest('a note is signed, read and verified', ({ notes }) => {
      const { vkey, seed_hex, public_key_hex, text, signature_line, note } = notes.one_signature;
      const signer = ed25519NoteSigner(parseVkey(vkey).name, ed25519PrivateKeyFromSeed(fromHex(seed_hex)));
      assert.equal(hex(signer.key.publicKey), public_key_hex);
      assert.equal(formatVkey(signer.key), vkey);
      const signature = signer.sign(text);
      assert.equal(formatSignatureLine(signature), signature_line);
      assert.equal(formatNote({ text, signatures: [signature] }), note);
      assert.deepEqual(parseNote(note), { text, signatures: parseSignatureLines(signature_line) });
    });

    vectorTest('known keys decide, unknown keys are ignored', ({ notes }) => {
      const keys = new Map(
        [notes.one_signature, notes.second_key].map(({ vkey }) => [parseVkey(vkey).name, parseVkey(vkey)]),
      );
      const verifiers = (names: readonly string[]) =>
        names.map((name) => ed25519NoteVerifier(keys.get(name) ?? assert.fail()));
      for (const { known, result, verified, unverified } of notes.two_signatures.expect) {
        const run = () => verifyNote(parseNote(notes.two_signatures.note), verifiers(known));
        if (result !== 'accept') {
          assert.throws(run, { code: 'signature_missing' });
          continue;
        }
        assert.deepEqual(
          run().verified.map(({ key }) => key.name),
          verified,
        );
        assert.deepEqual(
          run().ignored.map(({ name }) => name),
          unverified,
        );
      }
      const { note, known } = notes.bad_signature;
      assert.throws(() => verifyNote(parseNote(note), verifiers(known)), { code: 'signature_invalid' });
    });

    vectorTest('malformed notes and keys are refused', ({ notes }) => {
      for (const { note, note_hex, why } of notes.malformed.cases) {
        assert.throws(() => parseNote(note ?? fromHex(note_hex ?? '')), { code: 'note_malformed' }, why);
      }
      for (const { vkey, why } of notes.bad_vkeys.cases) assert.throws(() => parseVkey(vkey), ProtocolError, why);
    });

    vectorTest('notes of others verify', ({ notes }) => {
      const { example, foreign_checkpoint: foreign, record_hash: record } = notes;
      const opened = verifyNote(parseNote(example.note), [ed25519NoteVerifier(parseVkey(example.vkey))]);
      assert.equal(opened.text, example.text);
      const key = parseVkey(foreign.vkey);
      assert.deepEqual([hex(key.publicKey), key.keyId], [foreign.public_key_hex, foreign.key_id_hex]);
      const { checkpoint } = verifyCheckpoint(foreign.note, [checkpointVerifier(key, NOW)]);
      assert.deepEqual([checkpoint.origin, checkpoint.size], [foreign.origin, BigInt(foreign.size)]);
      assert.equal(base64(checkpoint.root), foreign.root_b64);
      assert.equal(formatCheckpoint(checkpoint), foreign.text);
      assert.equal(base64(leafHash(Buffer.from(record.entry_utf8))), record.leaf_hash_b64);
    });
  });

  suite(`C2SP tlog-checkpoint, tlog-cosignature, tlog-proof and tlog-witness, ${setName}`, () => {
    const treeOf = (golden: LogVectors['golden']) => {
      const tree = new MerkleTree();
      for (const entry of golden.entries_hex) tree.append(leafHash(fromHex(entry)));
      return tree;
    };

    vectorTest('the log signs and the witness cosigns the golden checkpoint', ({ golden }) => {
      const { origin, witness_name, cosignature_time: time } = golden;
      const log = ed25519NoteSigner(origin, ed25519PrivateKeyFromSeed(fromHex(golden.log_seed_hex)));
      const witness = ed25519Cosigner(witness_name, ed25519PrivateKeyFromSeed(fromHex(golden.witness_seed_hex)));
      assert.deepEqual([formatVkey(log.key), formatVkey(witness.key)], [golden.log_vkey, golden.witness_vkey]);
      for (const [size, expected] of [
        [8, golden.checkpoint_size_8],
        [5, golden.checkpoint_size_5],
      ] as const) {
        const root = treeOf(golden).root(size);
        const signed = signCheckpoint({ origin, size, root }, [log]);
        const text = formatCheckpoint({ origin, size, root });
        assert.equal(signed + formatSignatureLine(witness.cosign(text, time)), expected);
      }
      const { checkpoint_text_size_8: text, cosignature_size_8: cosignature } = golden;
      assert.equal(Buffer.from(cosignatureV1Message(text, time)).toString(), cosignature.signed_message);
      const { keyId, signature } = witness.cosign(text, time);
      assert.equal(keyId, cosignature.key_id_hex);
      assert.equal(hex(signature), cosignature.timestamp_be_hex + cosignature.signature_hex);
      assert.equal(formatSignatureLine(witness.cosign(text, time)), cosignature.line);
    });

    vectorTest('the golden proofs prove their entries', ({ golden }) => {
      const policy = parsePolicy(`log ${golden.log_vkey}\nwitness w ${golden.witness_vkey}\nquorum w\n`);
      const tree = treeOf(golden);
      for (const { index, entry_hex, proof } of [...golden.tlog_proofs, golden.tlog_proof_with_extra]) {
        const entry = fromHex(entry_hex);
        const proven = verifyTlogProof({ proof, entry }, policy, NOW);
        assert.equal(proven.index, BigInt(index));
        assert.deepEqual(
          proven.signatures.cosignatures.map(({ timeSeconds }) => timeSeconds),
          [BigInt(golden.cosignature_time)],
        );
        const { extra } = parseTlogProof(proof);
        const parts = { index, path: tree.inclusionPath(index), checkpoint: golden.checkpoint_size_8 };
        assert.equal(formatTlogProof({ ...parts, extra }), proof);
        assert.throws(() => verifyTlogProof({ proof, entry: Buffer.from('other') }, policy, NOW), {
          code: 'inclusion_invalid',
        });
      }
      assert.equal(
        hex(parseTlogProof(golden.tlog_proof_with_extra.proof).extra ?? assert.fail()),
        golden.tlog_proof_with_extra.entry_hex,
      );
    });

    vectorTest('the golden request to a witness is read, holds, and is written again', ({ golden }) => {
      const body = golden.add_checkpoint_body_5_to_8;
      const { oldSize, proof, note, checkpoint } = parseAddCheckpoint(body);
      const firstRoot = parseCheckpoint(parseNote(golden.checkpoint_size_5).text).root;
      const sizes = { first: oldSize, second: checkpoint.size };
      assert.ok(verifyConsistency({ ...sizes, firstRoot, secondRoot: checkpoint.root, proof }));
      assert.equal(formatAddCheckpoint({ oldSize, proof, checkpoint: formatNote(note) }), body);
      assert.deepEqual(proof, treeOf(golden).consistencyProof(5, 8));
      const lines = `${base64(proof[0] as Uint8Array)}\n`;
      const long = (count: number) => body.replace('old 5\n', `old 5\n${lines.repeat(count - proof.length)}`);
      assert.equal(parseAddCheckpoint(long(63)).proof.length, 63);
      assert.throws(() => parseAddCheckpoint(long(64)), { code: 'request_malformed' });
    });

    vectorTest(
      'the golden ML-DSA-44 cosignature verifies, and so does a fresh one',
      ({ golden, golden_ml_dsa_44: ml }) => {
        const cosigner = mlDsa44Cosigner(ml.cosigner_name, mlDsa44PrivateKeyFromSeed(fromHex(ml.seed_hex)));
        assert.equal(base64(cosigner.key.publicKey), ml.public_key_b64);
        assert.deepEqual([cosigner.key.keyId, formatVkey(cosigner.key)], [ml.key_id_hex, ml.vkey]);
        const { timestamp: timeSeconds, start, end, log_origin: origin, cosigner_name: cosignerName } = ml;
        const message = subtreeV1Message({ cosignerName, timeSeconds, origin, start, end, root: fromHex(ml.root_hex) });
        assert.equal(hex(message), ml.message_hex);
        assert.ok(mlDsa44Verify(fromBase64(ml.public_key_b64), message, fromBase64(ml.signature_b64)));
        const text = golden.checkpoint_text_size_8;
        const fresh = formatSignatureLine(cosigner.cosign(text, timeSeconds));
        assert.equal(fresh.length, ml.line.length);
        for (const line of [ml.line, fresh]) {
          const { verified } = verifyCheckpoint(`${text}\n${line}`, [checkpointVerifier(parseVkey(ml.vkey), NOW)]);
          assert.equal(verified[0]?.timeSeconds, BigInt(timeSeconds));
        }
      },
    );
  });

  suite(`C2SP tlog-tiles, ${setName}`, () => {
    vectorTest('paths are written and read in one spelling', ({ tiles }) => {
      const bundles = tiles.entry_bundle_paths.map((one) => ({ ...one, level: 'entries' as const }));
      for (const { path, ...tile } of [...tiles.paths, ...bundles]) {
        assert.equal(formatTilePath(tile), path);
        assert.deepEqual(parseTilePath(path), tile);
      }
      for (const path of tiles.bad_paths)
        assert.throws(() => parseTilePath(path), { code: 'tile_path_malformed' }, path);
      for (const { tlog_tiles, go } of tiles.go_sumdb_paths) {
        parseTilePath(tlog_tiles);
        assert.equal(tlog_tiles.replace('tile/', 'tile/8/').replace('/entries/', '/data/'), go);
      }
    });

    vectorTest('the layout of a size and the bytes of tiles and bundles', ({ tiles, golden }) => {
      for (const { size, levels } of tiles.layout_by_size) {
        const layout = tileLayout(size);
        assert.deepEqual(
          layout.map((one) => [one.level, one.fullTiles, one.partialWidth]),
          levels.map((one) => [one.level, one.full_tiles, one.partial_width]),
        );
      }
      const entries = golden.entries_hex.map(fromHex);
      const tree = new MerkleTree();
      for (const entry of entries) tree.append(leafHash(entry));
      for (const [path, bytes] of Object.entries({ ...golden.files_size_8, ...golden.files_size_5 })) {
        const { level, index, width } = parseTilePath(path);
        if (level !== 'entries') assert.equal(hex(tree.tile(level, index, width)), bytes);
        else {
          assert.equal(hex(encodeEntryBundle(entries.slice(0, width))), bytes);
          assert.deepEqual(decodeEntryBundle(fromHex(bytes), width), entries.slice(0, width));
        }
      }
    });
  });
}
