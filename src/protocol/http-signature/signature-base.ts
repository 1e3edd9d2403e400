import {
  type InnerList,
  type Item,
  type Member,
  parseDictionary,
  serializeItem,
  serializeMember,
} from './structured-field.ts';

/** A request as RFC 9421 sees it. `authority` is the one that callers are told, never the Host header. */
export interface SignableRequest {
  readonly method: string;
  readonly scheme: string;
  readonly authority: string;
  /** As it came, without the query. */
  readonly path: string;
  /** As it came, with its question mark; empty where there is none. */
  readonly query: string;
  /** A header by its lower-case name; several lines joined by a comma. */
  readonly header: (name: string) => string | undefined;
}

const DERIVED: Readonly<Record<string, (request: SignableRequest) => string>> = {
  '@method': ({ method }) => method,
  '@authority': ({ authority }) => authority,
  '@scheme': ({ scheme }) => scheme,
  '@target-uri': ({ scheme, authority, path, query }) => `${scheme}://${authority}${path}${query}`,
  '@request-target': ({ path, query }) => `${path}${query}`,
  '@path': ({ path }) => path,
  '@query': ({ query }) => query || '?',
};

/** No signer covers more; each may cost the reading of a header. */
const MAX_COMPONENTS = 32;
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const PRINTABLE = /^[ -~]*$/;

/**
 * The signature base (RFC 9421, 2.5) of what a member of Signature-Input says; undefined where a component is not in the
 * request, comes twice or is of a kind that is not supported.
 */
export function signatureBase(
  request: SignableRequest,
  input: InnerList,
  dictionaryOf = dictionaries(request),
): string | undefined {
  if (input.items.length > MAX_COMPONENTS) return undefined; // attacker-controlled
  const lines = new Map<string, string>();
  for (const component of input.items) {
    const name = serializeItem(component);
    const value = componentValue(request, component, dictionaryOf);
    if (value === undefined || lines.has(name) || !PRINTABLE.test(value)) return undefined;
    lines.set(name, value);
  }
  const covered = [...lines].map(([name, value]) => `${name}: ${value}`);
  return [...covered, `"@signature-params": ${serializeMember(input)}`].join('\n');
}

type DictionaryOf = (name: string) => ReadonlyMap<string, Member> | undefined;

/** Headers as dictionaries, each read once however often it is covered: a request is attacker-controlled. */
export function dictionaries({ header }: Pick<SignableRequest, 'header'>): DictionaryOf {
  const known = new Map<string, ReadonlyMap<string, Member> | undefined>();
  return (name) => {
    if (!known.has(name)) known.set(name, parseDictionary(header(name)?.trim() ?? ''));
    return known.get(name);
  };
}

function componentValue(
  request: SignableRequest,
  { bare, parameters }: Item,
  dictionaryOf: DictionaryOf,
): string | undefined {
  if (bare.kind !== 'string') return undefined;
  const { value: name } = bare;
  if (name.startsWith('@')) {
    return parameters.size === 0 && Object.hasOwn(DERIVED, name) ? DERIVED[name]?.(request) : undefined;
  }
  const field = FIELD_NAME.test(name) ? request.header(name)?.trim() : undefined;
  if (field === undefined || parameters.size === 0) return field;
  const key = parameters.get('key');
  if (parameters.size > 1 || key?.kind !== 'string') return undefined;
  const member = dictionaryOf(name)?.get(key.value);
  return member === undefined ? undefined : serializeMember(member);
}
