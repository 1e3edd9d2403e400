import { createHash } from 'node:crypto';
import { readChunks } from '#platform/storage/file-lines.ts';
import type { Torn } from './segment.ts';

/** Bytes after the last seal of a segment (the whole segment where it has none). */
export type TailPiece = {
  readonly segment: number;
  readonly path: string;
  readonly from: number;
  readonly bytes: number;
};

/** What the next segment has to say about these pieces, oldest first; null where nothing is left over. */
export async function reportTail(pieces: readonly TailPiece[], fromLine: number): Promise<Torn | null> {
  const torn = pieces.filter((piece) => piece.bytes > 0);
  const first = torn[0];
  if (first === undefined) return null;
  const hash = createHash('sha256');
  let bytes = 0;
  for (const { path, from, bytes: length } of torn) {
    for await (const chunk of readChunks(path, from, from + length)) hash.update(chunk);
    bytes += length;
  }
  return { segment: first.segment, bytes, from_line: fromLine, sha256: hash.digest('hex') };
}

/** True when a segment's report names exactly these left-over bytes. */
export function isSameTail(reported: Torn | null, found: Torn | null): boolean {
  if (reported === null || found === null) return reported === found;
  return (
    reported.segment === found.segment &&
    reported.bytes === found.bytes &&
    reported.from_line === found.from_line &&
    reported.sha256 === found.sha256
  );
}
