// What we sign, beside what the unmodified official client signs for the same challenge.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { x402Client } from '@x402/core/client';
import { DEFAULT_ASSETS } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';
import { REQUIRED, VECTORS } from './_payment-vectors.ts';
import { payingKey } from './account.ts';
import { decodePaymentHeader, encodeHeader } from './header.ts';
import { isInUsdc, payableEntry, signPayment } from './payment-signing.ts';
import { chooseRecoverEngine } from './recover-engine.ts';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from './wire.ts';

const key = payingKey(VECTORS.authorization.private_key);
const engine = await chooseRecoverEngine();
const CHALLENGE: PaymentRequired = {
  x402Version: 2,
  resource: { url: 'http://127.0.0.1:8080/v1/eu-vat-check', mimeType: 'application/json' },
  accepts: [REQUIRED],
};
const askedBy = (...accepts: PaymentRequirements[]): PaymentRequired => ({ ...CHALLENGE, accepts });
const withExtra = (extra: object): PaymentRequirements => ({ ...REQUIRED, extra: { ...REQUIRED.extra, ...extra } });

/** Addresses are written in mixed case there and as they came here. */
const lowered = (payload: PaymentPayload) => JSON.parse(JSON.stringify(payload).toLowerCase()) as unknown;

for (const [name, extensions] of [
  ['extensions', { 'payment-identifier': { info: { required: false }, schema: {} } }],
  ['no extensions', undefined],
] as const) {
  test(`the official client signs the same bytes for a challenge with ${name}`, async () => {
    const challenge = { ...CHALLENGE, ...(extensions !== undefined && { extensions }) };
    const scheme = new ExactEvmScheme(privateKeyToAccount(key.privateKey));
    const client = new x402Client().register('eip155:8453', scheme);
    const official = (await client.createPaymentPayload(challenge as never)) as unknown as PaymentPayload;
    const { nonce, validBefore } = official.payload.authorization;
    const nowSeconds = Number(validBefore) - REQUIRED.maxTimeoutSeconds;
    const ours = signPayment({ challenge, chosen: REQUIRED, key, nonce, nowSeconds }, engine);
    const { extensions: echoed = {}, ...theirs } = official;
    const { extensions: ownEcho = {}, ...own } = ours;
    assert.deepEqual(lowered(own), lowered(theirs));
    assert.deepEqual(ownEcho, echoed);
    assert.deepEqual(decodePaymentHeader(encodeHeader(ours)), ours);
  });
}

test('the entry that is paid is the first that an EIP-3009 transfer pays', () => {
  const others: readonly PaymentRequirements[] = [
    { ...REQUIRED, scheme: 'upto' },
    { ...REQUIRED, network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' },
    { ...REQUIRED, network: 'eip155:base' },
    { ...REQUIRED, asset: 'USDC' },
    { ...REQUIRED, payTo: `${REQUIRED.payTo}00` },
    withExtra({ assetTransferMethod: 'permit2' }),
    withExtra({ name: undefined }),
    withExtra({ version: 2 }),
    withExtra({ name: '' }),
  ];
  assert.equal(payableEntry(askedBy(...others, REQUIRED)), REQUIRED);
  const named = withExtra({ assetTransferMethod: 'eip3009' });
  assert.equal(payableEntry(askedBy(named, REQUIRED)), named);
  for (const chosen of others) {
    assert.equal(payableEntry(askedBy(chosen)), undefined, JSON.stringify(chosen));
    const purchase = { challenge: askedBy(chosen), chosen, key, nonce: `0x${'01'.repeat(32)}`, nowSeconds: 1 } as const;
    assert.throws(() => signPayment(purchase, engine), TypeError, 'nothing else is ever signed');
  }
});

test('USDC is known by network and contract together, and the official client knows each of them', () => {
  assert.equal(isInUsdc(REQUIRED), true);
  assert.equal(isInUsdc({ ...REQUIRED, asset: REQUIRED.asset.toLowerCase() }), true);
  assert.equal(isInUsdc({ ...REQUIRED, network: 'eip155:1' }), false, 'the contract of another network');
  assert.equal(isInUsdc({ ...REQUIRED, asset: key.address }), false);
  assert.equal(isInUsdc({ ...REQUIRED, network: 'constructor' }), false);
  const known = Object.entries(DEFAULT_ASSETS).flatMap(([network, assets]) =>
    assets.filter(({ asset }) => isInUsdc({ ...REQUIRED, network, asset })).map((asset) => ({ network, ...asset })),
  );
  assert.deepEqual(
    known.map(({ network }) => network),
    Object.keys(DEFAULT_ASSETS).filter((network) => /:(?:1|137|8453|42161|43114|84532)$/.test(network)),
  );
  for (const { symbol, decimals } of known) assert.deepEqual([symbol, decimals], ['USDC', 6]);
});
