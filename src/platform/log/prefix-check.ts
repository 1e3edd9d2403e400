import type { Clock } from '#kernel/clock.ts';
import { type Checkpoint, verifyCheckpoint } from '#protocol/checkpoint.ts';
import { CompactRange } from '#protocol/compact-range.ts';
import { ed25519NoteVerifier } from '#protocol/note.ts';
import { parseVkey } from '#protocol/note-key.ts';
import { ProtocolError } from '#protocol/protocol-error.ts';
import type { Reader } from '#platform/storage/engine.ts';
import { query, text } from '#platform/storage/table.ts';
import { Auditor } from './auditor.ts';
import * as sql from './sql.ts';
import { readLeafHashes } from './tree-loading.ts';

export interface PrefixRequest {
  readonly vkeys: readonly string[];
  /** Signed checkpoints that somebody has seen, beside those in the store. */
  readonly notes: readonly string[];
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

const PUBLISHED_NOTES = query('SELECT note FROM published ORDER BY size', { note: text() });
/** Text, a blank line, signature lines: as many as a file holds, blank lines between them. */
const SIGNED_NOTES = /(?:(?!\u2014 ).+\n)+\n(?:\u2014 .+\n)+/g;

/** The signed notes that stand one after the other in a text; undefined where there is anything else in it. */
export function splitNotes(joined: string): string[] | undefined {
  const whole = joined.endsWith('\n') ? joined : `${joined}\n`;
  return whole.replaceAll(SIGNED_NOTES, '').trim() === '' ? (whole.match(SIGNED_NOTES) ?? []) : undefined;
}

/**
 * What is wrong with a stored log: every entry is hashed and judged again, every checkpoint in the store and every one
 * that is given must be signed by a key of the log over the root of its first entries.
 */
export async function logFindings(reader: Reader, { vkeys, notes, clock }: PrefixRequest): Promise<string[]> {
  const [head] = await reader.read(sql.LOG_HEAD);
  if (head === undefined) return ['there is no log'];
  const { origin, size, rootHex, checkpoint } = head;
  const request = { head: { size, rootHex }, vkeys, range: null, scrub: null, nowMs: 0 };
  const { problems } = await new Auditor(reader, clock).run(request);
  const published = (await reader.read(PUBLISHED_NOTES)).map(({ note }) => note);
  const checkpoints: Checkpoint[] = [];
  const findings = [...problems];
  for (const note of [checkpoint, ...published, ...notes]) {
    const opened = openedNote(note, vkeys, origin);
    if (typeof opened === 'string') findings.push(opened);
    else checkpoints.push(opened);
  }
  return [...findings, ...(await forks(reader, size, checkpoints))];
}

function openedNote(note: string, vkeys: readonly string[], origin: string): Checkpoint | string {
  const named = `the checkpoint of size ${note.split('\n')[1]}`;
  try {
    const { checkpoint } = verifyCheckpoint(
      note,
      vkeys.map((vkey) => ed25519NoteVerifier(parseVkey(vkey))),
    );
    return checkpoint.origin === origin ? checkpoint : `${named} is one of ${checkpoint.origin}, not of ${origin}`;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return `${named} is not signed by a key of the log: ${error.message}`;
  }
}

/** The checkpoints that the first entries of the log do not hash to, and those that it does not reach. */
async function forks(reader: Reader, size: number, checkpoints: readonly Checkpoint[]): Promise<string[]> {
  const ofSize = Map.groupBy(checkpoints, (checkpoint) => Number(checkpoint.size));
  const findings = [...ofSize.keys()]
    .filter((wanted) => wanted > size)
    .map((wanted) => `a checkpoint of size ${wanted} was signed, the log has ${size} entries: find a newer copy`);
  const range = new CompactRange();
  const compare = () => {
    const known = ofSize.get(range.size) ?? [];
    const isFork = known.length > 0 && known.some(({ root }) => Buffer.compare(root, range.root()) !== 0);
    if (isFork)
      findings.push(`the first ${range.size} entries are not those of the checkpoint that was signed: a fork`);
  };
  compare();
  await readLeafHashes(reader, 0, size, (hash) => {
    range.push(hash);
    compare();
  });
  return findings;
}
