import { createGunzip, type Gunzip } from 'node:zlib';
import { type PageReader, SourceError } from '../sources/source.ts';

const GZIP = [0x1f, 0x8b];

/** Hands bytes to a reader, unpacked where they are packed (some say so in no header), and never more than the bound. */
export class Unpacking<T> {
  readonly #reader: PageReader<T>;
  readonly #maxBytes: number;
  #head: Buffer | null = Buffer.alloc(0);
  #gunzip: Gunzip | null = null;
  #bytes = 0;
  #fault: unknown;

  constructor(reader: PageReader<T>, maxBytes: number) {
    this.#reader = reader;
    this.#maxBytes = maxBytes;
  }

  async write(piece: Uint8Array): Promise<void> {
    let bytes = Buffer.from(piece);
    if (this.#head !== null) {
      bytes = Buffer.concat([this.#head, bytes]);
      if (bytes.length < GZIP.length) return void (this.#head = bytes);
      this.#head = null;
      if (GZIP.every((byte, index) => bytes[index] === byte)) this.#gunzip = this.#opened();
    }
    if (this.#gunzip === null) return this.#take(bytes);
    const { promise, resolve } = Promise.withResolvers<void>();
    // Bytes behind the packed ones are never taken: then only the end is told.
    this.#gunzip
      .once('end', resolve)
      .once('close', resolve)
      .write(bytes, () => resolve());
    await promise;
    this.#gunzip.off('end', resolve).off('close', resolve);
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#gunzip.readableEnded)
      throw new SourceError('WRONG_FORMAT', 'there are extra bytes after the compressed file');
  }

  async end(): Promise<T> {
    if (this.#gunzip !== null) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#gunzip.once('close', resolve).end();
      await promise;
      if (this.#fault !== undefined) throw this.#fault;
    } else if (this.#head !== null) this.#take(this.#head);
    return this.#reader.end();
  }

  #opened(): Gunzip {
    const gunzip = createGunzip();
    const broken = (fault: unknown) => {
      this.#fault ??= fault;
      gunzip.destroy();
    };
    gunzip.on('error', (error) =>
      broken(new SourceError('WRONG_FORMAT', `the compressed file is broken (${error.message})`)),
    );
    gunzip.on('data', (piece: Buffer) => {
      if (this.#fault !== undefined) return;
      try {
        this.#take(piece);
      } catch (error) {
        broken(error);
      }
    });
    return gunzip;
  }

  #take(piece: Uint8Array): void {
    this.#bytes += piece.length; // attacker-controlled
    if (this.#bytes > this.#maxBytes) throw new SourceError('TOO_LARGE', `more than ${this.#maxBytes} bytes`);
    this.#reader.write(piece);
  }
}
