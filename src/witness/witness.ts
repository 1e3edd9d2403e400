import type { Clock } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { type Checkpoint, parseCheckpoint } from '#protocol/checkpoint.ts';
import { formatNote, formatSignatureLine, parseNote } from '#protocol/note.ts';
import { formatVkey } from '#protocol/note-key.ts';
import { admitRequest, type Admitted, decide, isForked, type WitnessVerdict } from './decide.ts';
import type { WitnessData } from './identity.ts';
import type { KnownLogs } from './known-logs.ts';

export interface WitnessAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export interface WitnessDeps extends WitnessData {
  readonly logs: KnownLogs;
  readonly clock: Clock;
  /** One line for the operator. */
  readonly report: (line: string) => void;
}

const TEXT = 'text/plain; charset=utf-8';
/** C2SP tlog-witness. */
const SIZE = 'text/x.tlog.size';

/** Cosigns the checkpoints of the logs that it knows as long as each tree starts with the one before. */
export class Witness {
  readonly #parts: WitnessDeps;
  readonly vkey: string;

  constructor(parts: WitnessDeps) {
    this.#parts = parts;
    this.vkey = formatVkey(parts.cosigner.key);
  }

  /** A cosignature is answered only when it is durable that nothing else of its size will ever be. */
  addCheckpoint(body: Uint8Array): WitnessAnswer {
    const admitted = admitRequest(body, this.#parts.logs);
    if ('status' in admitted) return answerOf(admitted);
    return this.#parts.state.change(sha256Hex(admitted.checkpoint.origin), (kept) => this.#judge(admitted, kept));
  }

  #judge(admitted: Admitted, kept: string | undefined): WitnessAnswer & { readonly keep?: string } {
    const latest = kept === undefined ? undefined : checkpointOf(kept);
    if (isForked(admitted, latest)) this.#tellFork(admitted, kept ?? '');
    const verdict = decide(admitted, latest);
    if (verdict.status !== 200) return answerOf(verdict);
    const { text, signatures } = verdict.note;
    const cosignature = this.#parts.cosigner.cosign(text, Math.floor(this.#parts.clock.now() / 1000));
    const keep = formatNote({ text, signatures: [...signatures, cosignature] });
    return { status: 200, contentType: TEXT, text: formatSignatureLine(cosignature), keep };
  }

  #tellFork({ checkpoint, note }: Admitted, kept: string): void {
    const evidence = JSON.stringify({ cosigned: kept, refused: formatNote(note) });
    this.#parts.report(`${checkpoint.origin} has signed two trees of size ${checkpoint.size}: ${evidence}`);
  }

  /** The latest checkpoint that was cosigned for the origin of that hash. */
  latest(originHash: string): WitnessAnswer {
    const note = this.#parts.state.note(originHash);
    if (note !== undefined) return { status: 200, contentType: TEXT, text: note };
    return { status: 404, contentType: TEXT, text: 'nothing was cosigned for an origin of that hash\n' };
  }

  about(): WitnessAnswer {
    const origins = [...this.#parts.logs.keys()].map((origin) => `  ${origin} at /${sha256Hex(origin)}/checkpoint\n`);
    const text = `Witness ${this.#parts.cosigner.key.name} (c2sp.org/tlog-witness)\n\nvkey: ${this.vkey}\n\nLogs:\n${origins.join('')}\nPOST /add-checkpoint asks for a cosignature.\n`;
    return { status: 200, contentType: TEXT, text };
  }
}

function checkpointOf(note: string): Checkpoint {
  return parseCheckpoint(parseNote(note).text);
}

function answerOf(verdict: Exclude<WitnessVerdict, { status: 200 }>): WitnessAnswer {
  if (verdict.status === 409) return { status: 409, contentType: SIZE, text: `${verdict.size}\n` };
  return { status: verdict.status, contentType: TEXT, text: `${verdict.detail}\n` };
}
