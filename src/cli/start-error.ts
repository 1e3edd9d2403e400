import { ConfigError } from '#platform/config/config-error.ts';
import { DurabilityError } from '#platform/storage/durability.ts';
import { StorageError } from '#platform/storage/store.ts';

interface SystemError extends Error {
  readonly code?: string;
  readonly errcode?: number;
  readonly address?: string;
  readonly port?: number;
  readonly path?: string;
}

type Sentence = (error: SystemError) => string;

/** Errors of files, sockets and the PostgreSQL server, by their code. */
const BY_CODE: Readonly<Record<string, Sentence>> = {
  EADDRINUSE: ({ address, port }) => `Port ${port} on ${address} is in use. Stop the other program or set PORT.`,
  EADDRNOTAVAIL: ({ address }) => `This machine does not have the address ${address}. Set HOST.`,
  EACCES: noPermission,
  EPERM: noPermission,
  ENOENT: ({ path }) => `${path} does not exist and cannot be created. Check the path and that its disk is writable.`,
  ENOTDIR: ({ path }) => `${path} is not a directory, or is below a file. Set DATA_DIR to a directory.`,
  EEXIST: ({ path }) => `${path} exists and is not a directory. Move it away or set DATA_DIR.`,
  EROFS: ({ path }) => `${path} is on a read-only file system. Make it writable or set DATA_DIR.`,
  ENOSPC: ({ path }) => `There is no space left for ${path ?? 'the data directory'}. Free some space or set DATA_DIR.`,
  ECONNREFUSED: () =>
    'Nothing listens at the address in DATABASE_URL. Start the database or correct the host and port.',
  ECONNRESET: () =>
    "The database closed the connection. Check the host and port in DATABASE_URL and the database's log.",
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENOTFOUND: () => 'The host in DATABASE_URL does not exist. Correct its name.',
  EAI_AGAIN: () => 'The host in DATABASE_URL cannot be resolved now. Check DNS and try again.',
  '3D000': () => 'The database in DATABASE_URL does not exist. Create it or correct the name.',
  '28P01': () => 'The database rejected the password in DATABASE_URL. Correct it.',
  '28000': () => 'The database rejected the user in DATABASE_URL. Create the user or correct the name.',
  '42501': () =>
    'The user in DATABASE_URL lacks privileges. Grant it CREATE on the schema or make it the owner of the database.',
  '25006': () => 'The database is read-only. DATABASE_URL must name the primary server.',
  '53300': () => 'The database has no free connections. Raise its max_connections or stop other clients.',
  '55000': () => 'The database does not accept connections. Allow them or correct the name in DATABASE_URL.',
  '57P03': () => 'The database is starting or stopping. Try again in a moment.',
};

/** Errors of the SQLite file, by primary result code. */
const BY_SQLITE_CODE: Readonly<Record<number, string>> = {
  5: 'Another program has locked avouch.db in DATA_DIR. Close that program.',
  8: 'avouch.db in DATA_DIR is not writable. Give this user write permission for the file and its directory.',
  10: 'avouch.db in DATA_DIR cannot be read or written. Check the disk.',
  11: 'avouch.db in DATA_DIR is damaged. Restore it from a backup.',
  13: 'There is no space left for avouch.db in DATA_DIR. Free some space.',
  14: 'avouch.db in DATA_DIR cannot be opened. Check DATA_DIR and its permissions, and that the service has run there once.',
  26: 'avouch.db in DATA_DIR is not an Avouch database. Restore it from a backup or move it away.',
};

/** One line for each thing that prevents the start: what is wrong, then what to do. No stack traces, no secrets. */
export function startFaultLines(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.faults;
  // An error during clean-up hides the one that caused it.
  // Older versions of Node, on which callers run some commands, have no such class.
  if (globalThis.SuppressedError !== undefined && error instanceof SuppressedError) {
    return startFaultLines(error.suppressed);
  }
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
  const unsafe = causes.find((error) => error instanceof DurabilityError);
  if (unsafe !== undefined) return unsafe.message;
  if (!(first instanceof StorageError)) return chain.find((error) => error.message !== '')?.message ?? 'Unknown error.';
  // Its message already says what to do.
  if (first.kind === 'set_back') return first.message;
  const why = causes.at(-1)?.message ?? first.kind;
  const what = first.message.replace(/^[a-z]/, (letter) => letter.toUpperCase());
  return `${what} (${why}). Check DATABASE_URL and the database's log.`;
}

function noPermission({ path, port }: SystemError): string {
  if (path === undefined && port !== undefined) return `Port ${port} needs more privileges. Set PORT to 1024 or above.`;
  return `This user may not write ${path ?? 'a file'}. Give it write permission or set DATA_DIR.`;
}

function unreachable(): string {
  return 'The host in DATABASE_URL cannot be reached. Check the address and the network.';
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
