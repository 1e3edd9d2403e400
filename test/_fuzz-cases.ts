// Requests for every row of the operation table, from its JSON Schema: right, nearly right and hostile ones.
import fc from 'fast-check';
import { z } from 'zod';
import { type Operation, pathFields } from '#kernel/operation.ts';

export interface FuzzRequest {
  readonly operation: Operation;
  readonly kind: string;
  readonly bytes: Uint8Array;
  readonly isHead: boolean;
  /** False when the bytes may be no request at all: they go out on a connection of their own. */
  readonly isFramed: boolean;
  /** The members that were sent, where they were sent in an orderly way. */
  readonly members: readonly Member[];
}

type Member = readonly [name: string, value: unknown];
type Header = readonly [name: string, value: string];
type Form = 'get' | 'post';

/** A request before the values of earlier answers are put in. */
interface Draft {
  readonly kind: string;
  readonly method?: string;
  readonly form: Form;
  readonly members: readonly Member[];
  /** Which earlier answer lends its values; undefined for none. */
  readonly recall?: number | undefined;
  /** Replaces the path that the row has. */
  readonly changePath?: (path: string) => string;
  /** Replaces the query or body that the members make. */
  readonly rawContent?: string | Uint8Array;
  readonly contentType?: string;
  readonly headers: readonly Header[];
  /** Makes bytes that are no orderly request. */
  readonly unframed?: (path: string) => string | Uint8Array;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const LONG = 100_000;
const emoji = '\u{1f600}';
/** Few short texts, so that callers meet on the same keys and names. */
const COMMON_TEXTS = ['a7', 'b8', 'acme/repo#12', 'https://example.org/x?b=2&a=1', 'mirror'];
const NUMBER_TEXTS = [
  ...['', ' ', '0x10', '1e3', '1e309', '-0', '+5', '.5', '5.', '007', '1,5', '1_000', 'Infinity', 'NaN', ' 7 ', '٣'],
  ...['9007199254740993', '-9007199254740993', '0.1', '1.0', '1'.repeat(400), `0.${'3'.repeat(400)}`],
];
const NASTY_TEXTS = [
  ...['\0', 'a\0b', '\u202eabc', '\u2066x\u2069', '\ud800', 'x\udfff', '\ufffe', '\ufeffx', '\u0130', '\u200d'],
  ...['"', '\\', '\\u0000', "'; DROP TABLE lease;--", '<script>alert(1)</script>', '${7*7}', '{{7*7}}', '%00', '%2e%2e/'],
  ...['null', 'undefined', 'true', '[]', '{}', '__proto__', 'constructor', 'toString', '\r\nX-Injected: 1', '\t\n'],
  ...['\ufdfa'.repeat(230), `e${'\u0301'.repeat(2_000)}`, emoji.repeat(40), '\u{e0041}'.repeat(100), '\uff9e'.repeat(90)],
];
const LONG_TEXTS = ['x'.repeat(4_096), 'x'.repeat(4_097), '\u00e9'.repeat(8_000), '\u6f22'.repeat(8_000)];
const HUGE_TEXTS = [emoji.repeat(8_000), 'x'.repeat(LONG), ' '.repeat(33_000), '\ud800'.repeat(11_000)];
const ODD_NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'colour', '', ' key', 'KEY', 'key[]'],
  ...['key.x', '\u043a\u043b\u044e\u0447', 'n'.repeat(300), '\ud800', '0', '-1', 'a/b~c'],
];
const ODD_VALUES = [null, true, false, 0, -1, 1.5, 2 ** 53, 1e300, [], ['a', 'b'], {}, { a: 1 }, [[]]];
const METHODS = ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'POST', 'GET', 'QUERY', 'PROPFIND', 'LOCK', 'M-SEARCH'];

const nastyText = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...NASTY_TEXTS, ...NUMBER_TEXTS) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 3, arbitrary: fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom(...LONG_TEXTS) },
);
const nastyValue = fc.oneof({ weight: 3, arbitrary: nastyText }, { weight: 1, arbitrary: fc.constantFrom(...ODD_VALUES) });

