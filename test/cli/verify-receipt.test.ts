// Receipts, checked by the verifier that others run and by the command around it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';
import { type ReceiptBody, signReceipt } from '#protocol/payment/receipt.ts';
import { verifyReceipt } from '../../verify/avouch-verify.mjs';
import { ROOT } from '../support/child-service.ts';
import { runCommand } from '../support/command.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { TestService } from '../support/service.ts';

type Json = Record<string, unknown>;

const { seed_hex, cases } = JSON.parse(readFileSync(join(ROOT, 'test/vectors/receipts.json'), 'utf8')) as {
  seed_hex: string;
  cases: [{ answer: { result: Json; receipt: Json & { signer_pubkey: string; kid: string } }; request: Json }];
};
const { answer, request } = cases[0];
const { receipt, result } = answer;
const key = receipt.signer_pubkey;
const keys = [key];
const folder = await temporaryDirectory();
after(() => rm(folder, { recursive: true, force: true }));

function written(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

suite('the verifier', () => {
  test('takes the receipt of the vector with its answer and request', async () => {
    const verdict = await verifyReceipt(receipt, { keys, answer, request, sandbox: true });
    assert.deepEqual(
      verdict.checks,
      ['signature', 'key_published', 'result_sha256', 'request_sha256', 'sandbox'].map((name) => ({ name, ok: true })),
    );
    assert.equal(verdict.valid, true);
  });

  test('refuses a receipt of a sandbox where none is expected, and the other way round', async () => {
    assert.equal((await verifyReceipt(receipt, { answer, keys })).valid, false);
    const privateKey = ed25519PrivateKeyFromSeed(Buffer.from(seed_hex, 'hex'));
    const { signature: _, ...body } = receipt;
    const real = signReceipt({ ...body, sandbox: false } as unknown as ReceiptBody, {
      privateKey,
      publicKey: key,
      kid: receipt.kid,
    });
    const whole = { ...answer, receipt: real };
    assert.equal((await verifyReceipt(real, { answer: whole, keys })).valid, true);
    assert.equal((await verifyReceipt(real, { answer: whole, keys, sandbox: true })).valid, false);
  });

  test('finds every change of a member', async () => {
    for (const name of Object.keys(receipt)) {
      const changed = { ...receipt, [name]: typeof receipt[name] === 'string' ? `${receipt[name]}A` : null };
      assert.equal((await verifyReceipt(changed, { answer, keys, sandbox: true })).valid, false, name);
    }
    const payment = receipt.payment as Json;
    for (const name of Object.keys(payment)) {
      const changed = { ...receipt, payment: { ...payment, [name]: '0' } };
      assert.equal((await verifyReceipt(changed, { answer, keys, sandbox: true })).valid, false, name);
    }
  });

  test('takes keys as the service publishes them, and refuses a receipt of another key or name', async () => {
    const published = [{ public_key: key, kid: receipt.kid }];
    const check = async (given: typeof published) =>
      (await verifyReceipt(receipt, { answer, keys: given, sandbox: true })).valid;
    assert.equal(await check(published), true);
    assert.equal(await check([]), false);
    assert.equal(await check([{ public_key: key, kid: 'did:web:other#1' }]), false);
    assert.equal(await check([{ public_key: 'AAAA', kid: receipt.kid }]), false);
  });

  test('says without keys that anybody may have signed', async () => {
    const { checks, valid, outcome } = await verifyReceipt(receipt, { answer, sandbox: true });
    assert.deepEqual([valid, outcome], [false, 'signer_not_known']);
    assert.equal(checks.find(({ name }) => name === 'key_published')?.ok, null);
  });

  test('refuses another result or request, and what is no receipt', async () => {
    const otherAnswer = { ...answer, result: { ...result, valid: false } };
    for (const given of [{ answer: otherAnswer }, { request: { ...request, query: {} } }]) {
      assert.equal((await verifyReceipt(receipt, { answer, keys, sandbox: true, ...given })).valid, false);
    }
    for (const other of [undefined, null, 7, 'x', [], {}, { ...receipt, type: 'avouch.other.v1' }]) {
      assert.equal((await verifyReceipt(other, { answer, keys, sandbox: true })).valid, false);
    }
  });
});

suite('verify-receipt', () => {
  const envelope = answer;
  const run = (...args: string[]) => runCommand(['verify-receipt', ...args]);

  test('takes an answer with its receipt and request', async () => {
    const file = written('good.json', envelope);
    const asked = '/v1/eu-vat-check?vat_number=NL123456789B01';
    const { code, stdout } = await run(file, '--key', key, '--sandbox', '--request', asked);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ok +result_sha256$/m);
    assert.match(stdout, /^ok +request_sha256$/m);
    assert.match(stdout, /^Receipt verified: rcp_01TESTVECTOR\n$/m);
  });

  test('says that the request was not compared when it was not given', async () => {
    const { code, stdout } = await run(written('good.json', envelope), '--key', key, '--sandbox');
    assert.deepEqual(
      [code, stdout.split('\n').at(-2)],
      [0, 'Receipt verified: rcp_01TESTVECTOR, request not compared (pass --request)'],
    );
  });

  test('ends with 3 for a receipt without its answer: nothing says that the answer is the signed one', async () => {
    const { code, stdout } = await run(written('alone.json', receipt), '--key', key, '--sandbox');
    assert.equal(code, 3, stdout);
    assert.match(stdout, /^not checked result_sha256/m);
    assert.match(stdout, /^Signature valid, no response given\./m);
  });

  test('refuses a changed result, another kind, another request, another key and a sandbox', async () => {
    const other = written('result.json', { ...envelope, result: { ...result, valid: false } });
    const kind = written('kind.json', { ...envelope, kind: 'sanctions' });
    const good = written('good.json', envelope);
    const wrongs = [
      [other, '--key', key, '--sandbox'],
      [kind, '--key', key, '--sandbox'],
      [good, '--key', key, '--sandbox', '--request', '/v1/eu-vat-check?vat_number=NL2'],
      [good, '--key', Buffer.alloc(32).toString('base64'), '--sandbox'],
      [good, '--key', key],
    ];
    for (const args of wrongs) {
      const { code, stdout } = await run(...args);
      assert.equal(code, 1, args.join(' '));
      assert.match(stdout, /FAILED[^]*Verification failed\n$/);
    }
  });

  test('asks a service for its keys, and finds that it did not sign', async () => {
    await using service = await TestService.start();
    const { code, stdout, stderr } = await run(written('good.json', envelope), '--url', service.url, '--sandbox');
    assert.equal(code, 1);
    assert.match(stdout, /^FAILED +key_published/m);
    assert.match(stderr, /came from the service itself/);
  });

  test('names wrong usage with exit code 2 and a file that is no JSON with 1', async () => {
    const good = written('good.json', envelope);
    const wrongs = [[], [good], [good, '--key', key, '--url', 'http://127.0.0.1:1'], [good, '--key', key, '--more']];
    for (const args of [...wrongs, [good, '--key', key, '--request', 'v1']]) {
      assert.equal((await run(...args)).code, 2, args.join(' '));
    }
    for (const file of ['/nowhere', written('text.json', 'no JSON')]) {
      assert.equal((await run(file, '--key', key)).code, 1, file);
    }
  });
});
