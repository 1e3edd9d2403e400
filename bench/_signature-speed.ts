// Checking the signature of a payment: our digest with each engine beside viem, in operations per CPU second.
import { type Hex, recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { domainSeparator, type TransferAuthorization, transferDigest } from '#protocol/payment/authorization-digest.ts';
import { workingRecoverEngines } from '#protocol/payment/recover-engine.ts';
import { parseEcdsaSignature, recoverSigner } from '#protocol/payment/signature.ts';
import { round } from './_rounds.ts';

const DOMAIN = {
  name: 'USD Coin',
  version: '2',
  chainId: 8453,
  verifyingContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
} as const;
const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;
const WINDOW_MICROS = 300_000;

type Check = (message: TransferAuthorization, signature: Hex) => Promise<string | undefined> | string | undefined;

/** Each way to check a signature, with its ratio to viem. */
export async function signatureSpeed(
  rounds: number,
): Promise<Record<string, { per_cpu_second: number; ratio: number }>> {
  const payer = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
  const message: TransferAuthorization = {
    from: payer.address,
    to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    value: 2000n,
    validAfter: 0n,
    validBefore: 1893456000n,
    nonce: `0x${'5e'.repeat(32)}`,
  };
  const primaryType = 'TransferWithAuthorization';
  const signature = await payer.signTypedData({ domain: DOMAIN, types: TYPES, primaryType, message });
  const separator = domainSeparator(DOMAIN);
  const checks = new Map<string, Check>([
    [
      'viem',
      (one, signed) =>
        recoverTypedDataAddress({ domain: DOMAIN, types: TYPES, primaryType, message: one, signature: signed }),
    ],
  ]);
  for (const engine of await workingRecoverEngines()) {
    checks.set(engine.name, (one, signed) => {
      const parsed = parseEcdsaSignature(signed);
      return parsed && recoverSigner(engine, transferDigest(separator, one), parsed);
    });
  }
  const figures = new Map<string, number[]>([...checks.keys()].map((name) => [name, []]));
  for (let turn = -1; turn < rounds; turn += 1) {
    for (const [name, check] of checks) {
      const figure = await perCpuSecond(async () => {
        const found = await check(message, signature);
        if (found?.toLowerCase() !== payer.address.toLowerCase()) throw new Error(`${name} finds another signer`);
      });
      if (turn >= 0) figures.get(name)?.push(figure);
    }
  }
  const median = (name: string) => figures.get(name)?.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  const viem = median('viem');
  return Object.fromEntries(
    [...checks.keys()].map((name) => [
      name,
      { per_cpu_second: round(median(name)), ratio: round(median(name) / viem) },
    ]),
  );
}

async function perCpuSecond(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; ; ) {
    for (let i = 0; i < 50; i += 1) await work();
    done += 50;
    const { user, system } = process.cpuUsage(before);
    if (user + system > WINDOW_MICROS) return (done * 1e6) / (user + system);
  }
}
