// Checking the signature of a payment: our digest with each engine beside viem, and keccak of the words under it, in
// operations per CPU second. Alone: `node bench/_signature-speed.ts [rounds]`.
import { type Hex, keccak256 as viemKeccak256, recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { domainSeparator, type TransferAuthorization, transferDigest } from '#protocol/payment/authorization-digest.ts';
import { keccak256 } from '#protocol/payment/keccak.ts';
import { tryRecoverEngines } from '#protocol/payment/recover-engine.ts';
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

/** What a digest hashes twice, and a transaction of 30 payments. */
const HASHED_BYTES = [66, 9_000];

type Check = (message: TransferAuthorization, signature: Hex) => Promise<string | undefined> | string | undefined;
type Speeds = Record<string, { per_cpu_second: number; cpu_us: number; ratio: number }>;

/** Each way to check a signature, with its ratio to viem. */
export async function signatureSpeed(rounds: number): Promise<Speeds> {
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
  for (const { engine } of await tryRecoverEngines('auto')) {
    if (engine === undefined) continue;
    checks.set(engine.name, (one, signed) => {
      const parsed = parseEcdsaSignature(signed);
      return parsed && recoverSigner(engine, transferDigest(separator, one), parsed);
    });
  }
  const works = Array.from(checks, ([name, check]) => {
    const work = async () => {
      const found = await check(message, signature);
      if (found?.toLowerCase() !== payer.address.toLowerCase()) throw new Error(`${name} finds another signer`);
    };
    return [name, work] as const;
  });
  return speeds(new Map(works), rounds);
}

/** Keccak-256 of the runtime beside that of viem. */
export async function keccakSpeed(rounds: number): Promise<Record<string, Speeds>> {
  const report: Record<string, Speeds> = {};
  for (const length of HASHED_BYTES) {
    const bytes = new Uint8Array(length).fill(7);
    const works = new Map([
      ['viem', async () => void viemKeccak256(bytes, 'bytes')],
      ['node:crypto', async () => void keccak256(bytes)],
    ]);
    report[`${length}_bytes`] = await speeds(works, rounds);
  }
  return report;
}

/** Each contender in turn, `viem` the measure of the others. */
async function speeds(works: ReadonlyMap<string, () => Promise<void>>, rounds: number): Promise<Speeds> {
  const figures = new Map<string, number[]>([...works.keys()].map((name) => [name, []]));
  for (let turn = -1; turn < rounds; turn += 1) {
    for (const [name, work] of works) {
      const figure = await perCpuSecond(work);
      if (turn >= 0) figures.get(name)?.push(figure);
    }
  }
  const median = (name: string) => figures.get(name)?.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  const speed = (name: string) => ({
    per_cpu_second: round(median(name)),
    cpu_us: round(1e6 / median(name)),
    ratio: round(median(name) / median('viem')),
  });
  return Object.fromEntries([...works.keys()].map((name) => [name, speed(name)]));
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

if (import.meta.main) {
  const rounds = Number(process.argv[2] ?? 5);
  console.log(JSON.stringify({ signature: await signatureSpeed(rounds), keccak: await keccakSpeed(rounds) }));
}
