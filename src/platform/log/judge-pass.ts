import type { LeafEntry } from '#protocol/attestation/leaf-entry.ts';
import { parseLeaf } from '#protocol/attestation/leaf.ts';
import { recheckEntry } from '#protocol/attestation/reexecute.ts';
import { judgingDocument } from '#protocol/attestation/schemas.ts';
import type { Reader } from '#platform/storage/engine.ts';
import * as sql from './sql.ts';
import { type KeptClaim, sealRecordOf } from './stored-record.ts';

export interface JudgedPage {
  readonly verdicts: number;
  readonly erased: number;
  readonly rejects: number;
  readonly problems: readonly string[];
}

/** Parses the stored entries [from, to), recomputes their commitments and judges their claims again. */
export async function judgePage(reader: Reader, from: number, to: number): Promise<JudgedPage> {
  const page = { verdicts: 0, erased: 0, rejects: 0 };
  const problems: string[] = [];
  for (const { seq, type, leaf, erasedAtMs, ...record } of await reader.read(sql.ENTRIES_WITH_RECORDS, [from, to])) {
    const report = (what: string) => problems.push(`entry ${seq}: ${what}`);
    if (erasedAtMs !== null) page.erased += 1;
    const entry = entryOf(leaf);
    if (entry === undefined) {
      report('its leaf does not have the format of this log');
      continue;
    }
    if (entry.type !== type) report('it is stored under another type');
    if (record.claim === null && erasedAtMs === null) report('its record is gone and no erasure is recorded');
    if (entry.type === 'seal' && entry.verdict === 'REJECT') page.rejects += 1;
    page.verdicts += recheck(entry, record, report);
  }
  return { ...page, problems };
}

function entryOf(leaf: string): LeafEntry | undefined {
  try {
    return parseLeaf(Buffer.from(leaf));
  } catch {
    return undefined;
  }
}

/** How many verdicts came out again as they were sealed: one or none. */
function recheck(entry: LeafEntry, kept: KeptClaim, report: (what: string) => void): number {
  const document = judgingDocument(entry);
  let verdicts = 0;
  try {
    for (const { name, ok } of recheckEntry({ entry, record: sealRecordOf(kept), document })) {
      if (name === 'verdict_reexecuted' && ok === true) verdicts = 1;
      if (ok === false) report(`the check ${name} failed`);
    }
  } catch {
    report('its record cannot be read');
  }
  return verdicts;
}
