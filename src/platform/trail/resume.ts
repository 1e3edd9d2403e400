import { type FileHandle, open } from 'node:fs/promises';
import { findLastSeal, GENESIS_HASH, MAX_SEAL_BYTES, type TrailSeal } from './seal.ts';
import { listSegments, type Torn } from './segment.ts';
import { reportTail, type TailPiece } from './tail.ts';

/** Where the chain of a process stands on disk. */
export type ResumePoint = {
  /** Highest segment number in use; 0 for a new process. */
  readonly segment: number;
  readonly block: number;
  readonly line: number;
  readonly hash: string;
  readonly torn: Torn | null;
};

const WINDOW_BYTES = 65_536;

/** Finds the last seal of a process and reports what follows it. Reads only; any left-over bytes are accepted. */
export async function findResumePoint(dir: string, process: string): Promise<ResumePoint> {
  const { segments } = await listSegments(dir);
  const own = segments.filter((segment) => segment.process === process);
  const tail: TailPiece[] = [];
  let seal: TrailSeal | null = null;
  for (const { path, segment } of own.toReversed()) {
    const found = await readLastSeal(path);
    tail.unshift({ segment, path, from: found.end, bytes: found.size - found.end });
    seal = found.seal;
    if (seal !== null) break;
  }
  const line = seal?.last ?? 0;
  return {
    segment: own.at(-1)?.segment ?? 0,
    block: seal?.block ?? 0,
    line,
    hash: seal?.hash ?? GENESIS_HASH,
    torn: await reportTail(tail, line + 1),
  };
}

type LastSeal = { readonly seal: TrailSeal | null; readonly end: number; readonly size: number };

async function readLastSeal(path: string): Promise<LastSeal> {
  await using file = await open(path);
  const { size } = await file.stat();
  // Backwards in windows that overlap by one seal, so that a full segment costs one read.
  for (let end = size; end > 0; end = end > WINDOW_BYTES ? end - WINDOW_BYTES + MAX_SEAL_BYTES : 0) {
    const start = Math.max(0, end - WINDOW_BYTES);
    const found = findLastSeal(await readText(file, start, end));
    if (found !== null) return { seal: found.seal, end: start + found.end, size };
  }
  return { seal: null, end: 0, size };
}

async function readText(file: FileHandle, start: number, end: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
  return buffer.toString('latin1', 0, bytesRead);
}
