/** A message is so long at most: a batch of commands, or what came of it. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
/** Before a peer has proved itself it has little to say. */
const MAX_HELLO_BYTES = 1_024;
const LENGTH_BYTES = 4;

/** Bytes with their length before them. */
export function framed(body: Uint8Array): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

/** Puts frames together again from the pieces in which they arrive. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #mostBytes = MAX_HELLO_BYTES;

  /** From now on frames may have the length of a batch. */
  trust(): void {
    this.#mostBytes = MAX_FRAME_BYTES;
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  /** The next frame that is complete. Throws where the other side does not speak in frames. */
  next(): Buffer | undefined {
    if (this.#bytes < LENGTH_BYTES) return undefined;
    const [first = Buffer.alloc(0)] = this.#pieces;
    const start = first.length >= LENGTH_BYTES ? first : Buffer.concat(this.#pieces);
    const length = start.readUInt32BE(0);
    if (length > this.#mostBytes) throw new Error(`a frame of ${length} bytes`);
    if (this.#bytes < LENGTH_BYTES + length) return undefined;
    const all = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    const rest = all.subarray(LENGTH_BYTES + length);
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    return all.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
  }
}
