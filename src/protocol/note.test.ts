import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { runs } from '#properties';
import { flipBit, refusesWrongTypes } from './_wrong-types.ts';
import { ed25519PrivateKeyFromSeed } from './ed25519.ts';
import {
  ed25519NoteSigner,
  ed25519NoteVerifier,
  formatNote,
  formatSignatureLine,
  parseNote,
  parseSignatureLines,
  verifyNote,
} from './note.ts';
import { noteKey } from './note-key.ts';
import { ProtocolError } from './protocol-error.ts';

const privateKey = ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(1));
const signer = ed25519NoteSigner('log.example', privateKey);
const other = ed25519NoteSigner('log.example', ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(2)));
const renamed = ed25519NoteSigner('other.example', privateKey);
const text = 'first line\n\nthird line\n';
const note = formatNote({ text, signatures: [signer.sign(text)] });
const verifier = ed25519NoteVerifier(signer.key);

suite('C2SP signed-note, reading', () => {
  test('the last blank line separates text and signatures', () => {
    assert.equal(parseNote(note).text, text);
    assert.deepEqual(parseNote(Buffer.from(note)), parseNote(note));
    assert.equal(parseNote(`\n${note}`).text, `\n${text}`);
  });

  test('a byte order mark and text beyond ASCII are signed as they stand', () => {
    const strange = '\ufeffÖ — 😀\n';
    const signed = formatNote({ text: strange, signatures: [signer.sign(strange)] });
    assert.equal(verifyNote(parseNote(Buffer.from(signed)), [verifier]).text, strange);
    assert.throws(() => verifyNote(parseNote(signed.replace('\ufeff', '')), [verifier]), { code: 'signature_invalid' });
  });

  test('64 signatures are read and 65 are not', () => {
    const line = formatSignatureLine(signer.sign(text));
    assert.equal(parseNote(`${text}\n${line.repeat(64)}`).signatures.length, 64);
    assert.throws(() => parseNote(`${text}\n${line.repeat(65)}`), { code: 'too_many_signatures' });
  });

  test('a note above a million bytes is refused before it is looked at', () => {
    assert.throws(() => parseNote('\u0001'.repeat(1_000_001)), { code: 'note_malformed', message: /longer/ });
    assert.throws(() => parseNote(new Uint8Array(1_000_001)), { code: 'note_malformed', message: /longer/ });
  });

  test('other line ends, dashes, spaces and spellings of base64 are refused', () => {
    const base64 = /[^ ]+\n$/.exec(note)?.[0] ?? '';
    const strayBits = base64.replace(/.(=*)\n$/, (_, padding: string) => `B${padding}\n`);
    for (const wrong of [
      note.replaceAll('\n', '\r\n'),
      note.replace('\u2014', '-'),
      note.replace('\u2014', '\u2013'),
      note.replace('\u2014 ', '\u2014  '),
      note.replace('\u2014 ', '\u2014'),
      note.replace(' log.example ', ' log.example  '),
      note.replace('log.example', 'log+example'),
      note.replace('log.example', 'log\u00a0example'),
      note.replace(/=+\n$/, '\n'),
      note.replace(/\n$/, ' \n'),
      note.replace(base64, base64.replaceAll('+', '-').replaceAll('/', '_').replace(/^../, '__')),
      note.replace(base64, strayBits),
      note.replace(base64, 'AAAAAA==\n'),
      `${note}\n`,
      `${note}\n\n`,
      '\n\n',
      '',
    ]) {
      assert.throws(() => parseNote(wrong), { code: 'note_malformed' }, JSON.stringify(wrong));
    }
  });

  test('random bytes and damaged notes give a note or the one error, and what is read is written alike', () => {
    const damaged = fc
      .tuple(fc.nat(note.length), fc.nat(3), fc.string({ maxLength: 3 }))
      .map(([at, gone, put]) => note.slice(0, at) + put + note.slice(at + gone));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.uint8Array(), damaged), (input) => {
        try {
          const read = parseNote(input);
          assert.equal(formatNote(read), typeof input === 'string' ? input : Buffer.from(input).toString());
        } catch (error) {
          assert.ok(error instanceof ProtocolError, String(error));
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

suite('C2SP signed-note, verifying', () => {
  test('one changed bit anywhere in the note is never accepted as the same signed text', () => {
    const bytes = Buffer.from(note);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      let accepted = false;
      try {
        verifyNote(parseNote(flipBit(bytes, bit)), [verifier]);
        accepted = true;
      } catch (error) {
        assert.ok(error instanceof ProtocolError, String(error));
      }
      assert.equal(accepted, false, `bit ${bit}`);
    }
  });

  test('a key that shares the name or the id only is unknown, and its signature is ignored', () => {
    const signatures = [
      other.sign(text),
      { ...signer.sign(text), keyId: '00000000' },
      renamed.sign(text),
      signer.sign(text),
    ];
    const opened = verifyNote({ text, signatures }, [verifier]);
    assert.deepEqual([opened.verified.length, opened.ignored.length], [1, 3]);
    assert.throws(() => verifyNote({ text, signatures: signatures.slice(0, 3) }, [verifier]), {
      code: 'signature_missing',
    });
  });

  test('a forged signature in the name of a known key rejects the note, wherever it stands', () => {
    const good = signer.sign(text);
    const forged = { ...good, signature: flipBit(good.signature, 5) };
    for (const signatures of [
      [forged],
      [good, forged],
      [forged, good],
      [{ ...good, signature: new Uint8Array(63) }, good],
    ]) {
      assert.throws(() => verifyNote({ text, signatures }, [verifier]), { code: 'signature_invalid' });
    }
  });

  test('a key that signed twice counts once', () => {
    const signatures = [signer.sign(text), signer.sign(text)];
    assert.equal(verifyNote({ text, signatures }, [verifier]).verified.length, 1);
  });

  test('the same name and id twice among the known keys is an error', () => {
    assert.throws(() => verifyNote(parseNote(note), [verifier, verifier]), { code: 'key_duplicate' });
  });

  test('a verifier of Ed25519 notes takes no key of another type', () => {
    const cosigner = noteKey('w.example', 4, signer.key.publicKey);
    assert.throws(() => ed25519NoteVerifier(cosigner), { code: 'key_type_unsupported' });
  });
});

test('what cannot be read again is not written', () => {
  const signature = signer.sign(text);
  for (const bad of ['', 'no end', 'tab\t\n', '\ud800\n']) {
    assert.throws(() => formatNote({ text: bad, signatures: [signature] }), { code: 'note_malformed' });
  }
  assert.throws(() => formatNote({ text, signatures: [] }), { code: 'note_malformed' });
  for (const change of [{ name: 'a b' }, { keyId: 'ABCDEF01' }, { keyId: '' }, { signature: new Uint8Array(0) }]) {
    assert.throws(() => formatSignatureLine({ ...signature, ...change }), { code: 'argument_invalid' });
  }
});

test('values of the wrong type are refused in every place', () => {
  refusesWrongTypes('nothing', (value) => parseNote(value));
  refusesWrongTypes('nothing', (value) => parseSignatureLines(value));
  refusesWrongTypes('nothing', (value) => formatNote(value));
  refusesWrongTypes('nothing', (value) => formatNote({ text, signatures: value }));
  refusesWrongTypes('nothing', (value) => formatSignatureLine(value));
  refusesWrongTypes('nothing', (value) => verifyNote(value, [verifier]));
  refusesWrongTypes('nothing', (value) => verifyNote(parseNote(note), value));
  refusesWrongTypes('text', (value) => signer.sign(value));
  refusesWrongTypes('text', (value) => ed25519NoteSigner(value, privateKey));
  refusesWrongTypes('nothing', (value) => ed25519NoteSigner('log.example', value));
  refusesWrongTypes('nothing', (value) => ed25519NoteVerifier(value));
});
