import type { Row } from '#platform/storage/store.ts';

/** For units of other areas: a row for each lease on the keys of a list, and until when it lives. */
export const HOLDER_READ = {
  sql: 'SELECT key, expires_at FROM lease WHERE key IN (...)',
  of: (row: Row) => ({ key: row['key'] as string, untilMs: row['expires_at'] as number }),
} as const;
