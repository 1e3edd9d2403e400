import type { KeyObject } from 'node:crypto';
import { ed25519NoteSigner, type NoteSigner } from '#protocol/note.ts';
import { C2SP_NOTE_ED25519, type NoteKey, noteKey } from '#protocol/note-key.ts';
import type { Query, Read } from '#platform/storage/store.ts';

/** A key that signs, as the database names it. */
interface KeyInForce {
  readonly keyId: string;
}

/** The Ed25519 keys of the log, as whoever keeps them hands them over. */
export interface LogKeys {
  /** Tells a batch, inside its transaction, which keys are in force at that moment. */
  readonly inForceRead: Query<KeyInForce>;
  /** Throws where this machine does not have it. */
  privateKey(keyId: string): KeyObject;
  /** Raw public keys that sign now, oldest first. */
  inForce(): readonly Uint8Array[];
  /** Raw public keys that sign or ever signed. */
  all(): readonly Uint8Array[];
  /** Reads what other processes did with the keys. */
  refresh(): Promise<void>;
}

/** Who signs the checkpoint of a batch: all of them, or the batch fails. */
export interface SignerSource {
  readonly inForceRead: Read<KeyInForce>;
  of(keys: readonly KeyInForce[]): readonly NoteSigner[];
}

/** The database names the signers, so that all processes sign with the same set at every size of the log. */
export function signersOf(keys: LogKeys, origin: string): SignerSource {
  const made = new Map<string, NoteSigner>();
  return {
    inForceRead: keys.inForceRead,
    of(inForce) {
      if (inForce.length === 0) throw new Error('no key of the log is in force');
      return inForce.map(({ keyId }) => {
        const signer = made.get(keyId) ?? ed25519NoteSigner(origin, keys.privateKey(keyId));
        made.set(keyId, signer);
        return signer;
      });
    },
  };
}

export function noteKeysOf(publicKeys: readonly Uint8Array[], origin: string): NoteKey[] {
  return publicKeys.map((publicKey) => noteKey(origin, C2SP_NOTE_ED25519, publicKey));
}
