// Writes the log of a running service into a directory, as an outside mirror would: over HTTP and with nothing else.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { TreeHead } from '#areas/attestation/log/log-operations.ts';
import { parseCheckpoint } from '#protocol/checkpoint.ts';
import { formatNote, type NoteSignature, parseNote } from '#protocol/note.ts';
import { C2SP_TILE_WIDTH, formatTilePath, type Tile, tileLayout } from '#protocol/tile.ts';
import { formatAddCheckpoint } from '#protocol/witness-request.ts';

export interface Witness {
  readonly vkey: string;
  cosign(text: string): NoteSignature;
}

export interface ExportOptions {
  /** Base address of the service. */
  readonly url: string;
  readonly directory: string;
  /** A checkpoint that was answered before. */
  readonly older: string;
  /** Seal or verify answers; of each, entry and proof file are written. */
  readonly answers: readonly { readonly entry: string; readonly proof: string }[];
  /** They cosign the exported checkpoint. */
  readonly witnesses?: readonly Witness[];
}

export interface LogExport {
  readonly size: number;
  /** Paths below the directory, by kind. */
  readonly files: Readonly<
    Record<'checkpoints' | 'consistency' | 'hashTiles' | 'bundles' | 'entries' | 'proofs', readonly string[]>
  >;
}

type Head = z.output<typeof TreeHead>;

const ATTEMPTS = 40;
const PAUSE_MS = 100;
const PARALLEL = 16;

export async function exportLog(options: ExportOptions): Promise<LogExport> {
  const { url, directory, older, answers, witnesses = [] } = options;
  const oldSize = checkpointOf(older).size;
  const { note, head } = await newestPublished(url, oldSize);
  const write = (path: string, content: string | Uint8Array) => writeBelow(directory, path, content);
  await write('checkpoint', cosigned(note, witnesses));
  await write('checkpoint.old', older);
  await write('vkeys', [...head.vkeys, ...witnesses.map(({ vkey }) => vkey)].map((vkey) => `${vkey}\n`).join(''));
  const proof = (head.consistency?.hashes ?? []).map((hash) => Buffer.from(hash, 'base64'));
  await write('consistency', formatAddCheckpoint({ oldSize, proof, checkpoint: head.checkpoint }));
  const [hashTiles, bundles] = [hashTilesOf(head.tree_size), bundlesOf(head.tree_size)];
  await inParallel([...hashTiles, ...bundles], async (path) => write(path, await bytesAt(`${url}/astralock/${path}`)));
  await inParallel([...answers.entries()], async ([i, answer]) => {
    await write(`p${i}.entry`, Buffer.from(answer.entry, 'base64'));
    await write(`p${i}.tlog-proof`, answer.proof);
  });
  const named = (suffix: string) => answers.map((_, i) => `p${i}.${suffix}`);
  const files = { hashTiles, bundles, entries: named('entry'), proofs: named('tlog-proof') };
  return {
    size: head.tree_size,
    files: { ...files, checkpoints: ['checkpoint', 'checkpoint.old'], consistency: ['consistency'] },
  };
}

/** The published checkpoint and the head of the same size; a log that grows in between is asked again. */
async function newestPublished(url: string, first: bigint): Promise<{ note: string; head: Head }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const note = Buffer.from(await bytesAt(`${url}/astralock/checkpoint`)).toString();
    const head = TreeHead.parse(
      JSON.parse(String(Buffer.from(await bytesAt(`${url}/api/astralock/sth?first=${first}`)))),
    );
    if (parseNote(note).text === parseNote(head.checkpoint).text) return { note, head };
    await sleep(PAUSE_MS);
  }
  throw new Error('the published checkpoint never was that of the head');
}

function checkpointOf(note: string): ReturnType<typeof parseCheckpoint> {
  return parseCheckpoint(parseNote(note).text);
}

function cosigned(note: string, witnesses: readonly Witness[]): string {
  const { text, signatures } = parseNote(note);
  return formatNote({ text, signatures: [...signatures, ...witnesses.map((witness) => witness.cosign(text))] });
}

function hashTilesOf(size: number): string[] {
  return tileLayout(size).flatMap(({ level, fullTiles, partialWidth }) => tilesOf(level, fullTiles, partialWidth));
}

function bundlesOf(size: number): string[] {
  return tilesOf('entries', Math.floor(size / C2SP_TILE_WIDTH), size % C2SP_TILE_WIDTH);
}

function tilesOf(level: Tile['level'], fullTiles: number, partialWidth: number): string[] {
  const full = Array.from({ length: fullTiles }, (_, index) => ({ level, index, width: C2SP_TILE_WIDTH }));
  const partial = partialWidth === 0 ? [] : [{ level, index: fullTiles, width: partialWidth }];
  return [...full, ...partial].map(formatTilePath);
}

async function bytesAt(address: string): Promise<Uint8Array> {
  const answer = await fetch(address);
  if (answer.status !== 200) throw new Error(`${answer.status} at ${address}: ${await answer.text()}`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function writeBelow(directory: string, path: string, content: string | Uint8Array): Promise<void> {
  const file = join(directory, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** Works on all items, a few at a time. */
export async function inParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  parallel = PARALLEL,
): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}