const oddHeader: fc.Arbitrary<Header> = fc.oneof(
  ...[
    ['accept', ['*/*', 'text/html', 'text/markdown', 'text/html;q=0.5, */*;q=0.1', 'image/png', ',;q=', 'a/b/c', '*/*,'.repeat(500)]],
    ['sec-fetch-site', ['cross-site', 'same-origin', 'none', 'Cross-Site', '?']],
    ['sec-purpose', ['prefetch', 'prefetch;prerender', 'none']],
    ['purpose', ['prefetch', 'preview']],
    ['if-none-match', ['*', '""', 'W/"x"', '"'.repeat(999), ','.repeat(999)]],
    ['if-modified-since', ['Sun, 15 Nov 2026 00:00:00 GMT', 'x']],
    ['x-forwarded-for', ['1.2.3.4', '::1', ', ,', '999.1.1.1', '1.2.3.4, '.repeat(200), '2001:db8::1%x']],
    ['forwarded', ['for=1.2.3.4', ';;;']],
    ['origin', ['https://other.example', 'null']],
    ['access-control-request-method', ['PUT', '?']],
    ['authorization', ['Bearer x', 'Basic ????', '']],
    ['cookie', ['a=b', '='.repeat(900)]],
    ['range', ['bytes=0-1', 'bytes=-', 'bytes=9-1']],
    ['expect', ['100-continue', 'fish']],
    ['connection', ['close', 'keep-alive, upgrade', 'x']],
    ['upgrade', ['websocket', 'h2c']],
    ['te', ['trailers']],
    ['host', ['other.example', ':', '\u00ff\u00fe']],
    ['content-encoding', ['gzip', 'identity']],
    ['x-http-method-override', ['DELETE']],
    ['x-long', ['h'.repeat(20_000)]],
  ].map(([name, values]) => fc.constantFrom(...(values as string[])).map((value): Header => [name as string, value])),
);
const someHeaders = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Header[]>([]) },
  { weight: 1, arbitrary: fc.array(oddHeader, { minLength: 1, maxLength: 3 }) },
);

/** Everything that is sent to one operation. */
export function draftsFor(operation: Operation): fc.Arbitrary<Draft> {
  const root = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const forms: Form[] = operation.method === 'post' ? ['post'] : operation.alsoPost ? ['get', 'post'] : ['get'];
  const fields = Object.entries(root.properties ?? {}).map(([name, schema]) => field(operation, root, name, schema));
  const form = fc.constantFrom(...forms);
  const membersOf = (pick: (row: Field) => fc.Arbitrary<unknown>) =>
    fc.tuple(...fields.map((row) => maybe(row, pick(row)))).map((members) => members.filter((member) => member !== null));
  const right = membersOf((row) => row.right);
  const mixed = membersOf((row) => fc.oneof({ weight: 6, arbitrary: row.right }, { weight: 1, arbitrary: row.wrong }));
  const tokenHeaders = headersOf(operation, fields);
  const headers = fc.tuple(someHeaders, tokenHeaders).map(([some, tokens]) => [...some, ...tokens]);
  const draft = (kind: string, parts: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Draft> =>
    fc.record({ kind: fc.constant(kind), form, members: right, headers: someHeaders, ...parts }) as fc.Arbitrary<Draft>;
  const rows: [weight: number, arbitrary: fc.Arbitrary<Draft>][] = [
    [40, draft('right', {})],
    [24, draft('mixed', { members: mixed, headers })],
    [8, draft('recalled', { recall: fc.nat() })],
    [4, draft('recalled and mixed', { members: mixed, recall: fc.nat() })],
    [8, fc.tuple(right, shape(fields)).chain(([members, change]) => draft('shape', { members: fc.constant(change(members)) }))],
    [1, draft('huge', { members: fc.tuple(right, hugeMember(fields)).map(([members, huge]) => [...members, huge]) })],
    [4, draft('method', { method: fc.constantFrom(...METHODS) })],
    [4, draft('path', { changePath: fc.constantFrom(...PATH_CHANGES) })],
    [3, draft('unframed', { unframed: unframed })],
  ];
  if (forms.includes('get')) rows.push([4, draft('raw query', { form: fc.constant('get'), rawContent: rawQuery(fields) })]);
  if (forms.includes('post')) {
    rows.push([4, draft('raw body', { form: fc.constant('post'), rawContent: rawBody(fields) })]);
    rows.push([2, draft('content type', { form: fc.constant('post'), contentType: fc.constantFrom(...CONTENT_TYPES) })]);
  }
  return fc.oneof(...rows.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly right: fc.Arbitrary<unknown>;
  readonly wrong: fc.Arbitrary<unknown>;
}

function field(operation: Operation, root: Schema, name: string, schema: Schema): Field {
  const shown = operation.examples.map((example) => (example.input as Record<string, unknown>)[name]);
  const known = [...shown.filter((value) => value !== undefined), ...(isFreeText(schema) ? COMMON_TEXTS : [])];
  const valid = valueOf(schema, root);
  const right = known.length === 0 ? valid : fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...known) }, valid);
  const wrong = fc.oneof(...bounds(schema), { weight: 3, arbitrary: nastyValue });
  return { name, isRequired: root.required?.includes(name) ?? false, right, wrong };
}

