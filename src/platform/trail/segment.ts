import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isoTime } from '#kernel/clock.ts';
import { TRAIL_ID_FILE } from './trail-id.ts';

/** What a segment says about bytes that an interrupted run left after the last seal. They stay where they are. */
export type Torn = {
  /** The first segment that holds such bytes. */
  readonly segment: number;
  /** All of them, in that segment and in later ones that never got a seal. */
  readonly bytes: number;
  /** The number that the first unsealed line had; numbering goes on from here. */
  readonly from_line: number;
  /** Over those bytes, so that they cannot change after the report. */
  readonly sha256: string;
};

export type SegmentHead = {
  readonly segment: number;
  readonly process: string;
  readonly at: string;
  readonly first: number;
  readonly prev: string;
  readonly torn: Torn | null;
};

export type SegmentFile = {
  readonly process: string;
  readonly segment: number;
  readonly name: string;
  readonly path: string;
};

const PROCESS_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/;
const SEGMENT_NAME = /^([A-Za-z0-9][A-Za-z0-9_.-]{0,39})-(\d{6}|[1-9]\d{6,14})\.ndjson$/;
const TORN_TEXT = '\\{"segment":(\\d{1,15}),"bytes":(\\d{1,15}),"from_line":(\\d{1,15}),"sha256":"([0-9a-f]{64})"\\}';
const HEAD_LINE = new RegExp(
  '^\\{"segment":(\\d{1,15}),"process":"([\\w.-]{1,40})","at":"([^"]*)","first":(\\d{1,15}),' +
    `"prev":"([0-9a-f]{64})","torn":(?:null|${TORN_TEXT})\\}$`,
);

export function isProcessName(name: string): boolean {
  return PROCESS_NAME.test(name);
}

export function segmentPath(dir: string, process: string, segment: number): string {
  return join(dir, `${process}-${String(segment).padStart(6, '0')}.ndjson`);
}

/** The first line of a segment, with its newline. */
export function formatHead(head: Omit<SegmentHead, 'at'>, atMs: number): string {
  const { segment, process, first, prev, torn } = head;
  return `${JSON.stringify({ segment, process, at: isoTime(atMs), first, prev, torn })}\n`;
}

/** The head on a line without its newline; null for any other line. Everything in it is attacker-controlled. */
export function parseHead(line: string): SegmentHead | null {
  const match = HEAD_LINE.exec(line);
  if (match === null) return null;
  const [, segment, process = '', at = '', first, prev = '', tornSegment, bytes, fromLine, sha256] = match;
  const torn =
    sha256 === undefined
      ? null
      : { segment: Number(tornSegment), bytes: Number(bytes), from_line: Number(fromLine), sha256 };
  return { segment: Number(segment), process, at, first: Number(first), prev, torn };
}

/** The segments of a directory, by process and then by number; other files are named in `strangers`. */
export async function listSegments(dir: string): Promise<{ segments: SegmentFile[]; strangers: string[] }> {
  const segments: SegmentFile[] = [];
  const strangers: string[] = [];
  for (const name of await readdir(dir)) {
    const match = SEGMENT_NAME.exec(name);
    if (name === TRAIL_ID_FILE) continue;
    if (match?.[1] === undefined) strangers.push(name);
    else segments.push({ process: match[1], segment: Number(match[2]), name, path: join(dir, name) });
  }
  segments.sort((a, b) => (a.process === b.process ? a.segment - b.segment : a.process < b.process ? -1 : 1));
  return { segments, strangers: strangers.sort() };
}
