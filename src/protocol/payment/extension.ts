import { canonicalJson } from '#kernel/canonical-json.ts';
import { OFFER_RECEIPT } from './offer-receipt.ts';
import type { PaymentPayload } from './wire.ts';

export const PAYMENT_IDENTIFIER = 'payment-identifier';
export const BAZAAR = 'bazaar';

const PAYMENT_ID = /^[a-zA-Z0-9_-]{16,128}$/;
const JSON_SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

export interface PaymentExtension {
  readonly info: Readonly<Record<string, unknown>>;
  readonly schema: object;
}

/** A client may name its payment, so that a repeat is known as one. */
export const PAYMENT_IDENTIFIER_EXTENSION: PaymentExtension = {
  info: { required: false },
  schema: {
    $schema: JSON_SCHEMA,
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
};

interface QuerySchema {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, object>> | undefined;
  readonly required?: readonly string[] | undefined;
}

export interface DiscoveryExample {
  readonly query: Readonly<Record<string, unknown>>;
  /** JSON schema of the query as an object. */
  readonly querySchema: QuerySchema;
  readonly output: unknown;
}

/** How catalogues learn what a paid GET takes and gives. */
export function bazaarExtension({ query, querySchema, output }: DiscoveryExample): PaymentExtension {
  return {
    info: { input: { type: 'http', method: 'GET', queryParams: query }, output: { type: 'json', example: output } },
    schema: discoverySchema({
      input: {
        type: 'object',
        properties: {
          type: { type: 'string', const: 'http' },
          method: { type: 'string', enum: ['GET'] },
          queryParams: querySchema,
        },
        required: ['type', 'method'],
        additionalProperties: false,
      },
      output: {
        type: 'object',
        properties: { type: { type: 'string' }, example: { type: 'object' } },
        required: ['type'],
      },
    }),
  };
}

/**
 * The same for a header, which has little room: required parameters and so many more, of each its type, and of the
 * output its kind. Clients echo the header, and catalogues read what they echo. The info of a shorter form is a part of
 * that of every longer one.
 */
export function shortBazaarExtension(
  { query, querySchema, output }: DiscoveryExample,
  mostOptional: number,
): PaymentExtension {
  const { properties = {}, required = [] } = querySchema;
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const shownFirst = [
    ...optional.filter((name) => Object.hasOwn(query, name)),
    ...optional.filter((name) => !Object.hasOwn(query, name)),
  ];
  const named = [...required, ...shownFirst.slice(0, mostOptional)];
  const types = named.map((name) => [name, typeAlone(properties[name])]);
  const queryParams = {
    type: 'object',
    properties: Object.fromEntries(types) as object,
    ...(required.length > 0 && { required }),
  };
  return {
    info: {
      input: { type: 'http', method: 'GET', queryParams: picked(query, named) },
      output: { type: 'json', example: picked(output, ['kind']) },
    },
    schema: discoverySchema({
      input: {
        type: 'object',
        properties: { type: { const: 'http' }, method: { const: 'GET' }, queryParams },
        required: ['type', 'method'],
      },
    }),
  };
}

function discoverySchema(properties: object): object {
  return { $schema: JSON_SCHEMA, type: 'object', properties, required: ['input'] };
}

/** Any value where the schema names no single type. */
function typeAlone(schema: object = {}): object {
  return 'type' in schema && typeof schema.type === 'string' ? { type: schema.type } : {};
}

function picked(from: unknown, names: readonly string[]): object {
  const members = typeof from === 'object' && from !== null ? Object.entries(from) : [];
  return Object.fromEntries(members.filter(([name]) => names.includes(name)));
}

/** The id that the client gave its payment; null when there is one that the schema does not take. */
export function paymentIdOf({ extensions }: PaymentPayload): string | undefined | null {
  const id = infoOf(extensions?.[PAYMENT_IDENTIFIER])?.id;
  if (id === undefined) return undefined;
  return typeof id === 'string' && PAYMENT_ID.test(id) ? id : null;
}

/** Members of an info that are made anew for each challenge. */
const REGENERATED: Readonly<Record<string, readonly string[]>> = { [OFFER_RECEIPT]: ['offers'] };

/**
 * True when what the client echoes of our extensions is what we advertised. It may leave an extension out and may add
 * members; what it repeats must be unchanged.
 */
export function echoesFaithfully(
  { extensions = {} }: PaymentPayload,
  advertised: Readonly<Record<string, PaymentExtension>>,
): boolean {
  return Object.entries(advertised).every(([id, { info }]) => {
    if (!Object.hasOwn(extensions, id)) return true;
    const echoed = infoOf(extensions[id]);
    if (echoed === undefined) return false;
    return Object.entries(info)
      .filter(([name]) => !(REGENERATED[id] ?? []).includes(name))
      .every(([name, value]) => contains(echoed[name], value));
  });
}

/** True when every member of `part`, at any depth, stands unchanged in `whole`. */
function contains(whole: unknown, part: unknown): boolean {
  if (typeof part === 'object' && part !== null && !Array.isArray(part)) {
    if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return false;
    const members = whole as Readonly<Record<string, unknown>>;
    return Object.entries(part).every(([name, value]) => contains(members[name], value));
  }
  return sameJson(whole, part);
}

function sameJson(one: unknown, other: unknown): boolean {
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}

function infoOf(extension: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof extension !== 'object' || extension === null) return undefined;
  const { info } = extension as { info?: unknown };
  return typeof info === 'object' && info !== null ? (info as Readonly<Record<string, unknown>>) : undefined;
}
