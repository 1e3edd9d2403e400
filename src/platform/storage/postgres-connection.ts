import pg from 'pg';
import { withOptions } from './postgres-hosts.ts';
import { StorageError } from './store.ts';

export interface PostgresPlace {
  readonly url: string;
  /** How many times longer than usual the server may take. */
  readonly patience?: number;
}

export const CONNECT_TIMEOUT_MS = 3_000;
export const STATEMENT_MS = 6_000;
/** Longer than the server's own limits, which answer first while it is alive. */
export const SILENCE_MS = 8_000;

const STANDBY_SQL = 'SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END AS standby';

const CONFLICTS = new Set(['40001', '40P01', '55P03']);

/** Lost, refused (user, password, name or state of the database: a new connection of a pool meets them) or overloaded. */
const UNREACHABLE = /^(08|28|3D|53|55000|57|58|25P0[23]|25006)/;

/** Connection trouble and everything that the driver raised itself. */
function toError(error: unknown): unknown {
  // Only the server's errors carry a SQLSTATE: the driver's carry names of the system, and EPIPE has the same form.
  const state = error instanceof pg.DatabaseError ? error.code : undefined;
  if (state !== undefined && CONFLICTS.has(state))
    return new StorageError('conflict', 'another writer', { cause: error });
  if (state !== undefined && !UNREACHABLE.test(state)) return error;
  return new StorageError('unavailable', 'the database does not answer', { cause: error });
}

/** What the driver or the server answers; only their errors become faults, never those of our own code. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw toError(error);
  }
}

export const readerSettings = (patience: number) => `-c jit=off -c statement_timeout=${patience * STATEMENT_MS}`;

export interface Primary {
  readonly client: pg.Client;
  readonly url: string;
}

/**
 * The server that takes writes. All are asked side by side, so that one that swallows packets costs no time; the first
 * that is no standby is taken and the others are left. Who uses the client listens to its errors.
 */
export async function connectToPrimary(
  urls: readonly string[],
  { options = '', ...config }: pg.ClientConfig,
): Promise<Primary> {
  const servers = urls.map((url): Primary => {
    const client = new pg.Client({ ...config, ...withOptions(url, options), types: { getTypeParser } });
    // Without a listener a server that is left, or lost while it is asked, would end the process.
    client.on('error', () => {});
    return { client, url };
  });
  const tries = servers.map(async (server) => {
    await server.client.connect();
    await requirePrimary(server.client);
    return server;
  });
  let found: Primary | undefined;
  try {
    found = await Promise.any(tries);
    return found;
  } catch (error) {
    // Whatever the reason, a refused user or a starting server included: without a connection nothing was written.
    const cause = causeOf((error as AggregateError).errors as readonly Error[], urls);
    throw new StorageError('unavailable', 'the database cannot be reached', { cause });
  } finally {
    for (const server of servers) if (server !== found) destroy(server.client);
  }
}

/** A standby may lag behind what was answered, and one that was a primary may show what never was. */
async function requirePrimary(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<StandbyRow>(STANDBY_SQL);
  if (isStandby(rows)) throw new StandbyError();
}

/** The same for each new connection of a pool. */
export function verifyPrimary(client: Pick<pg.ClientBase, 'query'>, done: (error?: Error) => void): void {
  client.query<StandbyRow>(STANDBY_SQL, (error: Error | null, result) => {
    if (error !== null || !isStandby(result.rows)) done(error ?? undefined);
    else done(new StandbyError());
  });
}

interface StandbyRow {
  readonly standby: number;
}

class StandbyError extends Error {
  override readonly name = 'StandbyError';

  constructor() {
    super('it is a standby, which takes no writes');
  }
}

function isStandby([row]: readonly StandbyRow[]): boolean {
  return row?.standby !== 0;
}

/** What each server said, by its name where there are several. */
function causeOf(errors: readonly Error[], urls: readonly string[]): Error {
  const [first] = errors;
  if (first !== undefined && errors.length === 1) return first;
  const said = errors.map(({ message }, place) => `${new URL(urls[place] as string).host}: ${message}`);
  return new Error(said.join('; '), { cause: first });
}

export function destroy(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

const INT8_OID = 20;

/** int8 arrives as text; every number we store is a safe integer. */
export function getTypeParser(oid: number, format?: string): unknown {
  if (oid === INT8_OID) return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}