function isFreeText(schema: Schema): boolean {
  return schema.type === 'string' && schema.enum === undefined && schema.pattern === undefined && schema.format === undefined;
}

function maybe(row: Field, value: fc.Arbitrary<unknown>): fc.Arbitrary<Member | null> {
  const member = value.map((given): Member => [row.name, given]);
  const absent = fc.constant(null);
  return row.isRequired
    ? fc.oneof({ weight: 40, arbitrary: member }, { weight: 1, arbitrary: absent })
    : fc.oneof({ weight: 2, arbitrary: member }, { weight: 5, arbitrary: absent });
}

/** Values that the schema accepts; rules that JSON Schema cannot say may still refuse them. */
function valueOf(schema: Schema, root: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valueOf(root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {}, root);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valueOf(choice, root)));
  if (schema.allOf !== undefined) return valueOf(Object.assign({}, ...schema.allOf) as Schema, root);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const make = typeof type === 'string' ? VALUES[type] : undefined;
  return make === undefined ? fc.jsonValue({ maxDepth: 2 }) : make(schema, root);
}

const VALUES: Readonly<Record<string, (schema: Schema, root: Schema) => fc.Arbitrary<unknown>>> = {
  string: textOf,
  integer: (schema) => fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000 }),
  number: (schema) => fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true }),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: ({ items = {}, minItems = 0, maxItems = 8 }, root) =>
    fc.array(valueOf(items, root), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 8) }),
  object: ({ properties = {}, required = [] }, root) =>
    fc.record(Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, valueOf(part, root)])), {
      requiredKeys: [...required],
    }),
};

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  uri: fc.webUrl(),
  email: fc.emailAddress(),
  uuid: fc.uuid(),
};

function textOf({ pattern, format, minLength = 0, maxLength = 4_096 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const formatted = FORMATS[format ?? ''];
  if (formatted !== undefined) return formatted;
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) });
}

/** The values at and just beyond the limits of a schema. */
function bounds(schema: Schema): fc.Arbitrary<unknown>[] {
  const { minimum, maximum, minLength, maxLength } = schema;
  const numbers = [minimum, maximum].filter((bound) => bound !== undefined);
  const lengths = [minLength, maxLength].filter((bound) => bound !== undefined);
  const values = [
    ...numbers.flatMap((bound) => [bound - 1, bound, bound + 1, bound + 0.5]),
    ...lengths.flatMap((bound) => [bound - 1, bound, bound + 1].map((length) => 'x'.repeat(Math.max(0, length)))),
    ...lengths.map((bound) => emoji.repeat(bound)),
  ];
  return values.length === 0 ? [] : [fc.constantFrom(...values)];
}

/** Members that are dropped, given twice, unknown or out of order. */
function shape(fields: readonly Field[]): fc.Arbitrary<(members: readonly Member[]) => Member[]> {
  const names = fields.map((row) => row.name);
  const oddName = fc.constantFrom(...ODD_NAMES, ...names);
  const odd = fc.tuple(oddName, nastyText).map((member) => (members: readonly Member[]) => [...members, member]);
  const dropped = fc.nat().map((index) => (members: readonly Member[]) => members.toSpliced(index % (members.length + 1), 1));
  const twice = fc.nat().map((index) => (members: readonly Member[]) => {
    const member = members[index % Math.max(1, members.length)];
    return member === undefined ? [['x', 1] as const] : [...members, member];
  });
  const many = fc.integer({ min: 90, max: 400 }).map((count) => (members: readonly Member[]) => [
    ...members,
    ...Array.from({ length: count }, (_, index): Member => [`n${index}`, '']),
  ]);
  const all = [odd, odd, dropped, twice, fc.constant((members: readonly Member[]) => members.toReversed())];
  return fc.oneof(...all.map((arbitrary) => ({ weight: 4, arbitrary })), { weight: 1, arbitrary: many });
}

function hugeMember(fields: readonly Field[]): fc.Arbitrary<Member> {
  return fc.tuple(fc.constantFrom('huge', ...fields.map((row) => row.name)), fc.constantFrom(...HUGE_TEXTS));
}

