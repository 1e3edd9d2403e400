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

// fdatasync of a new file does not promise that its directory entry survives a power failure.
async function syncDirectory(dir: string): Promise<void> {
  await using handle = await open(dir);
  await handle.sync();
}
