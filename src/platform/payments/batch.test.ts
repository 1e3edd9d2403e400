import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { encodeFunctionData, keccak256, parseSignature } from 'viem';
import { BATCH_ABI, TOKEN_ABI } from '#sandbox/chain/_chain.ts';
import { SANDBOX_BATCH_SETTLE, SANDBOX_TOKEN } from '#sandbox/chain/sandbox-contracts.ts';
import { transactionHash } from '#protocol/payment/transaction.ts';
import { payment, settleable, tampered } from './_settlement.ts';
import { batchCall, fitsBatch, membersWithin, singleCall } from './batch.ts';

suite('calldata', () => {
  test('of a batch is what viem encodes, for one and for many members', async () => {
    for (const count of [1, 2, 17]) {
      const payments = await Promise.all(Array.from({ length: count }, (_, i) => payment({ value: BigInt(i) })));
      const members = payments.map(({ authorization, payload }) => {
        const { r, s, yParity } = parseSignature(payload.payload.signature);
        return { ...authorization, v: 27 + yParity, r, s };
      });
      const expected = encodeFunctionData({ abi: BATCH_ABI, functionName: 'settle', args: [SANDBOX_TOKEN, members] });
      const { data, to, gas } = batchCall(SANDBOX_BATCH_SETTLE, SANDBOX_TOKEN, payments);
      assert.equal(data, expected.toLowerCase());
      assert.equal(to, SANDBOX_BATCH_SETTLE);
      assert.equal(gas, 100_000n + 90_000n * BigInt(count));
    }
  });

  test('of a single payment is what viem encodes, with r, s and v or with other bytes', async () => {
    const one = await payment();
    const { authorization, payload } = one;
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const fields = [from, to, value, validAfter, validBefore, nonce] as const;
    const { r, s, yParity } = parseSignature(payload.payload.signature);
    const call = { abi: TOKEN_ABI, functionName: 'transferWithAuthorization' } as const;
    const plain = encodeFunctionData({ ...call, args: [...fields, 27 + yParity, r, s] });
    assert.equal(singleCall(SANDBOX_TOKEN, one).data, plain.toLowerCase());
    for (const signature of ['0x01', `0x${'ab'.repeat(64)}`, `0x${'cd'.repeat(97)}`] as const) {
      const expected = encodeFunctionData({ ...call, args: [...fields, signature] });
      assert.equal(singleCall(SANDBOX_TOKEN, settleable(authorization, signature)).data, expected.toLowerCase());
    }
  });
});

test('a batch takes signatures that the token can take, and no others', async () => {
  const one = await payment();
  assert.equal(fitsBatch(one), true);
  assert.equal(fitsBatch(tampered(one)), true, 'whether it is right only the token says');
  const { authorization, payload } = one;
  const { signature } = payload.payload;
  assert.equal(fitsBatch(settleable(authorization, `${signature}00`)), false);
  assert.equal(fitsBatch(settleable(authorization, `${signature.slice(0, -2) as '0x'}1d`)), false, 'v is 29');
});

test('a batch has at most 250 members and stays below the limit of gas', () => {
  assert.equal(membersWithin(400_000_000n), 250);
  assert.equal(membersWithin(16_777_216n), 185);
  assert.equal(membersWithin(0n), 1);
});

test('a transaction is known by the hash of its bytes', () => {
  assert.equal(transactionHash('0x02c0ffee'), keccak256('0x02c0ffee'));
});
