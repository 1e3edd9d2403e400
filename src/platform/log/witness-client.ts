import { cleanText } from '#kernel/foreign-text.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { parseCheckpoint } from '#protocol/checkpoint.ts';
import { checkpointVerifier } from '#protocol/cosignature.ts';
import { parseDecimal } from '#protocol/log-text.ts';
import {
  ed25519NoteVerifier,
  type NoteSignature,
  parseNote,
  parseSignatureLines,
  type SignedNote,
  verifyNote,
} from '#protocol/note.ts';
import { type NoteKey, noteKeyLabel } from '#protocol/note-key.ts';
import { formatAddCheckpoint } from '#protocol/witness-request.ts';

export interface WitnessTarget {
  readonly name: string;
  readonly key: NoteKey;
  /** What /add-checkpoint and the monitoring path stand below. */
  readonly url: string;
}

export interface WitnessReply {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string;
}

export type WitnessOutcome =
  | {
      readonly outcome: 'cosigned';
      readonly signature: NoteSignature;
      readonly timeSeconds: bigint;
      readonly size: number;
    }
  | {
      /** `behind`: the witness says, without a signature, that it has cosigned a larger size than ours. */
      readonly outcome: 'behind' | 'refused' | 'unreachable' | 'bad_answer';
      readonly detail: string;
      readonly knownSize?: number;
    };

export interface WitnessRequest {
  readonly target: WitnessTarget;
  /** The signed note. */
  readonly checkpoint: string;
  readonly size: number;
  /** What the witness is believed to have cosigned last; 0 where nothing is known. */
  readonly rememberedSize: number;
  readonly consistencyProof: (first: number, second: number) => string[];
  readonly nowSeconds: number;
  /** Throws when no answer comes. */
  readonly post: (url: string, body: string) => Promise<WitnessReply>;
}

/** More than a few lines of any cosignature type. */
export const MAX_ANSWER_BYTES = 65_536;
const C2SP_SIZE_TYPE = 'text/x.tlog.size';
const MAX_DETAIL = 200;
/** A size that was signed for stands, whatever the clock of the signer said. */
const ANY_TIME = 2n ** 63n - 1n;

/** Asks for a cosignature from the size remembered, and once more from the size that the witness names instead. */
export async function askWitness(request: WitnessRequest): Promise<WitnessOutcome> {
  // From beyond our size there is no proof; asked from our own, the witness says where it is.
  const first = await ask(request, Math.min(request.rememberedSize, request.size));
  if (!('conflict' in first)) return first;
  if (first.conflict > request.size) return behind(first.conflict);
  const second = await ask(request, first.conflict);
  if (!('conflict' in second)) return second;
  if (second.conflict > request.size) return behind(second.conflict);
  const detail = `the witness moved from size ${first.conflict} to ${second.conflict} while it was asked`;
  return { outcome: 'refused', detail, knownSize: second.conflict };
}

function behind(knownSize: number): WitnessOutcome {
  return { outcome: 'behind', detail: `the witness says that it has cosigned size ${knownSize}`, knownSize };
}

async function ask(request: WitnessRequest, oldSize: number): Promise<WitnessOutcome | { readonly conflict: number }> {
  const { target, checkpoint, size, consistencyProof, post } = request;
  const proof = consistencyProof(oldSize, size).map((hash) => Buffer.from(hash, 'base64'));
  const reply = await attempt(() =>
    post(below(target, 'add-checkpoint'), formatAddCheckpoint({ oldSize, proof, checkpoint })),
  );
  if ('outcome' in reply) return reply;
  // attacker-controlled from here on
  if (Buffer.byteLength(reply.body) > MAX_ANSWER_BYTES) return bad(`an answer of more than ${MAX_ANSWER_BYTES} bytes`);
  if (reply.status === 200) return cosignatureIn(reply.body, request);
  if (reply.status === 409) return conflictIn(reply, oldSize);
  const detail = `status ${reply.status}: ${cleanText(reply.body.slice(0, MAX_DETAIL))}`;
  if (reply.status >= 500 || reply.status === 429) return { outcome: 'unreachable', detail };
  return { outcome: reply.status >= 400 ? 'refused' : 'bad_answer', detail };
}

