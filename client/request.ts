import { ROUTES } from './table.ts';

/** One row of the table as calls read it. */
export interface Route {
  readonly method: 'get' | 'post';
  readonly path: string;
  /** Fields that a header carries. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The field that makes a repeated call give the first answer. */
  readonly keyField?: string;
  readonly paid?: true;
  /** Changes state, without a price. */
  readonly writes?: true;
  /** The last field of the path takes slashes. */
  readonly rest?: true;
  /** JSON unless said. */
  readonly answer?: 'text' | 'bytes' | 'stream';
}

export const routeOf = (id: string): Route => (ROUTES as Readonly<Record<string, Route>>)[id] as Route;

export interface Credentials {
  readonly agentKey?: string | undefined;
  readonly platformKey?: string | undefined;
}

export interface PreparedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Said by the documents of the service: the same call again gives the same answer, without a key. */
const HARMLESS_TWICE = new Set(['release', 'amh_seal', 'attest_erase']);

/** True for a call that may be sent again when it is not known whether it was done. */
export function isRepeatable(id: string): boolean {
  const { writes, keyField } = routeOf(id);
  return writes !== true || keyField !== undefined || HARMLESS_TWICE.has(id);
}

/** Puts each field of the input where its row says: path, header, query or body. The key marks repeats of the call. */
export function prepareRequest(
  id: string,
  input: Readonly<Record<string, unknown>>,
  { agentKey, platformKey }: Credentials = {},
  key?: string,
): PreparedRequest {
  const route = routeOf(id);
  const ofHeader: Readonly<Record<string, string | undefined>> = { 'x-agent-key': agentKey, 'x-amh-key': platformKey };
  const fields: Record<string, unknown> = { ...input };
  if (route.keyField !== undefined) fields[route.keyField] ??= input['idempotency_key'] ?? input['request_id'] ?? key;
  const headers: Record<string, string> = {
    accept: route.answer === undefined ? 'application/json, */*;q=0.5' : '*/*',
  };
  if (route.paid && key !== undefined) headers['idempotency-key'] = key;
  const take = (name: string) => {
    const value = fields[name] as string | number | null | undefined;
    delete fields[name];
    return value;
  };
  for (const [field, header] of Object.entries(route.headers ?? {})) {
    const value = take(field) ?? ofHeader[header];
    if (value !== undefined && value !== null) headers[header] = String(value);
  }
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(take(name));
    return route.rest ? text.split('/').map(segment).join('/') : segment(text);
  });
  if (route.method === 'get') {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    return {
      method: 'GET',
      path,
      headers,
      query: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    };
  }
  return {
    method: 'POST',
    path,
    query: {},
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  };
}

/** The address of a request below that of the service. */
export function addressOf(baseUrl: string, { path, query }: Pick<PreparedRequest, 'path' | 'query'>): string {
  const search = new URLSearchParams(query).toString();
  return `${baseUrl.replace(/\/+$/, '')}${path}${search === '' ? '' : `?${search}`}`;
}

/** A part of the path that no URL takes for a step up or for none: the service gets the dots escaped, and refuses them. */
function segment(text: string): string {
  return /^\.\.?$/.test(text) ? text.replaceAll('.', '%252E') : encodeURIComponent(text);
}
