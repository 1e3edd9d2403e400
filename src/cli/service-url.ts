import type { Env } from '#platform/config/env.ts';
import { UsageError } from './line/spec.ts';

/** The service that is named, or that of this machine. */
export function serviceUrl(given: string | undefined, env: Env): string {
  const { AVOUCH_URL: named, BASE_URL: base, HOST: host = '127.0.0.1', PORT: port = '8402' } = env;
  const url = given ?? named ?? base;
  if (url !== undefined && url !== '') return url;
  if (port === '0') throw new UsageError('Missing --url (PORT is 0, so the port is not known).');
  if (!/^\d{1,5}$/.test(port)) throw new UsageError('PORT must be a whole number from 0 to 65535, or give --url.');
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
