import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { pointFromScalar, signRecoverable } from 'tiny-secp256k1';
import { AUTHORIZATION, DOMAINS, VECTOR_SIGNATURE } from './_payment-vectors.ts';
import { addressOfPublicKey, domainSeparator, transferDigest } from './authorization-digest.ts';
import { type Hex, hexOf } from './hex.ts';
import {
  chooseRecoverEngine,
  type EcdsaSignature,
  passesSelfTest,
  type RecoverEngine,
  tryRecoverEngines,
  withFallback,
} from './recover-engine.ts';
import { isEcdsaSignatureForm, parseEcdsaSignature, recoverSigner, tokenV } from './signature.ts';

const CURVE_ORDER = secp256k1.Point.CURVE().n;
const ROUNDS = 1000;
const SIGNED_ROUNDS = 20;
const all = await tryRecoverEngines('auto');
const engines = all.flatMap(({ engine }) => engine ?? []);
const [first] = all;
const notLinux = process.platform !== 'linux' && 'libraries are found otherwise here';
const noLibrary = first !== undefined && first.engine === undefined && `no libsecp256k1 to try: ${first.fault}`;

/** Numbers that look random and are the same in every run. */
function drawn(label: string, round: number): Uint8Array {
  return createHash('sha256').update(`${label} ${round}`).digest();
}

function word(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}

function plain({ compact, recovery }: EcdsaSignature): [Hex, number] {
  return [hexOf(compact), recovery];
}

/** A good signature and its spoilt forms, with the account that a right engine finds for the good one. */
function casesOf(round: number) {
  const secret = drawn('key', round);
  const digest = drawn('message', round);
  const { signature: compact, recoveryId } = signRecoverable(digest, secret);
  const recovery = recoveryId === 1 ? 1 : 0;
  const s = BigInt(hexOf(compact.subarray(32)));
  const highS = Buffer.concat([compact.subarray(0, 32), word(CURVE_ORDER - s)]);
  const signer = addressOfPublicKey(pointFromScalar(secret, false) as Uint8Array);
  const flip = recovery === 0 ? 1 : 0;
  return {
    secret,
    signer,
    digest,
    good: { compact, recovery } as const,
    highS: { compact: highS, recovery: flip } as const,
    spoilt: [
      { compact, recovery: flip },
      { compact: Buffer.concat([new Uint8Array(32), compact.subarray(32)]), recovery },
      { compact: Buffer.concat([compact.subarray(0, 32), new Uint8Array(32)]), recovery },
      { compact: Buffer.concat([word(CURVE_ORDER), compact.subarray(32)]), recovery },
      { compact: Buffer.concat([compact.subarray(0, 32), word(CURVE_ORDER)]), recovery },
      { compact: Buffer.concat([drawn('r', round), compact.subarray(32)]), recovery },
      { compact: Buffer.concat([compact.subarray(0, 32), drawn('s', round)]), recovery },
    ] as const,
  };
}

test('the engines of this machine include wasm and plain JavaScript, the fastest first', async () => {
  const names = engines.map(({ name }) => name);
  assert.deepEqual(names.slice(-2), ['tiny-secp256k1', '@noble/curves']);
  assert.equal((await chooseRecoverEngine('auto')).name, names[0]);
});

test('without native code WebAssembly is the first, and nobody gets native code who does not ask for it', async () => {
  assert.deepEqual(
    (await tryRecoverEngines('wasm')).map(({ name, engine }) => [name, engine !== undefined]),
    [
      ['tiny-secp256k1', true],
      ['@noble/curves', true],
    ],
  );
  assert.equal((await chooseRecoverEngine()).name, 'tiny-secp256k1');
  assert.equal(await chooseRecoverEngine('wasm'), await chooseRecoverEngine('wasm'), 'it is found once');
});

test('the library of the machine takes bytes of the right length only', { skip: noLibrary }, () => {
  const { engine } = first as { engine: RecoverEngine };
  const { digest, good, secret } = casesOf(0);
  // Views into the middle of larger buffers, as headers are cut.
  const cut = (bytes: Uint8Array) => Buffer.concat([drawn('before', 0), bytes, drawn('after', 0)]).subarray(32, -32);
  assert.deepEqual(
    engine.recover(cut(digest), cut(good.compact), good.recovery),
    engine.recover(digest, good.compact, good.recovery),
  );
  assert.deepEqual(plain(engine.sign(cut(digest), cut(secret))), plain(good));
  for (const [hash, compact] of [
    [digest.subarray(1), good.compact],
    [digest, good.compact.subarray(1)],
    [Buffer.concat([digest, digest]), good.compact],
    [digest, Buffer.concat([good.compact, digest])],
  ] as const) {
    assert.equal(engine.recover(hash, compact, good.recovery), undefined);
  }
  assert.equal(engine.recover(digest, good.compact, 2 as 1), undefined);
  assert.throws(() => engine.sign(digest, secret.subarray(1)));
  assert.throws(() => engine.sign(digest, new Uint8Array(32)), 'zero is no private key');
});

test('node:ffi warns nobody, and other warnings are heard', async () => {
  const program = `
    const { openSystemSecp256k1 } = await import(${JSON.stringify(new URL('system-secp256k1.ts', import.meta.url))});
    try { openSystemSecp256k1(); } catch {}
    process.emitWarning('something else', 'ExperimentalWarning');`;
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  assert.match(stderr, /ExperimentalWarning: something else/);
  assert.doesNotMatch(stderr, /FFI/);
});

test('where Node lets no program call native code the next engine is taken', async () => {
  const program = `
    const { chooseRecoverEngine } = await import(${JSON.stringify(new URL('recover-engine.ts', import.meta.url))});
    console.log((await chooseRecoverEngine('auto')).name);`;
  const flags = ['--no-experimental-ffi', '--input-type=module', '-e', program];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, flags);
  assert.deepEqual([stdout, stderr], ['tiny-secp256k1\n', '']);
});

