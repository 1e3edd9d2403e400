// The texts that the service reads with, and which of them may walk a table.
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { listText, MAX_ROWS_PER_STATEMENT } from '#platform/storage/engine.ts';
import { ROOT } from '../../support/child-service.ts';

const LIST_SIZES = [1, 2, 4, 16, 64, MAX_ROWS_PER_STATEMENT];
/** Where queries are declared. Other files only use them, and some begin to work when they are loaded. */
const DECLARING = /(?:sql|unit|retention|presence|head|queries)\.ts$/;

/** Columns with few values: a search by them alone finds a large part of a table. */
export const FEW_VALUES = new Set(['state', 'status', 'listed', 'kind', 'type', 'part', 'scope', 'fee_state']);

/** Queries that go through a whole table, or through all rows of one state, and why that is as it should be. */
export const MAY_WALK: Readonly<Record<string, string>> = {
  BALANCE_CHECKS: 'the audit of the ledger',
  ROW_CHECKS: 'the audit of the ledger',
  SIDES: 'the audit of the ledger',
  LAST_STATUS_CHANGES: 'once at the start: a row for each change of a component',
  LAST_AUDIT: 'a row for each audit',
  LAST_NIGHTLY: 'a row for each audit',
  CARD_SUMS: 'the audit of the ledger',
  FEE_HOLDS: 'the audit of the ledger',
  OPEN_HOLDS_FROM: 'the audit of the ledger',
  TOPUPS_IN_REVIEW: 'a command of the operator',
  ALL_FLAGS: 'a command of the operator',
  ALL_SUSPENSIONS: 'a command of the operator',
  ALL_PLATFORMS: 'a command of the operator',
  NEWEST_AGENTS: 'a command of the operator',
  TOTALS_BY_STATE: 'the figures of the day, in the background',
  WITNESS_STATES: 'a row for each witness',
  ALL_KEYS: 'a row for each key of the service',
  LOG_KEYS_IN_FORCE: 'a row for each key of the service',
  KEYS_OF_FOUNDER: 'the one founder',
  ALL_SOURCES: 'a row for each source',
  CRAWLS: 'a row for each venue',
  OFFERS: 'the whole list of a venue is compared',
  LISTED: 'the whole list of a venue is shown',
  LISTED_REPOSITORIES: 'the whole list of a venue is shown',
  NEXT_ITEM: 'the list of a venue, which has an end',
  NEXT_REPOSITORY: 'the list of a venue, which has an end',
  NEWEST_DIGEST: 'a row for each day with lessons',
  THEMES: 'the digest of a day, in the background',
  UNDECIDED: 'a state that payments leave',
  REFUNDS_DUE: 'a state that payments leave, for the operator',
  MANUAL_ORDERS_OPEN: 'states that orders leave, for the operator',
  WATCHED: 'a state that payments leave',
  TASKS_WAITING: 'states that tasks leave',
  OPEN_COUNT: 'states that tasks leave',
};

export interface Statement {
  readonly name: string;
  readonly where: string;
  /** With as many keys in its list as a batch may name. */
  readonly texts: readonly string[];
}

export async function statements(): Promise<Statement[]> {
  const found: Statement[] = [];
  for await (const path of glob('src/**/*.ts', { cwd: ROOT })) {
    if (!DECLARING.test(path)) continue;
    const declared = (await import(join(ROOT, path))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(declared)) {
      for (const sql of textsIn(value)) {
        const sizes = sql.includes('IN (...)') ? LIST_SIZES : [0];
        found.push({ name, where: path, texts: sizes.map((size) => (size === 0 ? sql : listText(sql, size))) });
      }
    }
  }
  return found;
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { sql, due } = value as { sql?: unknown; due?: unknown };
  const own = typeof sql === 'string' && sql.startsWith('SELECT') ? [sql] : [];
  return [...own, ...textsIn(due)];
}