/** The headers that can stand for a field, with values that are right and wrong for it. */
function headersOf(operation: Operation, fields: readonly Field[]): fc.Arbitrary<Header[]> {
  const rows = Object.entries(operation.headerFields ?? {}).map(([header, name]) => {
    const row = fields.find((candidate) => candidate.name === name);
    const value = fc.oneof(row?.right ?? nastyText, fc.constantFrom('', 'x', 'x'.repeat(9_000), 'a, b'));
    return fc.option(value.map((given): Header => [header, headerText(given)]), { freq: 2, nil: undefined });
  });
  return fc.tuple(...rows).map((headers) => headers.filter((header) => header !== undefined));
}

function headerText(value: unknown): string {
  return String(value).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').trim();
}

const RAW_QUERIES = [
  ...['%', '%zz', '%E', '%ED%A0%80', '%C0%80', '%FF', '%F8%88%80%80%80', '=%', '&', '&&&', '=', '==', '?', '??=', '+', '#x'],
  ...['a=%u0041', 'a=%00', '%00=a', 'a;b', 'a[b]=c', 'a[]=1&a[]=2', '__proto__[x]=1', '&'.repeat(5_000), 'a&'.repeat(2_000)],
];

function rawQuery(fields: readonly Field[]): fc.Arbitrary<string> {
  const names = fc.constantFrom('x', ...fields.map((row) => row.name));
  const tails = fc.constantFrom(...RAW_QUERIES);
  return fc.oneof(
    tails,
    fc.tuple(names, tails).map(([name, tail]) => `${name}=${tail}`),
    fc.tuple(names, names, tails).map(([one, two, tail]) => `${one}=a&${two}${tail}`),
    fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 60 }),
  );
}

const RAW_BODIES: readonly (string | Uint8Array)[] = [
  ...['', '{', '}', '[', '{"a":', '{"a":1,}', "{'a':1}", 'null', 'true', '1', '-', '"x"', '[]', '{}{}', '{} x', 'NaN', '{a:1}'],
  ...['\ufeff{}', '{"a":1e999}', '{"\\ud800":1}', '{"a":"\\u0000"}', '{"a":"\t"}', '{"__proto__":{"agent":"x1"}}', ' \n{}'],
  ...['{"constructor":{"prototype":{"x":1}}}', '{"toString":1}', '['.repeat(30_000), '{"a":'.repeat(10_000), ' '.repeat(70_000)],
  ...[`[${'[],'.repeat(20_000)}[]]`, `{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`, `{"a":${'9'.repeat(5_000)}}`],
  ...[Uint8Array.of(0xff, 0xfe, 0x7b, 0), Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), Buffer.from('{}', 'utf16le')],
  Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1'),
];

function rawBody(fields: readonly Field[]): fc.Arbitrary<string | Uint8Array> {
  const names = fc.constantFrom('x', ...fields.map((row) => row.name));
  return fc.oneof(
    fc.constantFrom(...RAW_BODIES),
    names.map((name) => `{"${name}":"a","${name}":"b"}`),
    fc.tuple(names, fc.integer({ min: 1, max: 9_000 })).map(([name, depth]) => `{"${name}":`.repeat(depth) + '1' + '}'.repeat(depth)),
    fc.tuple(names, fc.uint8Array({ maxLength: 20 })).map(([name, bytes]) => Buffer.concat([Buffer.from(`{"${name}":"`), bytes, Buffer.from('"}')])),
    fc.uint8Array({ maxLength: 60 }),
  );
}

const CONTENT_TYPES = [
  ...['', 'text/plain', 'application/json; charset=utf-16', 'APPLICATION/JSON', 'application/problem+json', 'a', ';;;', ',', '*/*'],
  ...['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'application/json;', 'application/jsonx', 'json'],
  ...['application/json, text/plain', 'application/json; charset="', 'x/'.repeat(2_000)],
];

const PATH_CHANGES: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => path.toUpperCase(),
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replaceAll('/', '%2F').replace('%2F', '/'),
  (path) => path.replaceAll('/', '\\').replace('\\', '/'),
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => `${path}/..${path}`,
  (path) => `${path};a=b`,
  (path) => `${path}%00`,
  (path) => `${path}%`,
  (path) => `${path}%ff`,
  (path) => `${path}.json`,
  (path) => `http://other.example${path}`,
  (path) => `${path}/${'p'.repeat(600)}`,
  (path) => path.replace(/[^/]+$/, 'p'.repeat(511)),
  (path) => path.replace(/[^/]+$/, 'p'.repeat(513)),
  (path) => path.replace(/[^/]+$/, '%70'.repeat(400)),
  (path) => path.replace(/[^/]+$/, '..%2f..%2fx'),
  (path) => `${path}#`,
  () => '*',
  () => `/${'/'.repeat(60_000)}`,
  () => `/${'a/'.repeat(30_000)}`,
];

