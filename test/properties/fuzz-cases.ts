// Requests for every row of the operation table, from its JSON Schema: right, nearly right and hostile ones.
import fc from '#properties';
import { z } from 'zod';
import { type Operation, pathFields } from '#kernel/operation.ts';
import * as hostile from './hostile-inputs.ts';
import { repeatedMember } from './json-bodies.ts';
import { bounds, resolved, type Schema, valueOf } from './schema-values.ts';
import { unreadBodies } from './unread-bodies.ts';

export interface FuzzRequest {
  readonly operation: Operation;
  readonly kind: string;
  readonly method: string;
  readonly bytes: Uint8Array;
  /** False when the bytes may be no request at all: they go out on a connection of their own. */
  readonly isFramed: boolean;
  /** The members that were sent, where they were sent in an orderly way. */
  readonly members: readonly Member[];
  /** The member that the body holds twice. */
  readonly repeated?: string | undefined;
  /** Whether it brings a good key. */
  readonly isKeyed?: boolean;
  /** A body behind a call that its key refuses: how many such calls are whole, and whether the caller then leaves. */
  readonly unread?: { readonly whole: number; readonly isCut: boolean } | undefined;
}

export type Member = readonly [name: string, value: unknown];
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
  /** The member that the raw content holds twice. */
  readonly repeated?: string;
  /** Whether it brings a good key where the call takes one. */
  readonly isKeyed?: boolean;
  /** Which of the bodies that nobody reads stands behind a key that is refused. */
  readonly unread?: number;
}

const nastyText = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...hostile.NASTY_TEXTS, ...hostile.NUMBER_TEXTS) },
  {
    weight: 3,
    arbitrary: fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)), maxLength: 30 }),
  },
  { weight: 3, arbitrary: fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom(...hostile.LONG_TEXTS) },
);
const nastyValue = fc.oneof(
  { weight: 3, arbitrary: nastyText },
  { weight: 1, arbitrary: fc.constantFrom(...hostile.ODD_VALUES) },
);

const oddHeader = fc.oneof(
  ...Object.entries(hostile.ODD_HEADERS).map(([name, values]) =>
    fc.constantFrom(...values).map((value): Header => [name, value]),
  ),
);
const someHeaders = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Header[]>([]) },
  { weight: 1, arbitrary: fc.array(oddHeader, { minLength: 1, maxLength: 3 }) },
);

const mostly = fc.nat(3).map((turn) => turn > 0);

/** The examples of the row as they stand. */
export function exampleDrafts(operation: Operation): Draft[] {
  return operation.examples.map(({ input }) => {
    return { kind: 'example', form: operation.method, members: Object.entries(input), headers: [], isKeyed: true };
  });
}

/** Every field of the row with names that every object has; the other fields as its first example has them. */
export function inheritedDrafts(operation: Operation): Draft[] {
  const { properties = {} } = schemaOf(operation);
  return Object.keys(properties).flatMap((name) =>
    hostile.INHERITED_TEXTS.map((text) => exampleWith(operation, 'inherited', [name], text)),
  );
}

/**
 * Every text of the row, at whatever depth, with characters that a database or a digest does not take: alone, and in an
 * address. What the row itself refuses is left out.
 */
export function unstorableDrafts(operation: Operation): Draft[] {
  const root = schemaOf(operation);
  const texts = hostile.UNSTORABLE.flatMap((character) => [`a${character}b`, `https://fuzz.example/a${character}b`]);
  return textPaths(root, root).flatMap((path) =>
    texts
      .map((text) => exampleWith(operation, 'unstorable', path, text))
      .filter(({ members }) => operation.input.safeParse(Object.fromEntries(members)).success),
  );
}

type Path = readonly (string | number)[];

/** The first example of the row with this text at that place. */
function exampleWith(operation: Operation, kind: string, path: Path, text: string): Draft {
  const given = structuredClone(operation.examples[0]?.input ?? {});
  const members = Object.entries(placed(given, path, text) as object);
  return { kind, form: operation.method, members, headers: [], isKeyed: true };
}

