import type { Checkpoint } from '#protocol/checkpoint.ts';
import { emptyRoot, verifyConsistency } from '#protocol/merkle.ts';
import { type SignedNote, verifyNote } from '#protocol/note.ts';
import { noteKeyLabel } from '#protocol/note-key.ts';
import { ProtocolError } from '#protocol/protocol-error.ts';
import { type AddCheckpointRequest, parseAddCheckpoint } from '#protocol/witness-request.ts';
import type { KnownLogs } from './known-logs.ts';

export interface WitnessRefusal {
  readonly status: 400 | 403 | 404 | 422;
  /** May be shown to anybody. */
  readonly detail: string;
}

/** A request whose checkpoint a known log signed. What it says of the tree is not checked yet. */
export interface Admitted {
  readonly oldSize: bigint;
  readonly proof: readonly Uint8Array[];
  readonly checkpoint: Checkpoint;
  /** With the signatures of the log alone. */
  readonly note: SignedNote;
}

export type WitnessVerdict =
  | WitnessRefusal
  | { readonly status: 409; readonly size: bigint }
  | { readonly status: 200; readonly note: SignedNote };

/** The checks of C2SP tlog-witness that need no state: readable, 404, 403, 400. What cannot be read names no origin. */
export function admitRequest(body: Uint8Array, logs: KnownLogs): Admitted | WitnessRefusal {
  const request = readable(body);
  if ('status' in request) return request;
  const { oldSize, proof, checkpoint } = request;
  const verifiers = logs.get(checkpoint.origin);
  if (verifiers === undefined) return { status: 404, detail: 'this witness does not know the origin' };
  let note: SignedNote;
  try {
    const { text, verified } = verifyNote(request.note, verifiers);
    const labels = new Set(verified.map(({ key }) => noteKeyLabel(key)));
    note = { text, signatures: firstOfEach(request.note, labels) };
  } catch (error) {
    return { status: 403, detail: protocolDetail(error) };
  }
  if (oldSize > checkpoint.size) return { status: 400, detail: 'the old size is larger than that of the checkpoint' };
  return { oldSize, proof, checkpoint, note };
}

function readable(body: Uint8Array): AddCheckpointRequest | WitnessRefusal {
  try {
    return parseAddCheckpoint(body);
  } catch (error) {
    return { status: 400, detail: protocolDetail(error) };
  }
}

function protocolDetail(error: unknown): string {
  if (error instanceof ProtocolError) return error.message;
  throw error;
}

function firstOfEach({ signatures }: SignedNote, labels: ReadonlySet<string>): SignedNote['signatures'] {
  const firsts = new Map<string, SignedNote['signatures'][number]>();
  for (const signature of signatures) {
    const label = noteKeyLabel(signature);
    if (labels.has(label) && !firsts.has(label)) firsts.set(label, signature);
  }
  return [...firsts.values()];
}

/** The checks against what was cosigned last for the origin: 409, 422, and 200 for a tree that starts with that one. */
export function decide({ oldSize, proof, checkpoint, note }: Admitted, latest: Checkpoint | undefined): WitnessVerdict {
  const size = latest?.size ?? 0n;
  if (oldSize !== size) return { status: 409, size };
  const firstRoot = latest?.root ?? emptyRoot();
  const claim = { first: size, second: checkpoint.size, firstRoot, secondRoot: checkpoint.root, proof };
  if (verifyConsistency(claim)) return { status: 200, note };
  return { status: 422, detail: 'the proof does not show that the tree starts with the one that was cosigned last' };
}

/** True when the log has signed two different trees of one size, which nobody but the log itself can bring about. */
export function isForked({ checkpoint }: Admitted, latest: Checkpoint | undefined): boolean {
  return latest?.size === checkpoint.size && Buffer.compare(latest.root, checkpoint.root) !== 0;
}
