import { ConfigError } from '#platform/config/config.ts';
import { StorageError } from '#platform/storage/store.ts';

interface SystemError extends Error {
  readonly code?: string;
  readonly errcode?: number;
  readonly address?: string;
  readonly port?: number;
  readonly path?: string;
}

type Sentence = (fault: SystemError) => string;

/** Faults of files, sockets and the PostgreSQL server, by their code. */
const BY_CODE: Readonly<Record<string, Sentence>> = {
  EADDRINUSE: ({ address, port }) => `port ${port} on ${address} is in use: stop the other program or set PORT`,
  EADDRNOTAVAIL: ({ address }) => `this machine does not have the address ${address}: set HOST`,
  EACCES: noPermission,
  EPERM: noPermission,
  ENOENT: ({ path }) => `${path} does not exist and cannot be made: check the path and that its disk can be written`,
  ENOTDIR: ({ path }) => `${path} is not a directory or lies below a file: set DATA_DIR to a directory`,
  EEXIST: ({ path }) => `${path} exists and is not a directory: move it away or set DATA_DIR`,
  EROFS: ({ path }) => `${path} is on a read-only file system: make it writable or set DATA_DIR`,
  ENOSPC: ({ path }) => `no space is left for ${path ?? 'the data directory'}: free some or set DATA_DIR`,
  ECONNREFUSED: () => 'nothing listens where DATABASE_URL points: start the database or correct host and port',
  ECONNRESET: () => 'the database closed the connection: check host and port of DATABASE_URL and its log',
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENOTFOUND: () => 'the host of DATABASE_URL has no address: correct its name',
  EAI_AGAIN: () => 'the host of DATABASE_URL cannot be looked up now: check the name service and try again',
  '3D000': () => 'the database that DATABASE_URL names does not exist: create it or correct the name',
  '28P01': () => 'the database refuses the password of DATABASE_URL: correct it',
  '28000': () => 'the database refuses the user of DATABASE_URL: create the user or correct the name',
  '42501': () =>
    'the user of DATABASE_URL lacks rights: grant it CREATE on the schema or make it owner of the database',
  '25006': () => 'the database takes no writes: DATABASE_URL must name the primary server',
  '53300': () => 'the database has no connection left: raise its max_connections or stop other clients',
  '55000': () => 'the database accepts no connections: allow them or correct the name in DATABASE_URL',
  '57P03': () => 'the database is starting or stopping: try again in a moment',
};

/** Faults of the SQLite file, by primary result code. */
const BY_SQLITE_CODE: Readonly<Record<number, string>> = {
  5: 'another program holds avouch.db in DATA_DIR: close it',
  8: 'avouch.db in DATA_DIR cannot be written: give this user the right to write it and its directory',
  10: 'avouch.db in DATA_DIR cannot be read or written: check the disk',
  11: 'avouch.db in DATA_DIR is damaged: restore it from a backup',
  13: 'no space is left for avouch.db in DATA_DIR: free some',
  14: 'avouch.db in DATA_DIR cannot be opened: check DATA_DIR and its rights, and that the service has run there once',
  26: 'avouch.db in DATA_DIR is not a database of this service: restore it from a backup or move it away',
};

/** One clear line for each thing that stands in the way, without stack traces and without secrets. */
export function startFaultLines(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.faults;
  // What went wrong while cleaning up hides why there was something to clean up.
  if (error instanceof SuppressedError) return startFaultLines(error.suppressed);
  if (!(error instanceof Error)) return [oneLine(String(error))];
  const chain = causesOf(error);
  return [oneLine(chain.map(known).find((line) => line !== undefined) ?? unknownFault(chain))];
}

function causesOf(error: Error): Error[] {
  const chain: Error[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) chain.push(cause);
  return chain;
}

function known(error: Error): string | undefined {
  const { code, errcode } = error as SystemError;
  // Extended codes of SQLite keep the primary one in their lowest byte.
  if (errcode !== undefined) return BY_SQLITE_CODE[errcode & 0xff];
  return BY_CODE[code ?? '']?.(error);
}

function unknownFault(chain: readonly Error[]): string {
  const [first, ...causes] = chain;
  if (!(first instanceof StorageError)) return chain.find((error) => error.message !== '')?.message ?? 'unknown fault';
  // It says by itself what to do.
  if (first.kind === 'set_back') return first.message;
  const why = causes.at(-1)?.message ?? first.kind;
  return `${first.message} (${why}): check DATABASE_URL and the log of the database`;
}

function noPermission({ path, port }: SystemError): string {
  if (path === undefined && port !== undefined) return `no permission for port ${port}: set PORT to 1024 or above`;
  return `no permission for ${path ?? 'a file'}: give this user the right to write it or set DATA_DIR`;
}

function unreachable(): string {
  return 'the host of DATABASE_URL cannot be reached: check the address and the network';
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
