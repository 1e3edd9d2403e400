// The Python client against running services, and its verifier against the one in JavaScript.
import assert from 'node:assert/strict';
import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { disclose } from '#protocol/attestation/disclosure.ts';
import {
  hasRepeatedMembers,
  type Result,
  verifyReceipt,
  verifySealAnswer,
  verifyTlogProof,
} from '../../verify/avouch-verify.mjs';
import { bare, CLAIM, flipped, idOf, type Json, minimal, sealedAnswers } from '../flows/attestation/small-changes.ts';
import { challengeOf } from '../support/buyer.ts';
import { ROOT } from '../support/child-service.ts';
import { PaidService } from '../support/paid-service.ts';
import { NO_PYTHON, PACKAGE, python, SCRIPTS } from './python/interpreter.ts';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string; license: string };
const readPackage = (name: string) => readFileSync(join(PACKAGE, name), 'utf8');

suite('Python', { skip: NO_PYTHON }, () => {
  let paid: PaidService;
  before(async () => {
    paid = await PaidService.start({ clock: new ManualClock(Date.now()) });
  });
  after(() => paid[Symbol.asyncDispose]());

  for (const [ed25519, flags, how] of [
    ['_plain_ed25519', ['-S'], 'without installed packages'],
    ['by_cryptography', [], 'with the package cryptography'],
  ] as const) {
    test(`the tests of the package pass against a service, ${how}`, async (t) => {
      const name = 'import avouch; print(avouch._installed_ed25519().__name__)';
      const { stdout } = await python([...flags, '-c', name]);
      if (stdout.trim() !== ed25519) {
        assert.notEqual(ed25519, '_plain_ed25519');
        return t.skip('cryptography is not installed');
      }
      await using signer = await signingServer(paid);
      const env = { AVOUCH_URL: paid.service.url, AVOUCH_SIGNER: signer.url };
      const { stderr } = await python([...flags, '-m', 'unittest', '-v', 'test_avouch'], env);
      assert.match(stderr, /\nOK\n$/, stderr);
      t.diagnostic(/Ran .*/.exec(stderr)?.[0] ?? '');
    });
  }

  test('what the verifier in JavaScript says of thousands of changed answers, Python says too', async (t) => {
    const cases = await changedAnswers(paid);
    const folder = mkdtempSync(join(tmpdir(), 'avouch-test-python-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'cases');
    writeFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const { stdout } = await python([join(SCRIPTS, 'verdicts.py'), file]);
    const verdicts = stdout.trim().split('\n');
    const tally = { valid: 0, refused: 0, unreadable: 0 };
    for (const [i, one] of cases.entries()) {
      const expected = await verdictOf(one);
      assert.deepEqual(JSON.parse(verdicts[i] ?? 'null'), expected, JSON.stringify(one));
      tally[expected === 'unreadable' ? 'unreadable' : expected.valid ? 'valid' : 'refused'] += 1;
    }
    t.diagnostic(JSON.stringify(tally));
    assert.ok(tally.valid > 20 && tally.refused > 1_000 && tally.unreadable > 100, JSON.stringify(tally));
  });

  test('the snippet of the README runs as printed', async () => {
    const snippet = /```python\n([\s\S]*?)```/.exec(readPackage('README.md'))?.[1] ?? '';
    assert.ok(snippet.includes('http://127.0.0.1:8402'));
    const { stdout } = await python(['-c', snippet.replace('http://127.0.0.1:8402', paid.service.url)]);
    assert.match(stdout, /^working with fencing token \d+\nTrue\n$/);
  });

  test('the package has the version and licence of the project, and its files compile', async () => {
    const settings = readPackage('pyproject.toml');
    assert.ok(settings.includes(`\nversion = "${manifest.version}"\n`), settings);
    assert.ok(settings.includes(`\nlicense = { text = "${manifest.license}" }\n`), settings);
    assert.ok(readPackage('README.md').split(/\s+/).length <= 200);
    const target = mkdtempSync(join(tmpdir(), 'avouch-test-compiled-'));
    await python(['-m', 'compileall', '-q', PACKAGE, SCRIPTS], { PYTHONPYCACHEPREFIX: target });
    rmSync(target, { recursive: true });
  });
});

/** Signs what a client sends it: the buyer's key is not in Python. */
async function signingServer(paid: PaidService): Promise<AsyncDisposable & { readonly url: string }> {
  const paying = async (challenge: string) => {
    const headers = { 'payment-required': challenge };
    const asked = challengeOf({ status: 402, headers, json: {}, text: '' });
    return (await paid.buyer.sign(asked, { nowSeconds: paid.nowSeconds })).header;
  };
  const server = createServer((request, response) => {
    void text(request)
      .then(paying)
      .then((header) => response.end(header));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

interface Case {
  readonly kind: 'seal' | 'proof' | 'receipt';
  /** Base64: a changed byte may be no text. */
  readonly content: string;
  readonly keys: readonly string[];
  /** As Python names them. */
  readonly options: Readonly<{ attestation_id?: string; ignore_claim?: boolean; request?: object }>;
}

type Verdict = 'unreadable' | { valid: boolean; outcome: string | null; checks: (readonly [string, boolean | null])[] };

async function verdictOf({ kind, content, keys, options }: Case): Promise<Verdict> {
  let value: unknown;
  try {
    const read = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(content, 'base64'));
    value = kind === 'proof' ? read : JSON.parse(read);
    if (kind !== 'proof' && hasRepeatedMembers(read)) return 'unreadable';
  } catch {
    return 'unreadable';
  }
  const { attestation_id: attestationId, ignore_claim: ignoreClaim, request } = options;
  const asked = { ...(attestationId !== undefined && { attestationId }), ...(ignoreClaim && { ignoreClaim }) };
  const result: Result & { outcome?: string } =
    kind === 'proof'
      ? await verifyTlogProof(value, keys, asked)
      : kind === 'seal'
        ? await verifySealAnswer(value, keys, asked)
        : await verifyReceipt((value as Json | null)?.['receipt'], {
            answer: value,
            keys,
            sandbox: true,
            ...(request !== undefined && { request }),
          });
  const checks = result.checks.map(({ name, ok }) => [name, ok] as const);
  return { valid: result.valid, outcome: result.outcome ?? null, checks };
}

/** Values of every type, and some that two languages read differently. */
const STRANGE =
  'null true false 0 -0 1 1.0 1e400 9007199254740993 "" "A" [] {} "\\ud800" [1] {"length":1} 0.1e-6 1234567890123456789 -1'.split(
    ' ',
  );

/** Answers of a service as they are, with one bit changed, with another value for a member, and without it. */
async function changedAnswers(paid: PaidService): Promise<Case[]> {
  await using answers = await sealedAnswers();
  const { vkey, otherVkey, sealed, observed, shown, releasedId, service } = answers;
  const vectors = JSON.parse(readFileSync(join(ROOT, 'test/vectors/receipts.json'), 'utf8')) as {
    public_key: string;
    cases: { answer?: Json; request?: object }[];
  };
  const { json: released } = await service.call(`/api/attest/verify/${releasedId}`);
  const { json: first } = await service.call('/api/attest/ledger');
  const [{ attestation_id: declaration }] = first['entries'] as [{ attestation_id: string }];
  const { json: inClear } = await service.call(`/api/attest/verify/${declaration}`);
  const { json: lease } = await paid.call('/v1/claim?key=python-receipt&agent=a7&receipt=yes');
  const { json: published } = await paid.call('/.well-known/avouch-keys.json');
  const receiptKeys = (published['keys'] as { scope: string; public_key: string }[])
    .filter(({ scope }) => scope === 'receipts')
    .map(({ public_key: key }) => key);
  const id = String(sealed['attestation_id']);
  const { claim: _, disclosure_seed: seed, claim_sha256: _digest, ...hidden } = sealed;
  const disclosed = { ...hidden, ...disclose(CLAIM, Buffer.from(String(seed), 'base64'), ['statement']) };
  const seal = { kind: 'seal', keys: [otherVkey, vkey] } as const;
  const proof = { kind: 'proof', keys: [vkey] } as const;
  const cases: Case[] = [
    ...changes(sealed, { ...seal, options: { attestation_id: id } }, 29),
    ...changes(observed, { ...seal, options: {} }, 41),
    ...changes(minimal(observed), { ...seal, options: {} }, 41),
    ...changes(shown, { ...seal, options: { ignore_claim: true } }, 97),
    ...changes(released, { ...seal, options: {} }, 97),
    ...changes(disclosed, { ...seal, options: {} }, 97),
    ...changes(inClear, { ...seal, options: {} }, 97),
    ...changes(lease, { kind: 'receipt', keys: receiptKeys, options: {} }, 13),
    signedByOther(sealed),
    ...otherKeys(vkey).map((key) => asCase(sealed, { kind: 'seal', keys: [key], options: {} })),
    ...fitted(sealed, { ...seal, options: { ignore_claim: true } }),
    ...[id, undefined, idOf(Buffer.from('x'))].flatMap((asked) => {
      const options = asked === undefined ? {} : { attestation_id: asked };
      return flips(Buffer.from(String(sealed['proof'])), { ...proof, options }, 17);
    }),
  ];
  const options = vectors.cases[0]?.request === undefined ? {} : { request: vectors.cases[0].request };
  for (const { answer } of vectors.cases.slice(0, 5)) {
    cases.push(...changes(answer as Json, { kind: 'receipt', keys: [vectors.public_key], options }, 31));
  }
  return cases;
}

function flips(content: Buffer, rest: Omit<Case, 'content'>, every: number): Case[] {
  const changed = flipped(content).filter((_, index) => index % every === 0);
  return [content, ...changed].map((bytes) => ({ ...rest, content: bytes.toString('base64') }));
}

/** Entries that were changed and whose id fits again. */
function fitted(answer: Json, rest: Omit<Case, 'content'>): Case[] {
  const content = Buffer.from(String(answer['entry']), 'base64');
  const other = (from: string, to: string) => Buffer.from(content.toString().replace(from, to));
  const entries = [
    ...flipped(content).filter((_, index) => index % 53 === 0),
    ...['"v":true', '"v":1.0', '"v":2', '"v":1,"v":1', '"v": 1'].map((to) => other('"v":1', to)),
    other('"type":"seal"', '"type":"other"'),
  ];
  return entries.map((entry) => {
    return asCase({ ...answer, entry: entry.toString('base64'), attestation_id: idOf(entry) }, rest);
  });
}

function asCase(answer: Json, rest: Omit<Case, 'content'>): Case {
  return { ...rest, content: Buffer.from(JSON.stringify(answer)).toString('base64') };
}

/** The checkpoint under the good signature of a given key, which is not one of its origin. */
function signedByOther(sealed: Json): Case {
  const answer = bare(sealed);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const typed = Buffer.concat([Buffer.of(1), publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]);
  const name = 'other.example/log';
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typed]), 'buffer').subarray(0, 4);
  const [body = ''] = String(answer['checkpoint']).split(/(?<=\n)\n/);
  const signature = Buffer.concat([id, sign(null, Buffer.from(body), privateKey)]).toString('base64');
  const lie = { ...answer, checkpoint: `${body}\n\u2014 ${name} ${signature}\n` };
  return asCase(lie, {
    kind: 'seal',
    keys: [`${name}+${id.toString('hex')}+${typed.toString('base64')}`],
    options: {},
  });
}

/** Keys of the log with one character changed. */
function otherKeys(vkey: string): string[] {
  const changed = Array.from(vkey, (one, i) => `${vkey.slice(0, i)}${one === '0' ? '1' : '0'}${vkey.slice(i + 1)}`);
  return [...changed, `${vkey} `, ` ${vkey}`, `${vkey}\n`];
}

function changes(answer: Json, rest: Omit<Case, 'content'>, every: number): Case[] {
  const plain = JSON.stringify(answer);
  const texts: string[] = [];
  for (const [nth, path] of pathsIn(answer).entries()) {
    const marked = structuredClone(answer);
    const member = path.at(-1) as string;
    const parent = path.slice(0, -1).reduce((at, name) => at[name] as Json, marked);
    const isBoolean = typeof parent[member] === 'boolean';
    parent[member] = '@@here@@';
    const written = JSON.stringify(marked);
    // A third of the values for each member, and the numbers that some languages take for booleans.
    const values = STRANGE.filter((value, index) => (index + nth) % 3 === 0 || (isBoolean && /^[01]$/.test(value)));
    texts.push(...values.map((value) => written.replace('"@@here@@"', () => value)));
    delete parent[member];
    texts.push(JSON.stringify(marked));
  }
  const twice = plain.replace(/^\{/, '{"receipt":{},"entry":"",');
  const others = [...texts, twice, `\ufeff${plain}`, `${plain} `, `[${plain}]`, 'null', '[]', '5', '""'];
  const changed = others.map((one) => ({ ...rest, content: Buffer.from(one).toString('base64') }));
  return [...flips(Buffer.from(plain), rest, every), ...changed];
}

/** The names that lead to each member, lists included, not deeper than three. */
function pathsIn(value: unknown, at: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || at.length === 3) return [];
  return Object.entries(value).flatMap(([name, inner]) => [[...at, name], ...pathsIn(inner, [...at, name])]);
}