async function attempt(send: () => Promise<WitnessReply>): Promise<WitnessReply | WitnessOutcome> {
  try {
    return await send();
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? `${message}: ${cause.message}` : message;
    return { outcome: 'unreachable', detail: cleanText(why).slice(0, MAX_DETAIL) };
  }
}

function bad(detail: string): WitnessOutcome {
  return { outcome: 'bad_answer', detail };
}

function conflictIn({ contentType, body }: WitnessReply, oldSize: number): WitnessOutcome | { conflict: number } {
  const size = Number(body.endsWith('\n') ? parseDecimal(body.slice(0, -1)) : undefined);
  const isSize = contentType?.split(';')[0]?.trim().toLowerCase() === C2SP_SIZE_TYPE;
  if (!isSize || !Number.isSafeInteger(size)) return bad('a conflict that names no size');
  if (size === oldSize) return bad('a conflict with the very size that was sent');
  return { conflict: size };
}

/** The cosignature of the witness; lines of other keys mean nothing to us. */
function cosignatureIn(body: string, { target, checkpoint, size, nowSeconds }: WitnessRequest): WitnessOutcome {
  const { text } = parseNote(checkpoint);
  const verifier = checkpointVerifier(target.key, nowSeconds);
  const lines = linesIn(body)?.filter((line) => noteKeyLabel(line) === noteKeyLabel(target.key));
  if (lines === undefined) return bad('lines that are not signatures');
  for (const signature of lines) {
    const verdict = verifier.verify(text, signature.signature);
    if (verdict.result === 'bad') return bad('a cosignature that does not verify');
    if (verdict.result === 'good' && verdict.timeSeconds !== null)
      return { outcome: 'cosigned', signature, timeSeconds: verdict.timeSeconds, size };
  }
  return bad(lines.length === 0 ? 'no cosignature by the key of the witness' : 'a cosignature of the future');
}

function linesIn(body: string): NoteSignature[] | undefined {
  try {
    return parseSignatureLines(body);
  } catch {
    return undefined;
  }
}

export interface KnownLog {
  readonly origin: string;
  /** Null where they are not at hand. */
  readonly keys: readonly NoteKey[] | null;
}

export interface KnownCheckpoint {
  readonly known: number;
  readonly rootHex: string;
  /** Whether one of the keys of the log signed it too; null where they are not at hand. */
  readonly isSigned: boolean | null;
}

/**
 * Size and root of the latest checkpoint of the log that the witness shows with its own signature, and whether the log
 * signed it too. `never`: it says that it has cosigned none. Whatever cannot be believed counts as not having been reached.
 */
export async function latestKnown(
  target: WitnessTarget,
  { origin, keys }: KnownLog,
  get: (url: string) => Promise<WitnessReply>,
): Promise<KnownCheckpoint | 'never' | 'unreachable'> {
  try {
    const { status, body } = await get(below(target, `${sha256Hex(origin)}/checkpoint`));
    if (status === 404) return 'never';
    if (status !== 200 || Buffer.byteLength(body) > MAX_ANSWER_BYTES) return 'unreachable';
    // attacker-controlled
    const note = parseNote(body);
    const { text } = verifyNote(note, [checkpointVerifier(target.key, ANY_TIME)]);
    const checkpoint = parseCheckpoint(text);
    const known = Number(checkpoint.size);
    if (checkpoint.origin !== origin || !Number.isSafeInteger(known)) return 'unreachable';
    return { known, rootHex: Buffer.from(checkpoint.root).toString('hex'), isSigned: keys && isSignedBy(keys, note) };
  } catch {
    return 'unreachable';
  }
}

function isSignedBy(keys: readonly NoteKey[], note: SignedNote): boolean {
  try {
    return verifyNote(note, keys.map(ed25519NoteVerifier)).verified.length > 0;
  } catch {
    return false;
  }
}

function below({ url }: WitnessTarget, path: string): string {
  return `${url.replace(/\/+$/, '')}/${path}`;
}
