export type Sdk = typeof import('@modelcontextprotocol/server');

let loading: Promise<Sdk> | undefined;

/** Loaded with the first request: a start of the service does not wait for it. */
export function loadSdk(): Promise<Sdk> {
  loading ??= import('@modelcontextprotocol/server');
  return loading;
}
