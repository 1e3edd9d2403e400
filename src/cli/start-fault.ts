import { ConfigError } from '#config/config.ts';

interface SystemFault extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly path?: string;
}

const SYSTEM_FAULTS: Readonly<Record<string, (fault: SystemFault) => string>> = {
  EADDRINUSE: ({ address, port }) => `port ${port} on ${address} is in use: stop the other program or set PORT`,
  EADDRNOTAVAIL: ({ address }) => `this machine does not have the address ${address}: set HOST`,
  EACCES: ({ path, port }) => `no permission for ${path ?? `port ${port}`}`,
  EPERM: ({ path }) => `no permission for ${path ?? 'a file'}`,
  ENOTDIR: ({ path }) => `${path} lies below something that is not a directory: set DATA_DIR`,
  EEXIST: ({ path }) => `${path} exists and is not a directory: set DATA_DIR`,
  EROFS: ({ path }) => `${path} is on a read-only file system`,
  ENOSPC: ({ path }) => `no space left for ${path ?? 'the data directory'}`,
  ECONNREFUSED: () => 'the database refuses connections: check DATABASE_URL and that the server runs',
  ENOTFOUND: () => 'the host of DATABASE_URL cannot be found',
  '3D000': () => 'the database that DATABASE_URL names does not exist',
  '28P01': () => 'the database refuses the user or password of DATABASE_URL',
  '28000': () => 'the database refuses the user of DATABASE_URL',
};

/** One clear line for each thing that stands in the way, without stack traces and without secrets. */
export function startFaultLines(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.faults;
  if (!(error instanceof Error)) return [String(error)];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const known = SYSTEM_FAULTS[(cause as SystemFault).code ?? ''];
    if (known !== undefined) return [known(cause)];
  }
  return [rootMessage(error)];
}

function rootMessage(error: Error): string {
  return error.cause instanceof Error && error.message === '' ? rootMessage(error.cause) : error.message;
}
