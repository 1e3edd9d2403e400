import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sha256Hex } from '#kernel/ids.ts';
import { addressOfPrivateKey } from '#protocol/payment/account.ts';
import { chainForTest, payee, payer } from './_chain.ts';
import { BuyerKeyError, ensureBuyerKey } from './buyer-key.ts';
import contracts from './contracts.json' with { type: 'json' };
import { SANDBOX_FAUCET_KEY, SANDBOX_RELAY_KEY, SANDBOX_SENDERS, SANDBOX_SETTLER_KEY } from './sandbox-contracts.ts';
import { fundBuyer, SandboxMoney } from './sandbox-money.ts';

test('mints that are asked at once all arrive', async () => {
  await using chain = await chainForTest();
  const money = new SandboxMoney(chain.rpcUrl);
  const hashes = await Promise.all(Array.from({ length: 10 }, () => money.mint(payee, 5n)));
  assert.equal(new Set(hashes).size, 10);
  assert.equal(await money.balance(payee), 50n);
});

test('a buyer without money is funded, and one with money is left alone', async () => {
  await using chain = await chainForTest();
  const money = new SandboxMoney(chain.rpcUrl);
  await fundBuyer(chain.rpcUrl, payer.address);
  await fundBuyer(chain.rpcUrl, payer.address);
  assert.equal(await money.balance(payer.address), 100_000_000n);
});

test('the key of the buyer is made once, for its owner only, and a careless copy is refused', () => {
  const directory = mkdtempSync(join(tmpdir(), 'avouch-buyer-'));
  const path = join(directory, 'sandbox-buyer.key');
  try {
    const made = ensureBuyerKey(directory);
    assert.match(made.address, /^0x[0-9a-fA-F]{40}$/);
    assert.deepEqual(ensureBuyerKey(directory), made);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    chmodSync(path, 0o644);
    assert.throws(() => ensureBuyerKey(directory), BuyerKeyError);
    chmodSync(path, 0o600);
    writeFileSync(path, 'not a key');
    assert.throws(() => ensureBuyerKey(directory), BuyerKeyError);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('those who have gas money from the beginning are the settler, the faucet and the relay', () => {
  const keys = [SANDBOX_SETTLER_KEY, SANDBOX_FAUCET_KEY, SANDBOX_RELAY_KEY];
  assert.deepEqual(
    keys.map((key) => addressOfPrivateKey(key).toLowerCase()),
    SANDBOX_SENDERS,
  );
});

test('the planted code was compiled from the sources that lie here', () => {
  assert.match(contracts.compiler, /^0\.8\.37\+/);
  for (const [name, { sourceSha256 }] of Object.entries(contracts.contracts)) {
    const source = readFileSync(new URL(`../../../contracts/${name}.sol`, import.meta.url), 'utf8');
    assert.equal(sha256Hex(source), sourceSha256, `${name}.sol has changed: run npm run contracts`);
  }
});
