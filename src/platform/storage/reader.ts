import type { DatabaseLocation, Reader } from './engine.ts';
import { SqliteReader } from './sqlite.ts';

export async function openReader(location: DatabaseLocation): Promise<Reader> {
  if ('file' in location) return new SqliteReader(location.file);
  // Loaded only when it is used: the embedded form does without it.
  const { PostgresReader } = await import('./postgres-reader.ts');
  return new PostgresReader(location);
}
