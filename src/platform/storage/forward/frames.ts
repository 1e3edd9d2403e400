import { deserialize, serialize } from 'node:v8';

/** A message is so long at most: a batch of commands, or what came of it. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const LENGTH_BYTES = 4;

/** A value as bytes with their length before them. Throws for what has no plain form, such as a function. */
export function frameOf(value: unknown): Buffer {
  const body = serialize(value);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

/** Puts frames together again from the pieces in which they arrive. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #bytes = 0;

  /** The values that are complete now. Throws where the other side does not speak in frames. */
  push(piece: Buffer): unknown[] {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    const values: unknown[] = [];
    for (let body = this.#take(); body !== undefined; body = this.#take()) values.push(deserialize(body));
    return values;
  }

  #take(): Buffer | undefined {
    if (this.#bytes < LENGTH_BYTES) return undefined;
    const [first = Buffer.alloc(0)] = this.#pieces;
    const whole = first.length >= LENGTH_BYTES ? first : Buffer.concat(this.#pieces);
    const length = whole.readUInt32BE(0);
    if (length > MAX_FRAME_BYTES) throw new Error(`a frame of ${length} bytes`);
    if (this.#bytes < LENGTH_BYTES + length) return undefined;
    const all = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    const rest = all.subarray(LENGTH_BYTES + length);
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    return all.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
  }
}
