import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, suite, test } from 'node:test';
import { CHAIN_FOLDER } from '#sandbox/chain-place.ts';
import { ensureBuyerKey } from '#sandbox/chain/buyer-key.ts';
import { fundBuyer } from '#sandbox/chain/sandbox-money.ts';
import { SpendLedger } from '../../src/cli/spend-ledger.ts';
import { runCommand } from '../support/command.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { Seller } from './seller.ts';

suite('pay', () => {
  let seller: Seller;
  let DATA_DIR: string;
  let url: string;

  before(async () => {
    seller = await Seller.open();
    url = `${seller.url}/v1/eu-vat-check?vat_number=NL1`;
  });
  after(() => seller[Symbol.asyncDispose]());
  beforeEach(async () => {
    seller.mode = 'honest';
    seller.amount = '2000';
    seller.paid = 0;
    DATA_DIR = await temporaryDirectory();
    mkdirSync(join(DATA_DIR, CHAIN_FOLDER));
    await fundBuyer(seller.rpcUrl, ensureBuyerKey(DATA_DIR).address);
  });

  const pay = (...args: string[]) => runCommand(['pay', url, ...args], { DATA_DIR });

  test('shows price and offer, pays, and checks receipt, transaction and balance', async () => {
    const earned = await seller.earned();
    const { code, stdout, stderr } = await pay();
    assert.deepEqual([code, stderr], [0, ''], stdout);
    assert.match(stdout, /^price: 0\.002 Sandbox USDC on eip155:8453, to 0x/m);
    assert.match(stdout, /^offer: signed by the service$/m);
    assert.match(stdout, /^balance before: 100$/m);
    assert.match(stdout, /^transaction: 0x[0-9a-f]{64}$/m);
    assert.match(stdout, /^balance after: 99\.998$/m);
    assert.match(stdout, /^receipt: valid$/m);
    assert.match(stdout, /"result":\{"valid":true\}/);
    assert.equal((await seller.earned()) - earned, 2000n);
  });

  test('a dry run signs and pays nothing', async () => {
    const { code, stdout } = await pay('--dry-run');
    assert.equal(code, 0);
    assert.match(stdout, /^price: 0\.002/m);
    assert.match(stdout, /^dry run: nothing was signed or paid$/m);
    assert.equal(seller.paid, 0);
    assert.equal(existsSync(join(DATA_DIR, 'spend-ledger.ndjson')), false);
  });

  test('repeated with the same key it is not charged again', async () => {
    const key = 'the-same-key-every-time';
    const earned = await seller.earned();
    assert.equal((await pay('--idempotency-key', key)).code, 0);
    const { code, stdout } = await pay('--idempotency-key', key);
    assert.equal(code, 0);
    assert.match(stdout, /^payment: paid before, this is the stored response$/m);
    assert.equal((await seller.earned()) - earned, 2000n);
  });

  for (const [mode, says] of [
    ['swapped_account', /The offer does not match its signature: it was signed for another payTo\. Nothing was paid\./],
    ['other_token', /The price is in an unknown token, 0x/],
    ['real_money', /This costs real money\. Pass --key <file> to choose the paying key\./],
  ] as const) {
    test(`nothing is paid to a seller that is ${mode}`, async () => {
      seller.mode = mode;
      const { code, stderr } = await pay();
      assert.equal(code, 1);
      assert.match(stderr, says);
      assert.equal(seller.paid, 0);
    });
  }

  test('a price above the limit is not paid', async () => {
    seller.amount = '50001';
    assert.match((await pay()).stderr, /The price is above --max 0\.05\. Nothing was paid\./);
    assert.equal(seller.paid, 0);
    assert.equal((await pay('--max', '0.06')).code, 0);
  });

  test('a day has a limit that outlives the command', async () => {
    assert.equal((await pay('--daily-max', '0.003')).code, 0);
    const { code, stderr } = await pay('--daily-max', '0.003');
    assert.equal(code, 1);
    assert.match(stderr, /This would exceed --daily-max\. Nothing was paid\./);
    assert.equal(seller.paid, 1);
    assert.equal((await pay('--daily-max', '0.004')).code, 0, 'what was refused is not counted');
    const lines = readFileSync(join(DATA_DIR, 'spend-ledger.ndjson'), 'utf8').trim().split('\n');
    assert.equal(lines.length, 4);
  });

  test('an outcome that is not known stays in the sum of the day and says how to ask again', async () => {
    seller.mode = 'pending';
    const { code, stderr } = await pay('--daily-max', '0.003');
    assert.equal(code, 1);
    assert.match(stderr, /Repeat it with --idempotency-key \S{16,}: it is charged at most once\./);
    seller.mode = 'honest';
    assert.match((await pay('--daily-max', '0.003')).stderr, /exceed --daily-max/);
  });

  for (const mode of ['hangs_up', 'cut_short', 'gateway', 'asks_twice', 'pending'] as const) {
    test(`of a payment that was sent to a seller that is ${mode} it is never said that it was not made`, async () => {
      seller.mode = mode;
      const { code, stdout, stderr } = await pay('--idempotency-key', 'the-key-of-this-payment');
      assert.deepEqual([code, seller.paid], [1, 1]);
      const note = /The payment may have been made\. Repeat it with --idempotency-key the-key-of-this-payment: /;
      assert.match(stderr, note);
      assert.doesNotMatch(stdout + stderr, /Nothing was paid|none needed/);
      seller.mode = 'honest';
      assert.match((await pay('--daily-max', '0.003')).stderr, /exceed --daily-max/);
    });
  }

  test('a seller that has the signature and says that nothing was charged gives no limit back', async () => {
    seller.mode = 'denies';
    assert.equal((await pay('--daily-max', '0.003')).code, 1);
    assert.match((await pay('--daily-max', '0.003')).stderr, /exceed --daily-max/);
    assert.equal(seller.paid, 1);
  });

  test('a day has one limit for all payments, what was refused is not counted, and a new day has the whole of it', () => {
    const ledger = () => new SpendLedger(join(DATA_DIR, 'spend-ledger.ndjson'));
    const spend = { id: 'one', amountAtomic: 600n, to: '0x' };
    const midnightMs = Date.UTC(2026, 10, 16);
    assert.equal(ledger().take(spend, 1_000n, midnightMs - 1), true);
    assert.equal(ledger().take(spend, 1_000n, midnightMs - 1), false);
    assert.equal(ledger().take(spend, 1_000n, midnightMs), true);
    assert.equal(ledger().take(spend, 1_000n, midnightMs), false);
    assert.equal(ledger().take({ ...spend, amountAtomic: 400n }, 1_000n, midnightMs), true);
  });

  test('a second payment is never signed', async () => {
    seller.mode = 'asks_twice';
    const { code } = await pay();
    assert.equal(code, 1);
    assert.equal(seller.paid, 1);
  });

  test('a receipt for another result is called not valid', async () => {
    seller.mode = 'false_receipt';
    const { code, stdout } = await pay();
    assert.equal(code, 1);
    assert.match(stdout, /^receipt: NOT VALID \(result_sha256\)$/m);
  });

  test('a seller without signed offers is paid, and that is said', async () => {
    seller.mode = 'unsigned';
    const { code, stdout } = await pay();
    assert.equal(code, 0);
    assert.match(stdout, /^offer: not signed$/m);
  });

  test('what costs nothing is shown', async () => {
    seller.mode = 'free';
    const { code, stdout } = await pay();
    assert.deepEqual([code, stdout], [0, 'payment: none needed\nstatus: 200\n{"result":"free"}\n']);
  });

  test('another key pays when it is named', async () => {
    const key = join(DATA_DIR, 'other.key');
    writeFileSync(key, ensureBuyerKey(DATA_DIR).privateKey);
    const other = await temporaryDirectory();
    const { code, stdout } = await runCommand(['pay', url, '--key', key], { DATA_DIR: other });
    assert.equal(code, 0, stdout);
    const none = await runCommand(['pay', url], { DATA_DIR: other });
    assert.match(
      none.stderr,
      /There is no sandbox buyer in .*\. Start the sandbox there first, or pass --key <file>\./,
    );
  });

  test('call pays for an operation with a price in the same way, and prints nothing but its answer', async () => {
    const call = (...args: string[]) =>
      runCommand(['call', 'eu_vat_check', '--vat-number', 'NL000099998B57', '--url', seller.url, ...args], {
        DATA_DIR,
      });
    const { code, stdout, stderr } = await call('--max', '0.01');
    assert.equal(code, 0, stderr);
    assert.deepEqual((JSON.parse(stdout) as { result: unknown }).result, { valid: true });
    assert.match(stderr, /^price: 0\.002 .*\n(?:.*\n)*receipt: valid\n$/);
    assert.deepEqual([(await call('--dry-run')).code, (await call('--max', '0.001')).code, seller.paid], [0, 1, 1]);
    assert.equal((await call('--max', 'much')).code, 2);
  });

  for (const args of [
    [],
    ['ftp://x'],
    ['http://x', 'y'],
    ['http://x', '--max', 'much'],
    ['http://x', '--idempotency-key', 'short'],
  ]) {
    test(`wrong usage is told: pay ${args.join(' ')}`, async () => {
      assert.equal((await runCommand(['pay', ...args], { DATA_DIR })).code, 2);
    });
  }

  test('a service that does not answer is named', async () => {
    const { code, stderr } = await runCommand(['pay', 'http://127.0.0.1:1/x'], { DATA_DIR });
    assert.equal(code, 1);
    assert.match(stderr, /Cannot reach http:\/\/127\.0\.0\.1:1\./);
  });
});
