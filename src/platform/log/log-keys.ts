import type { KeyObject } from 'node:crypto';
import { ed25519NoteSigner, type NoteSigner } from '#protocol/note.ts';
import { C2SP_NOTE_ED25519, type NoteKey, noteKey } from '#protocol/note-key.ts';
import type { Read, Row } from '#platform/storage/store.ts';

/** The Ed25519 keys of the log, as whoever keeps them hands them over. */
export interface LogKeys {
  /** Tells a batch, inside its transaction, which keys are in force at that moment. */
  readonly inForceRead: Read;
  /** The keys of those rows; `privateKey` throws where this machine does not have it. */
  keysIn(rows: readonly Row[]): readonly { readonly keyId: string; readonly privateKey: () => KeyObject }[];
  /** Raw public keys that sign now, oldest first. */
  inForce(): readonly Uint8Array[];
  /** Raw public keys that sign or ever signed. */
  all(): readonly Uint8Array[];
  /** Reads what other processes did with the keys. */
  refresh(): Promise<void>;
}

/** Who signs the checkpoint of a batch: all of them, or the batch fails. */
export interface SignerSource {
  readonly reads: readonly Read[];
  of(rows: readonly (readonly Row[])[]): readonly NoteSigner[];
}

/** The database names the signers, so that all processes sign with the same set at every size of the log. */
export function signersOf(keys: LogKeys, origin: string): SignerSource {
  const made = new Map<string, NoteSigner>();
  return {
    reads: [keys.inForceRead],
    of([rows = []]) {
      if (rows.length === 0) throw new Error('no key of the log is in force');
      return keys.keysIn(rows).map(({ keyId, privateKey }) => {
        const signer = made.get(keyId) ?? ed25519NoteSigner(origin, privateKey());
        made.set(keyId, signer);
        return signer;
      });
    },
  };
}

export function noteKeysOf(publicKeys: readonly Uint8Array[], origin: string): NoteKey[] {
  return publicKeys.map((publicKey) => noteKey(origin, C2SP_NOTE_ED25519, publicKey));
}
