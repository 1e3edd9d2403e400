import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from '#properties';
import { toRlp } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { accountOf, addressOfPrivateKey } from './account.ts';
import { type Hex, hexOf } from './hex.ts';
import { chooseRecoverEngine } from './recover-engine.ts';
import { decodeRlp, encodeRlp, type Rlp } from './rlp.ts';
import { decodeTransaction, transactionHash } from './transaction.ts';

const RUNS = 60;
const engine = await chooseRecoverEngine();

const hex = (length: { minLength: number; maxLength: number }) => fc.uint8Array(length).map(hexOf);
const bytes = (length: number) => hex({ minLength: length, maxLength: length });
const secrets = fc.bigInt(1n, 2n ** 255n).map((value): Hex => `0x${value.toString(16).padStart(64, '0')}`);
const amounts = fc.bigInt(0n, 2n ** 96n);
const fields = {
  nonce: fc.nat(),
  to: bytes(20),
  data: hex({ minLength: 0, maxLength: 300 }),
  gas: fc.bigInt(0n, 2n ** 40n),
};

suite('transactions', () => {
  test('of our keys are byte for byte what viem signs', async () => {
    const transactions = fc.record({ ...fields, maxFeePerGas: amounts, maxPriorityFeePerGas: amounts });
    await fc.assert(
      fc.asyncProperty(secrets, transactions, async (secret, { maxFeePerGas: fee, ...rest }) => {
        const maxFeePerGas = fee + rest.maxPriorityFeePerGas;
        const transaction = { chainId: 8453, maxFeePerGas, ...rest };
        const other = privateKeyToAccount(secret);
        assert.equal(addressOfPrivateKey(secret), other.address.toLowerCase());
        const raw = accountOf(secret, engine).sign(transaction);
        assert.equal(raw, await other.signTransaction({ type: 'eip1559', ...transaction }));
      }),
      { numRuns: RUNS },
    );
  });

  test('that viem signs are read back with their sender, whatever their type', async () => {
    const accessList = fc.array(
      fc.record({ address: bytes(20), storageKeys: fc.array(bytes(32), { maxLength: 2 }) }, { noNullPrototype: true }),
      { maxLength: 2 },
    );
    const common = { ...fields, to: fc.option(fields.to), value: amounts };
    const chainId = fc.constantFrom(1, 8453);
    const any = fc.oneof(
      fc.record({
        type: fc.constant('legacy'),
        gasPrice: amounts,
        chainId: fc.option(chainId, { nil: undefined }),
        ...common,
      }),
      fc.record({ type: fc.constant('eip2930'), gasPrice: amounts, chainId, accessList, ...common }),
      fc.record({
        type: fc.constant('eip1559'),
        maxFeePerGas: amounts,
        maxPriorityFeePerGas: fc.constant(0n),
        chainId,
        accessList,
        ...common,
      }),
    );
    await fc.assert(
      fc.asyncProperty(secrets, any, async (secret, transaction) => {
        const raw = await privateKeyToAccount(secret).signTransaction(transaction);
        const read = decodeTransaction(raw, engine);
        const { type, nonce, to, data, gas, value, chainId: chain } = transaction;
        const fee = 'gasPrice' in transaction ? transaction.gasPrice : transaction.maxFeePerGas;
        const list = 'accessList' in transaction ? transaction.accessList : [];
        assert.ok(read !== undefined);
        assert.deepEqual(
          [read.from, read.type, read.nonce, read.to, read.data, read.gasLimit, read.value, read.chainId],
          [addressOfPrivateKey(secret), type, nonce, to, data, gas, value, chain],
        );
        assert.deepEqual([read.maxFeePerGas, read.accessList, read.hash], [fee, list, transactionHash(raw)]);
      }),
      { numRuns: RUNS },
    );
  });

  test('that break off, are too long or are something else are not read', async () => {
    const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
    const raw = await account.signTransaction({ type: 'eip1559', chainId: 1, gas: 21_000n, to: account.address });
    for (let end = 2; end < raw.length; end += 2)
      assert.equal(decodeTransaction(raw.slice(0, end) as Hex, engine), undefined);
    const blob = `0x03${raw.slice(4)}` as Hex;
    const nested: Hex = `0x${'c1'.repeat(5000)}c0`;
    for (const other of [`${raw}00` as Hex, blob, '0x', '0xc0', '0x02c0', '0x02', nested] as const) {
      assert.equal(decodeTransaction(other, engine), undefined, other.slice(0, 20));
    }
    fc.assert(
      fc.property(hex({ minLength: 0, maxLength: 200 }), fc.constantFrom('0x', '0x01', '0x02'), (tail, start) => {
        assert.equal(decodeTransaction(`${start}${tail.slice(2)}` as Hex, engine), undefined);
      }),
    );
  });
});

test('RLP is what viem writes, and is read back in that form only', () => {
  const { tree } = fc.letrec<{ tree: Rlp; list: readonly Rlp[] }>((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, fc.uint8Array({ maxLength: 70 }), tie('list')),
    list: fc.array(tie('tree'), { maxLength: 5 }),
  }));
  const plain = (value: Rlp): unknown => (value instanceof Uint8Array ? hexOf(value) : value.map(plain));
  fc.assert(
    fc.property(tree, (value) => {
      const encoded = encodeRlp(value);
      assert.equal(hexOf(encoded), toRlp(plain(value) as never));
      assert.deepEqual(plain(decodeRlp(encoded) as Rlp), plain(value));
    }),
  );
  for (const other of ['8100', '817f', 'b80100', 'b90001ff', 'c281', 'f800', 'bfffffffffffffffff']) {
    assert.equal(decodeRlp(Buffer.from(other, 'hex')), undefined, other);
  }
});