const HOST = 'Host: fuzz.example\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const UNFRAMED: readonly ((path: string) => string | Uint8Array)[] = [
  (path) => `GET ${path} HTTP/1.1\r\n\r\n`,
  (path) => `GET ${path} HTTP/1.0\r\n\r\n`,
  (path) => `GET ${path}\r\n\r\n`,
  (path) => `GET ${path} HTTP/9.9\r\n${HOST}\r\n`,
  (path) => `GET ${path} HTTP/1.1\n${HOST}\n`,
  (path) => `GET ${path} x HTTP/1.1\r\n${HOST}\r\n`,
  (path) => `GET  ${path} HTTP/1.1\r\n${HOST}\r\n`,
  (path) => `get ${path} HTTP/1.1\r\n${HOST}\r\n`,
  (path) => `FISH ${path} HTTP/1.1\r\n${HOST}\r\n`,
  (path) => `CONNECT ${path} HTTP/1.1\r\n${HOST}\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}no colon\r\n\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}X : a\r\n\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}X: a\r\n folded\r\n\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}${HOST}\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}X: ${'h'.repeat(140_000)}\r\n\r\n`,
  (path) => `GET ${path}?x=${'q'.repeat(140_000)} HTTP/1.1\r\n${HOST}\r\n`,
  (path) => Buffer.from(`GET ${path}?x=\xff\xfe HTTP/1.1\r\n${HOST}\r\n`, 'latin1'),
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\nGET ${path}?x=1 HTTP/1.1\r\n${HOST}\r\n`,
  (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\nrubbish`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 50\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 1\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: -1\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 0x2\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 99999999999999999999999\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 999999999\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n2;${'e'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: gzip\r\n\r\n{}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}\r\n{}`,
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  () => '',
];
const unframed = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...UNFRAMED) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 80 }).map((bytes) => () => bytes) },
);

/** The bytes of a draft; members that an earlier answer knows take their values from it. */
export function requestOf(operation: Operation, draft: Draft, recalled: Readonly<Record<string, unknown>> = {}): FuzzRequest {
  const { kind } = draft;
  const fields = Object.keys(operation.input.shape);
  const lent = fields.filter((name) => recalled[name] !== undefined && recalled[name] !== null);
  const members = [...draft.members.filter(([name]) => !lent.includes(name)), ...lent.map((name): Member => [name, recalled[name]])];
  const plainPath = pathOf(operation, members);
  const path = draft.changePath?.(plainPath) ?? plainPath;
  if (draft.unframed !== undefined) {
    const bytes = Buffer.from(draft.unframed(path) as string);
    return { operation, kind, bytes, isHead: false, isFramed: false, members: [] };
  }
  const inPath = pathFields(operation.path);
  const sent = members.filter(([name]) => !inPath.includes(name));
  const method = draft.method ?? draft.form.toUpperCase();
  const takesBody = draft.form === 'post';
  const content = draft.rawContent ?? (takesBody ? jsonText(sent) : queryText(sent));
  const query = takesBody || content === '' ? '' : `?${content as string}`;
  const body = takesBody ? Buffer.from(content as string) : undefined;
  const head = [
    `${method} ${path}${query} HTTP/1.1`,
    ...(draft.headers.some(([name]) => name === 'host') ? [] : ['host: fuzz.example']),
    ...(body === undefined ? [] : [`content-type: ${draft.contentType ?? 'application/json'}`, `content-length: ${body.length}`]),
    ...draft.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const headBytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  const bytes = body === undefined ? headBytes : Buffer.concat([headBytes, body]);
  return { operation, kind, bytes, isHead: method === 'HEAD', isFramed: true, members: draft.rawContent === undefined ? members : [] };
}

function pathOf(operation: Operation, members: readonly Member[]): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = members.findLast(([known]) => known === name)?.[1];
    return value === undefined ? 'x' : escaped(asText(value));
  });
}

function queryText(members: readonly Member[]): string {
  const pairs = members.flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((item) => [name, item] as const));
  return pairs.map(([name, value]) => `${escaped(name)}=${escaped(asText(value))}`).join('&');
}

/** Written by hand, because an object could hold neither a name twice nor `__proto__`. */
function jsonText(members: readonly Member[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Percent escapes of UTF-8; a lone surrogate as the three bytes that it would have, which no decoder may accept. */
function escaped(text: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text);
  return [...text].map((character) => (character.isWellFormed() ? encodeURIComponent(character) : surrogateBytes(character))).join('');
}

function surrogateBytes(unit: string): string {
  const code = unit.charCodeAt(0);
  const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase()}`).join('');
}
