import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { ed25519KeyId } from '#protocol/ed25519.ts';
import { createKeyFile, KeyFileError, readKeyFiles } from './key-file.ts';

const root = mkdtempSync(join(tmpdir(), 'avouch-test-'));
after(() => rmSync(root, { recursive: true }));
let directories = 0;

function newDirectory(): string {
  directories += 1;
  return join(root, String(directories));
}

const PASSPHRASE = 'marker-passphrase-of-the-test';

for (const [form, passphrase, header] of [
  ['without a passphrase', undefined, 'BEGIN PRIVATE KEY'],
  ['with a passphrase', PASSPHRASE, 'BEGIN ENCRYPTED PRIVATE KEY'],
] as const) {
  suite(`a key made ${form}`, () => {
    const directory = newDirectory();
    const made = createKeyFile(directory, 'receipts-001', passphrase);

    test('lies in a file that only its owner can read, in a directory that only its owner can list', () => {
      assert.equal(statSync(join(directory, 'receipts-001.pem')).mode & 0o777, 0o600);
      assert.equal(statSync(directory).mode & 0o777, 0o700);
      assert.match(readFileSync(join(directory, 'receipts-001.pem'), 'utf8'), new RegExp(`^-----${header}-----`));
    });

    test('is the same when it is read again', () => {
      const read = readKeyFiles(directory, passphrase).get(made.keyId);
      assert.equal(read?.publicKey, made.publicKey);
      assert.ok(read?.privateKey.equals(made.privateKey));
    });

    test('is named by the hash of its public key', () => {
      assert.equal(made.keyId, ed25519KeyId(Buffer.from(made.publicKey, 'base64')));
      assert.match(made.keyId, /^[0-9a-f]{16}$/);
    });

    test('is given to whoever makes it a second time, and no draft stays behind', () => {
      assert.equal(createKeyFile(directory, 'receipts-001', passphrase).keyId, made.keyId);
      assert.notEqual(createKeyFile(directory, 'receipts-002', passphrase).keyId, made.keyId);
      assert.deepEqual(readdirSync(directory).toSorted(), ['receipts-001.pem', 'receipts-002.pem']);
    });
  });
}

test('an ML-DSA-44 key is kept as its seed, sealed like the others, and is the same when it is read again', () => {
  for (const passphrase of [undefined, PASSPHRASE]) {
    const directory = newDirectory();
    const made = createKeyFile(directory, 'log-cosign-001', passphrase, 'ml-dsa-44');
    const read = readKeyFiles(directory, passphrase).get(made.keyId);
    assert.ok(read !== undefined && read.privateKey.equals(made.privateKey));
    assert.equal(Buffer.from(made.publicKey, 'base64').length, 1312);
    assert.equal(read.privateKey.export({ type: 'pkcs8', format: 'der' }).length, 54);
    const text = readFileSync(join(directory, 'log-cosign-001.pem'), 'utf8');
    assert.equal(text.startsWith('-----BEGIN ENCRYPTED'), passphrase !== undefined);
  }
});

test('a directory that does not exist holds no keys and is not made by reading', () => {
  const directory = newDirectory();
  assert.equal(readKeyFiles(directory, undefined).size, 0);
  assert.throws(() => statSync(directory), { code: 'ENOENT' });
});

test('drafts that a crash left behind are neither read nor in the way', () => {
  const directory = newDirectory();
  mkdirSync(directory);
  for (const pid of [1, process.pid]) writeFileSync(join(directory, `receipts-001.pem.${pid}.draft`), 'half a k');
  const { keyId } = createKeyFile(directory, 'receipts-001', undefined);
  assert.deepEqual([...readKeyFiles(directory, undefined).keys()], [keyId]);
});

function pem(type: 'ed25519' | 'x25519' | 'ed448'): string {
  const { privateKey } = generateKeyPairSync(type as 'ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' });
}

interface BrokenFile {
  readonly what: string;
  readonly message: RegExp;
  readonly passphrase?: string;
  readonly make: (path: string) => void;
}

function encrypted(path: string, passphrase: string): void {
  createKeyFile(join(path, '..'), 'receipts-001', passphrase);
}

const BROKEN: readonly BrokenFile[] = [
  {
    what: 'that its group can read',
    message: /can be read by others \(mode 640\): run chmod 600/,
    make: (path) => {
      writeFileSync(path, pem('ed25519'));
      chmodSync(path, 0o640);
    },
  },
  { what: 'that is empty', message: /is damaged or encrypted: restore/, make: (path) => writeFileSync(path, '') },
  {
    what: 'that is cut short',
    message: /is damaged or encrypted: restore/,
    make: (path) => writeFileSync(path, pem('ed25519').slice(0, 60)),
  },
  {
    what: 'that holds only a public key',
    message: /is damaged or encrypted: restore/,
    make: (path) => {
      const { publicKey } = generateKeyPairSync('ed25519');
      writeFileSync(path, publicKey.export({ type: 'spki', format: 'pem' }));
    },
  },
  {
    what: 'that is encrypted, without a passphrase,',
    message: /is damaged or encrypted: .* set AVOUCH_KEY_PASSPHRASE_FILE/,
    make: (path) => encrypted(path, PASSPHRASE),
  },
  {
    what: 'of another passphrase',
    message: /is damaged or has another passphrase: .* correct AVOUCH_KEY_PASSPHRASE_FILE/,
    passphrase: PASSPHRASE,
    make: (path) => encrypted(path, 'quite another passphrase'),
  },
  {
    what: 'that lies open although there is a passphrase',
    message: /is not encrypted although AVOUCH_KEY_PASSPHRASE_FILE is set: encrypt it/,
    passphrase: PASSPHRASE,
    make: (path) => writeFileSync(path, pem('ed25519')),
  },
  {
    what: 'of type x25519',
    message: /is neither an ed25519 nor an ml-dsa-44 key/,
    make: (path) => writeFileSync(path, pem('x25519')),
  },
  {
    what: 'of type ed448',
    message: /is neither an ed25519 nor an ml-dsa-44 key/,
    make: (path) => writeFileSync(path, pem('ed448')),
  },
  {
    what: 'that is a link to nothing',
    message: /cannot be read \(ENOENT\)/,
    make: (path) => symlinkSync('nowhere', path),
  },
  { what: 'that is a directory', message: /cannot be read \(EISDIR\)/, make: (path) => mkdirSync(path) },
];

for (const { what, message, passphrase, make } of BROKEN) {
  test(`a key file ${what} is refused with a message that names the file and shows nothing of it`, () => {
    const directory = newDirectory();
    mkdirSync(directory);
    const path = join(directory, 'receipts-001.pem');
    make(path);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() && !message.source.includes('others'))
      chmodSync(path, 0o600);
    for (const open of [readKeyFiles, (at: string, with_?: string) => createKeyFile(at, 'receipts-001', with_)]) {
      assert.throws(
        () => open(directory, passphrase),
        (error: Error) => {
          assert.ok(error instanceof KeyFileError);
          assert.match(error.message, /^key file receipts-001\.pem /);
          assert.match(error.message, message);
          assert.doesNotMatch(error.message + String(error.cause), /marker|BEGIN|\n/);
          return true;
        },
      );
    }
  });
}

test('a key directory that is a file is refused by name', () => {
  const path = newDirectory();
  writeFileSync(path, '');
  assert.throws(() => readKeyFiles(path, undefined), {
    name: 'KeyFileError',
    message: `the key directory ${path} cannot be read (ENOTDIR): make it a readable directory`,
  });
});