function placed(value: unknown, [step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return text;
  if (typeof step === 'number') return [placed(Array.isArray(value) ? value[step] : undefined, rest, text)];
  const members = typeof value === 'object' && value !== null ? value : {};
  return { ...members, [step]: placed((members as Record<string, unknown>)[step], rest, text) };
}

/** Where the schema takes free text; an object of any members has one under a name of its own. */
function textPaths(given: Schema, root: Schema, path: Path = []): Path[] {
  const { type, properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = resolved(given, root);
  const choices = [...anyOf, ...oneOf];
  const takesText = type === undefined ? choices.length === 0 : [type].flat().includes('string');
  return [
    ...(takesText ? [path] : []),
    ...choices.flatMap((choice) => textPaths(choice, root, path)),
    ...Object.entries(properties).flatMap(([name, part]) => textPaths(part, root, [...path, name])),
    ...(items === undefined ? [] : textPaths(items, root, [...path, 0])),
    ...(typeof additionalProperties === 'object' ? textPaths(additionalProperties, root, [...path, 'x']) : []),
  ];
}

function schemaOf({ input }: Operation): Schema {
  return z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema;
}

/** Everything that is sent to one operation. */
export function draftsFor(operation: Operation): fc.Arbitrary<Draft> {
  const root = schemaOf(operation);
  const forms: Form[] = operation.method === 'post' ? ['post'] : operation.alsoPost ? ['get', 'post'] : ['get'];
  const fields = Object.entries(root.properties ?? {}).map(([name, schema]) => field(operation, root, name, schema));
  const form = fc.constantFrom(...forms);
  const membersOf = (pick: (row: Field) => fc.Arbitrary<unknown>) =>
    fc
      .tuple(...fields.map((row) => maybe(row, pick(row))))
      .map((members) => members.filter((member) => member !== null));
  const right = membersOf((row) => row.right);
  const mixed = membersOf((row) => fc.oneof({ weight: 6, arbitrary: row.right }, { weight: 1, arbitrary: row.wrong }));
  const tokenHeaders = headersOf(operation, fields);
  const headers = fc.tuple(someHeaders, tokenHeaders).map(([some, tokens]) => [...some, ...tokens]);
  const draft = (kind: string, parts: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Draft> =>
    fc.record({ kind: fc.constant(kind), form, members: right, headers: someHeaders, isKeyed: mostly, ...parts });
  const rows: [weight: number, arbitrary: fc.Arbitrary<Draft>][] = [
    [40, draft('right', {})],
    [24, draft('mixed', { members: mixed, headers })],
    [8, draft('recalled', { recall: fc.nat() })],
    [4, draft('recalled and mixed', { members: mixed, recall: fc.nat() })],
    [
      8,
      fc
        .tuple(right, shape(fields))
        .chain(([members, change]) => draft('shape', { members: fc.constant(change(members)) })),
    ],
    [1, draft('huge', { members: fc.tuple(right, hugeMember(fields)).map(([members, huge]) => [...members, huge]) })],
    [4, draft('method', { method: fc.constantFrom(...hostile.METHODS) })],
    [4, draft('path', { changePath: fc.constantFrom(...hostile.PATH_CHANGES) })],
    [3, draft('unframed', { unframed: unframed })],
  ];
  if (forms.includes('get'))
    rows.push([4, draft('raw query', { form: fc.constant('get'), rawContent: rawQuery(fields) })]);
  if (forms.includes('post')) {
    rows.push([4, draft('raw body', { form: fc.constant('post'), rawContent: rawBody(fields) })]);
    rows.push([
      2,
      draft('content type', { form: fc.constant('post'), contentType: fc.constantFrom(...hostile.CONTENT_TYPES) }),
    ]);
  }
  if (forms.includes('post') && !BYTE_FOR_BYTE.has(operation.operationId)) {
    const repeated = fc.tuple(right, fc.nat(), fc.boolean(), mostly);
    rows.push([4, repeated.map((given) => repeatedDraft(operation, given))]);
  }
  if (operation.method === 'post' && KEY_HEADERS[operation.access] !== undefined)
    rows.push([1, draft('unread body', { unread: fc.nat() })]);
  return fc.oneof(...rows.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** Calls whose body is signed as bytes, whatever they mean. */
const BYTE_FOR_BYTE: ReadonlySet<string> = new Set(['stripe_webhook']);

/** A right call, but for one member that its body holds twice. */
function repeatedDraft(
  { path }: Operation,
  [members, pick, isEscaped, isKeyed]: readonly [readonly Member[], number, boolean, boolean],
): Draft {
  const inPath = pathFields(path);
  const { text, pointer } = repeatedMember(
    members.filter(([name]) => !inPath.includes(name)),
    pick,
    isEscaped,
  );
  return { kind: 'repeated member', form: 'post', members, headers: [], isKeyed, rawContent: text, repeated: pointer };
}

/** Keys by the header that carries each. */
export type Keys = Readonly<Record<string, string>>;

/** The header of the key that a call needs. */
export const KEY_HEADERS: Readonly<Record<string, string>> = { agent: 'x-agent-key', platform: 'x-amh-key' };
/** Keys that are nobody's. */
const REFUSED_KEYS: Keys = { 'x-agent-key': `agk_${'A'.repeat(49)}`, 'x-amh-key': `amhk_${'A'.repeat(49)}` };

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly right: fc.Arbitrary<unknown>;
  readonly wrong: fc.Arbitrary<unknown>;
}

function field(operation: Operation, root: Schema, name: string, schema: Schema): Field {
  const shown = operation.examples.map((example) => (example.input as Record<string, unknown>)[name]);
  const known = shown.filter((value) => value !== undefined);
  const choices = [
    { weight: 1, arbitrary: valueOf(schema, root) },
    ...(known.length === 0 ? [] : [{ weight: 2, arbitrary: fc.constantFrom(...known) }]),
    ...(isFreeText(schema) ? [{ weight: 2, arbitrary: fc.constantFrom(...hostile.COMMON_TEXTS) }] : []),
  ];
  const right = fc.oneof(...choices);
  const wrong = fc.oneof(...bounds(schema), { weight: 3, arbitrary: nastyValue });
  return { name, isRequired: root.required?.includes(name) ?? false, right, wrong };
}

function isFreeText(schema: Schema): boolean {
  return (
    schema.type === 'string' && schema.enum === undefined && schema.pattern === undefined && schema.format === undefined
  );
}

function maybe(row: Field, value: fc.Arbitrary<unknown>): fc.Arbitrary<Member | null> {
  const member = value.map((given): Member => [row.name, given]);
  const absent = fc.constant(null);
  return row.isRequired
    ? fc.oneof({ weight: 40, arbitrary: member }, { weight: 1, arbitrary: absent })
    : fc.oneof({ weight: 2, arbitrary: member }, { weight: 5, arbitrary: absent });
}

/** Members that are dropped, given twice, unknown or out of order. */
function shape(fields: readonly Field[]): fc.Arbitrary<(members: readonly Member[]) => Member[]> {
  const names = fields.map((row) => row.name);
  const oddName = fc.constantFrom(...hostile.ODD_NAMES, ...names);
  const odd = fc.tuple(oddName, nastyText).map((member) => (members: readonly Member[]) => [...members, member]);
  const dropped = fc
    .nat()
    .map((index) => (members: readonly Member[]) => members.toSpliced(index % (members.length + 1), 1));
  const twice = fc.nat().map((index) => (members: readonly Member[]) => {
    const member = members[index % Math.max(1, members.length)];
    return member === undefined ? [['x', 1] as const] : [...members, member];
  });
  const many = fc
    .integer({ min: 90, max: 400 })
    .map((count) => (members: readonly Member[]) => [
      ...members,
      ...Array.from({ length: count }, (_, index): Member => [`n${index}`, '']),
    ]);
  const all = [odd, odd, dropped, twice, fc.constant((members: readonly Member[]) => members.toReversed())];
  return fc.oneof(...all.map((arbitrary) => ({ weight: 4, arbitrary })), { weight: 1, arbitrary: many });
}

function hugeMember(fields: readonly Field[]): fc.Arbitrary<Member> {
  return fc.tuple(fc.constantFrom('huge', ...fields.map((row) => row.name)), fc.constantFrom(...hostile.HUGE_TEXTS));
}

/** The headers that can stand for a field, with values that are right and wrong for it. */
function headersOf(operation: Operation, fields: readonly Field[]): fc.Arbitrary<Header[]> {
  const rows = Object.entries(operation.headerFields ?? {}).map(([header, name]) => {
    const row = fields.find((candidate) => candidate.name === name);
    const value = fc.oneof(row?.right ?? nastyText, fc.constantFrom('', 'x', 'x'.repeat(9_000), 'a, b'));
    return fc.option(
      value.map((given): Header => [header, headerText(given)]),
      { freq: 2, nil: undefined },
    );
  });
  return fc.tuple(...rows).map((headers) => headers.filter((header) => header !== undefined));
}

function headerText(value: unknown): string {
  return String(value)
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')
    .trim();
}

function rawQuery(fields: readonly Field[]): fc.Arbitrary<string> {
  const names = fc.constantFrom('x', ...fields.map((row) => row.name));
  const tails = fc.constantFrom(...hostile.RAW_QUERIES);
  return fc.oneof(
    tails,
    fc.tuple(names, tails).map(([name, tail]) => `${name}=${tail}`),
    fc.tuple(names, names, tails).map(([one, two, tail]) => `${one}=a&${two}${tail}`),
    fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 60 }),
  );
}

function rawBody(fields: readonly Field[]): fc.Arbitrary<string | Uint8Array> {
  const names = fc.constantFrom('x', ...fields.map((row) => row.name));
  return fc.oneof(
    fc.constantFrom(...hostile.RAW_BODIES),
    names.map((name) => `{"${name}":"a","${name}":"b"}`),
    fc
      .tuple(names, fc.integer({ min: 1, max: 9_000 }))
      .map(([name, depth]) => `{"${name}":`.repeat(depth) + '1' + '}'.repeat(depth)),
    fc
      .tuple(names, fc.uint8Array({ maxLength: 20 }))
      .map(([name, bytes]) => Buffer.concat([Buffer.from(`{"${name}":"`), bytes, Buffer.from('"}')])),
    fc.uint8Array({ maxLength: 60 }),
  );
}

const unframed = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...hostile.UNFRAMED) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 80 }).map((bytes) => () => bytes) },
);

