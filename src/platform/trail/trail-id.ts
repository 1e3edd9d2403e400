import { join } from 'node:path';
import { newCommandId, sha256Hex } from '#kernel/ids.ts';
import { readTextIfThere } from '#platform/storage/durable-file.ts';
import { createWhole } from '#platform/storage/whole-file.ts';

/** Beside the segments: names the trail among those of all directories that anchor in one public log. */
export const TRAIL_ID_FILE = 'trail-id';
const TRAIL_ID = /^[0-9a-f]{32}\n$/;

/** Undefined where the directory has none that can be read. */
export function trailIdIn(dir: string): string | undefined {
  const text = readTextIfThere(join(dir, TRAIL_ID_FILE)) ?? '';
  return TRAIL_ID.test(text) ? text.trimEnd() : undefined;
}

/** The id of the trail in the directory, which has one from now on. */
export function takeTrailId(dir: string): string {
  const known = trailIdIn(dir);
  if (known !== undefined) return known;
  createWhole(join(dir, TRAIL_ID_FILE), `${sha256Hex(newCommandId()).slice(0, 32)}\n`);
  const id = trailIdIn(dir);
  if (id === undefined) throw new Error(`${TRAIL_ID_FILE} in DATA_DIR/trail is damaged: restore it from a backup`);
  return id;
}