test('a file that only has the name of the library is passed over', { skip: notLinux }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'avouch-secp256k1-'));
  for (const version of [6, 2, 1, 0]) await writeFile(join(folder, `libsecp256k1.so.${version}`), 'no library');
  const program = `
    const { tryRecoverEngines } = await import(${JSON.stringify(new URL('recover-engine.ts', import.meta.url))});
    console.log(JSON.stringify(await tryRecoverEngines('auto')));`;
  const env = { ...process.env, LD_LIBRARY_PATH: folder };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env });
  await rm(folder, { recursive: true });
  const [library, wasm] = JSON.parse(stdout) as { fault?: string; engine?: object }[];
  assert.match(library?.fault ?? '', /libsecp256k1\.so\.6/);
  assert.ok(wasm?.engine !== undefined);
});

test('what an engine cannot do, because it broke, the other one does', () => {
  const [real] = engines as [RecoverEngine];
  const { digest, good, secret, signer } = casesOf(1);
  const broken = (): never => {
    throw new Error('the library is gone');
  };
  const engine = withFallback({ ...real, recover: broken, sign: broken }, real);
  assert.equal(recoverSigner(engine, digest, good), signer);
  assert.deepEqual(plain(engine.sign(digest, secret)), plain(good));
  assert.equal(engine.recover(digest, new Uint8Array(64), 0), undefined);
  assert.throws(() => engine.sign(digest, new Uint8Array(32)), 'what both refuse is refused');
});

test('all engines sign alike and find the same key, or none, on good and spoilt signatures', () => {
  const [fastest] = engines as [RecoverEngine];
  const counts = { signer: 0, other: 0, none: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const { secret, signer, digest, good, highS, spoilt } = casesOf(round);
    assert.equal(recoverSigner(fastest, digest, good), signer);
    if (round < SIGNED_ROUNDS) {
      for (const engine of engines) assert.deepEqual(plain(engine.sign(digest, secret)), plain(good), engine.name);
    }
    assert.equal(recoverSigner(fastest, digest, highS), signer, 'high s is recovered: it must be refused before');
    const variants = [good, highS, ...spoilt];
    const tried = variants[round % variants.length] as typeof good;
    const answers = engines.map((engine) => recoverSigner(engine, digest, tried));
    assert.equal(new Set(answers).size, 1, `round ${round}: ${answers.join()}`);
    assert.equal(answers[0] === signer, tried === good || tried === highS, `round ${round}`);
    counts[answers[0] === undefined ? 'none' : answers[0] === signer ? 'signer' : 'other'] += 1;
  }
  for (const [outcome, count] of Object.entries(counts)) assert.ok(count > ROUNDS / 10, `${outcome}: ${count}`);
});

test('an engine that finds another key, or a key for nothing, does not pass', () => {
  const [real] = engines as [RecoverEngine];
  assert.equal(passesSelfTest(real), true);
  const wrongs: readonly RecoverEngine['recover'][] = [
    () => undefined,
    () => new Uint8Array(65),
    (digest, compact) => real.recover(digest, compact, 0),
    (digest, compact) => real.recover(digest, compact, 1),
    (digest, compact, recovery) => real.recover(digest, compact, recovery) ?? new Uint8Array(65),
  ];
  for (const recover of wrongs) assert.equal(passesSelfTest({ ...real, recover }), false);
  const otherSignature: RecoverEngine['sign'] = (digest, secret) => real.sign(digest.toReversed(), secret);
  assert.equal(passesSelfTest({ ...real, sign: otherSignature }), false);
});

test('the signature of the vector is that of its payer, in one domain only', () => {
  const signature = parseEcdsaSignature(VECTOR_SIGNATURE);
  assert.ok(signature !== undefined);
  const signers = DOMAINS.map(({ domain }) =>
    recoverSigner(engines[0] as RecoverEngine, transferDigest(domainSeparator(domain), AUTHORIZATION), signature),
  );
  assert.equal(signers[0], AUTHORIZATION.from.toLowerCase());
  assert.equal(signers.filter((signer) => signer === signers[0]).length, 1, 'worth nothing on a real chain');
});

test('v is taken as 0, 1, 27 or 28 and passed on as 27 or 28', () => {
  const withV = (v: number): Hex => `${VECTOR_SIGNATURE.slice(0, -2)}${v.toString(16).padStart(2, '0')}` as Hex;
  const taken = Array.from({ length: 256 }, (_, v) => v).filter((v) => parseEcdsaSignature(withV(v)) !== undefined);
  assert.deepEqual(taken, [0, 1, 27, 28]);
  const passed = taken.map((v) => tokenV(parseEcdsaSignature(withV(v)) as never));
  assert.deepEqual(passed, [27, 28, 27, 28]);
});

test('the highest low s is taken and the next one refused', () => {
  const r = VECTOR_SIGNATURE.slice(2, 66);
  const withS = (s: bigint): Hex => `0x${r}${word(s).toString('hex')}1b`;
  const half = CURVE_ORDER / 2n;
  assert.ok(parseEcdsaSignature(withS(half)) !== undefined);
  assert.equal(parseEcdsaSignature(withS(half + 1n)), undefined);
});

test('only 65 bytes in hex are an ECDSA signature', () => {
  assert.equal(isEcdsaSignatureForm(VECTOR_SIGNATURE), true);
  for (const other of ['0x', VECTOR_SIGNATURE.slice(0, -2), `${VECTOR_SIGNATURE}00`, VECTOR_SIGNATURE.slice(2)]) {
    assert.equal(isEcdsaSignatureForm(other), false);
  }
});