/** Nothing is sent that would wait for others or knock at their doors. */
function inPeace([name, value]: Member): Member {
  if (name === 'wait' && typeof value === 'number' && value > 0) return [name, 0];
  return name === 'probe' && value === 'yes' ? [name, 'no'] : [name, value];
}

/** The bytes of a draft; members that an earlier answer knows take their values from it. */
export function requestOf(
  operation: Operation,
  draft: Draft,
  recalled: Readonly<Record<string, unknown>> = {},
  keys: Keys = {},
): FuzzRequest {
  const { kind } = draft;
  const fields = Object.keys(operation.input.shape);
  const lent = fields.filter((name) => recalled[name] !== undefined && recalled[name] !== null);
  const members = [
    ...draft.members.filter(([name]) => !lent.includes(name)),
    ...lent.map((name): Member => [name, recalled[name]]),
  ].map(inPeace);
  const plainPath = pathOf(operation, members);
  const path = draft.changePath?.(plainPath) ?? plainPath;
  if (draft.unread !== undefined) return unreadRequest(operation, plainPath, draft.unread);
  if (draft.unframed !== undefined) {
    const bytes = Buffer.from(draft.unframed(path) as string);
    const method = /^[A-Z]+(?= )/.exec(bytes.toString('latin1'))?.[0] ?? '';
    return { operation, kind, method, bytes, isFramed: false, members: [] };
  }
  const inPath = pathFields(operation.path);
  const ofKey = keyHeaders(operation, draft, keys);
  const inHeaders = ofKey.map(([header]) => operation.headerOnly?.[header] ?? '');
  const sent = members.filter(([name]) => !inPath.includes(name) && !inHeaders.includes(name));
  const method = draft.method ?? draft.form.toUpperCase();
  const takesBody = draft.form === 'post';
  const content = draft.rawContent ?? (takesBody ? jsonText(sent) : queryText(sent));
  const query = takesBody || content === '' ? '' : `?${content as string}`;
  const body = takesBody ? Buffer.from(content as string) : undefined;
  const head = [
    `${method} ${path}${query} HTTP/1.1`,
    ...(draft.headers.some(([name]) => name === 'host') ? [] : ['host: fuzz.example']),
    ...(body === undefined
      ? []
      : [`content-type: ${draft.contentType ?? 'application/json'}`, `content-length: ${body.length}`]),
    ...[...draft.headers, ...ofKey].map(([name, value]) => `${name}: ${value}`),
  ];
  const headBytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  const bytes = body === undefined ? headBytes : Buffer.concat([headBytes, body]);
  const { repeated } = draft;
  const told = draft.rawContent === undefined ? members : [];
  return { operation, kind, method, bytes, isFramed: true, members: told, repeated, isKeyed: ofKey.length > 0 };
}

