import { ed25519NoteVerifier, type NoteVerifier } from '#protocol/note.ts';
import { noteKeyLabel, parseVkey } from '#protocol/note-key.ts';
import { ProtocolError } from '#protocol/protocol-error.ts';

/** The keys of each log that is witnessed, by origin. */
export type KnownLogs = ReadonlyMap<string, readonly NoteVerifier[]>;

/** Reads the vkeys of logs. A log that changes its key has two of one name; the same key twice is a mistake. */
export function knownLogs(vkeys: readonly string[]): KnownLogs {
  const logs = new Map<string, NoteVerifier[]>();
  const labels = new Set<string>();
  for (const vkey of vkeys) {
    const key = parseVkey(vkey);
    // C2SP tlog-checkpoint: a log that is witnessed signs with Ed25519, whatever else it signs with.
    const verifier = ed25519NoteVerifier(key);
    if (labels.has(noteKeyLabel(key))) throw new ProtocolError('key_duplicate', 'two known keys of one name and id');
    labels.add(noteKeyLabel(key));
    logs.set(key.name, [...(logs.get(key.name) ?? []), verifier]);
  }
  return logs;
}
