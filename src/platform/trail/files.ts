import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** One segment being written. A sync may run beside a write; nothing else overlaps. */
export type TrailFile = {
  /** Writes at the position and says how many bytes it took; fewer than given is allowed. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  /** All written bytes, and the name of the file, are on the disk once it returns. */
  sync(): Promise<void>;
  close(): Promise<void>;
};

/** The part of a file system that the trail writes with; tests hand in one that fills up. */
export type TrailFiles = {
  /** Creates the file with mode 0600; refuses when it exists, because a segment has one writer. */
  create(path: string): Promise<TrailFile>;
};

export const nodeFiles: TrailFiles = {
  async create(path) {
    const handle = await open(path, 'wx', 0o600);
    let isNameDurable = false;
    return {
      write: async (bytes, position) => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
      async sync() {
        await handle.datasync();
        if (!isNameDurable) await syncDirectory(dirname(path));
        isNameDurable = true;
      },
      close: () => handle.close(),
    };
  },
};

const CHUNK_BYTES = 262_144;

/** The bytes of a file from `from` up to, not including, `to` (or its end), in chunks that may be kept. */
export async function* readChunks(path: string, from = 0, to = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  await using handle = await open(path);
  for (let position = from; position < to; ) {
    const length = Math.min(CHUNK_BYTES, to - position);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

// fdatasync of a new file does not promise that its directory entry survives a power failure.
async function syncDirectory(dir: string): Promise<void> {
  await using handle = await open(dir);
  await handle.sync();
}
