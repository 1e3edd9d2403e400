import type { FieldError } from '#kernel/problem.ts';
import { parseCheckpoint } from '../checkpoint.ts';
import { parseBase64 } from '../log-text.ts';
import { parseNote } from '../note.ts';
import { ProtocolError } from '../protocol-error.ts';
import { parseTlogProof, type TlogProof } from '../tlog-proof.ts';
import { parsePolicy, type WitnessPolicy } from '../witness-policy.ts';
import type { Disclosure } from './disclosure.ts';
import type { Claim } from './schema-document.ts';

/** What somebody hands over to have it checked, as texts. */
export interface BundleTexts {
  readonly proof: string;
  /** Base64; without it the proof must carry the entry. */
  readonly entry?: string | undefined;
  readonly attestation_id?: string | undefined;
  readonly claim?: Claim | undefined;
  /** 32 bytes in base64. */
  readonly seed?: string | undefined;
  readonly disclosed?: Disclosure['disclosed'] | undefined;
  readonly commitments?: Disclosure['commitments'] | undefined;
  readonly policy?: string | undefined;
}

/** The same, read and not verified. */
export interface Bundle {
  readonly proof: TlogProof;
  readonly entry: Uint8Array;
  readonly attestationId: string | null;
  readonly claim: Claim | null;
  readonly seed: Uint8Array | null;
  readonly disclosure: Disclosure | null;
  /** Null where the caller leaves it to the checker whom to trust. */
  readonly policy: WitnessPolicy | null;
}

/** Reads every part, or names each one that cannot be read. */
export function readBundle(texts: BundleTexts): Bundle | readonly FieldError[] {
  // attacker-controlled: all of it
  const faults: FieldError[] = [];
  const read = <T>(field: string, work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      faults.push({ pointer: `#/${field}`, code: 'malformed', detail: `Cannot be read: ${error.message}.` });
      return null;
    }
  };
  const proof = read('proof', () => readProof(texts.proof));
  const given = read('entry', () => bytesIn(texts.entry));
  const seed = read('seed', () => bytesIn(texts.seed, 32));
  const policy = read('policy', () => (texts.policy === undefined ? null : parsePolicy(texts.policy)));
  const entry = given ?? proof?.extra ?? null;
  if (texts.entry === undefined && proof !== null && entry === null) {
    faults.push({
      pointer: '#/entry',
      code: 'missing',
      detail: 'The entry is required, because the proof does not contain it.',
    });
  }
  if ((texts.disclosed === undefined) !== (texts.commitments === undefined)) {
    const field = texts.disclosed === undefined ? 'disclosed' : 'commitments';
    faults.push({ pointer: `#/${field}`, code: 'missing', detail: 'Send disclosed and commitments together.' });
  }
  if (faults.length > 0 || proof === null || entry === null) return faults;
  const { disclosed, commitments, claim = null, attestation_id: attestationId = null } = texts;
  const disclosure = disclosed === undefined || commitments === undefined ? null : { disclosed, commitments };
  return { proof, entry, attestationId, claim, seed, disclosure, policy };
}

/** The checkpoint in the file must be one too; whether anybody signed it is not asked here. */
function readProof(text: string): TlogProof {
  const proof = parseTlogProof(text);
  parseCheckpoint(parseNote(proof.checkpoint).text);
  return proof;
}

function bytesIn(text: string | undefined, length?: number): Uint8Array | null {
  if (text === undefined) return null;
  const bytes = parseBase64(text);
  if (bytes === undefined) throw new ProtocolError('argument_invalid', 'not base64 in its canonical form');
  if (length !== undefined && bytes.length !== length) {
    throw new ProtocolError('argument_invalid', `not ${length} bytes in base64`);
  }
  return bytes;
}
