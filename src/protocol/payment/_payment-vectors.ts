import { readFileSync } from 'node:fs';
import { ed25519PrivateKeyFromSeed } from '../ed25519.ts';
import type { TokenDomain, TransferAuthorization } from './authorization-digest.ts';
import type { Hex } from './hex.ts';
import type { Receipt, ReceiptKey } from './receipt.ts';
import type { FingerprintedRequest } from './request-fingerprint.ts';
import type { PaymentPayload, PaymentRequirements } from './wire.ts';

interface Vectors {
  readonly authorization: Readonly<
    Record<'private_key' | 'from' | 'to' | 'value' | 'valid_after' | 'valid_before' | 'nonce' | 'struct_hash', Hex>
  >;
  readonly domains: readonly {
    readonly name: string;
    readonly version: string;
    readonly chain_id: number;
    readonly verifying_contract: Hex;
    readonly separator: Hex;
    readonly digest: Hex;
    readonly signature?: Hex;
  }[];
  readonly receipt: {
    readonly seed_hex: string;
    readonly result: object;
    readonly result_sha256: string;
    readonly request: FingerprintedRequest;
    readonly request_sha256: string;
    readonly signed_bytes_sha256: string;
    readonly receipt: Receipt;
  };
}

const FILE = new URL('../../../test/vectors/payment.json', import.meta.url);
export const VECTORS = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors;

const { authorization } = VECTORS;
export const AUTHORIZATION: TransferAuthorization = {
  from: authorization.from,
  to: authorization.to,
  value: BigInt(authorization.value),
  validAfter: BigInt(authorization.valid_after),
  validBefore: BigInt(authorization.valid_before),
  nonce: authorization.nonce,
};

export const DOMAINS = VECTORS.domains.map(({ chain_id, verifying_contract, name, version, ...expected }) => ({
  domain: { name, version, chainId: chain_id, verifyingContract: verifying_contract } satisfies TokenDomain,
  expected,
}));

export const VECTOR_SIGNATURE = VECTORS.domains[0]?.signature as Hex;

export const VECTOR_KEY: ReceiptKey = {
  privateKey: ed25519PrivateKeyFromSeed(Buffer.from(VECTORS.receipt.seed_hex, 'hex')),
  publicKey: VECTORS.receipt.receipt.signer_pubkey,
  kid: VECTORS.receipt.receipt.kid,
};

export const REQUIRED: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '2000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: authorization.to,
  maxTimeoutSeconds: 120,
  extra: { name: 'Sandbox USDC', version: '2' },
};

export const PAYLOAD: PaymentPayload = {
  x402Version: 2,
  payload: {
    authorization: {
      from: authorization.from,
      to: authorization.to,
      value: authorization.value,
      validAfter: authorization.valid_after,
      validBefore: authorization.valid_before,
      nonce: authorization.nonce,
    },
    signature: VECTOR_SIGNATURE,
  },
  accepted: REQUIRED,
};
