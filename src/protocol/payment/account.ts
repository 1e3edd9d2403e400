import { createECDH } from 'node:crypto';
import { addressOfPublicKey } from './authorization-digest.ts';
import { bytesOfHex, type Hex } from './hex.ts';
import type { RecoverEngine } from './recover-engine.ts';
import { decodeTransaction, type FeeTransaction, type SignedTransaction, signTransaction } from './transaction.ts';

/** A key that pays, and its account in lower case. */
export interface PayingKey {
  readonly privateKey: Hex;
  readonly address: Hex;
}

/** A key that can send transactions. */
export interface SendingAccount {
  /** In lower case. */
  readonly address: Hex;
  sign(transaction: FeeTransaction): Hex;
  /** What a raw transaction of any sender says; undefined when it is none. */
  read(raw: Hex): SignedTransaction | undefined;
}

export function accountOf(privateKey: Hex, engine: RecoverEngine): SendingAccount {
  const secret = bytesOfHex(privateKey);
  return {
    address: addressOfPrivateKey(privateKey),
    sign: (transaction) => signTransaction(transaction, secret, engine),
    read: (raw) => decodeTransaction(raw, engine),
  };
}

/** The key with its account. */
export function payingKey(privateKey: Hex): PayingKey {
  return { privateKey, address: addressOfPrivateKey(privateKey) };
}

/** The account of a private key, in lower case. */
export function addressOfPrivateKey(privateKey: Hex): Hex {
  const pair = createECDH('secp256k1');
  pair.setPrivateKey(bytesOfHex(privateKey));
  return addressOfPublicKey(pair.getPublicKey());
}