/** The good keys that the call takes. */
function keyHeaders({ headerOnly = {} }: Operation, { isKeyed }: Draft, keys: Keys): Header[] {
  return isKeyed === true ? Object.entries(keys).filter(([header]) => header in headerOnly) : [];
}

function unreadRequest(operation: Operation, path: string, pick: number): FuzzRequest {
  const header = KEY_HEADERS[operation.access] as string;
  const lines = ['host: fuzz.example', 'content-type: application/json', `${header}: ${REFUSED_KEYS[header]}`];
  const bodies = unreadBodies(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n`);
  const { what, bytes, ...unread } = bodies[pick % bodies.length] as (typeof bodies)[number];
  return {
    operation,
    kind: `unread body: ${what}`,
    method: 'POST',
    bytes: Buffer.from(bytes, 'latin1'),
    isFramed: false,
    members: [],
    unread,
  };
}

function pathOf(operation: Operation, members: readonly Member[]): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = members.findLast(([known]) => known === name)?.[1];
    return value === undefined ? 'x' : escaped(asText(value));
  });
}

function queryText(members: readonly Member[]): string {
  const pairs = members.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => [name, item] as const),
  );
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
  return Array.from(text)
    .map((character) => (character.isWellFormed() ? encodeURIComponent(character) : surrogateBytes(character)))
    .join('');
}

function surrogateBytes(unit: string): string {
  const code = unit.charCodeAt(0);
  const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase()}`).join('');
}
