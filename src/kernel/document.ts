export type Scalar = string | number | boolean | null;
export type Json = Scalar | readonly Json[] | { readonly [name: string]: Json | undefined };
type Members = readonly (readonly [name: string, value: Json])[];

/** How a document reads to people. Members that it does not name get their own name as words. */
export interface DocumentWording {
  /** Titles of parts, and labels of members and columns, by the name of the member. */
  readonly labels?: Readonly<Record<string, string>>;
  /** What a part is for, in a sentence under its title. */
  readonly notes?: Readonly<Record<string, string>>;
  /** Parts that map a name to a value, each with the labels of its two columns. */
  readonly maps?: Readonly<Record<string, readonly [name: string, value: string]>>;
  /** Members that the head of the page says already. */
  readonly hides?: readonly string[];
  /** Leaves out plain members without a value. */
  readonly hidesEmpty?: true;
}

const URL_TEXT = /^https?:\/\/[^\s<>"'`|\\]+$/;
/** What Markdown or a reader of it would take for more than letters. */
const MARKED = /[\\`*_[\]<>#|~$&!{}]|^\s|\s$|^[-+=\d]|^$/;

/** A document as Markdown. Texts that hold signs of Markdown stand as code, so that none becomes a heading or a link. */
export function documentMarkdown(document: object, title: string): string {
  const [plain, nested] = partition(entriesOf(document as Json));
  const parts = nested.map(([name, value]) => `## ${name}\n\n${block(value)}`);
  return [`# ${title}`, plain.map(([name, value]) => `- ${name}: ${scalar(value)}`).join('\n'), ...parts]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function block(value: Json): string {
  const table = Array.isArray(value) ? tableOf(value) : undefined;
  if (table === undefined) return bullets(value, '');
  const rowOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    rowOf(table.names),
    rowOf(table.names.map(() => '---')),
    ...table.rows.map((row) => rowOf(row.map((cell) => (cell === undefined ? '' : inCell(scalar(cell)))))),
  ].join('\n');
}

function bullets(value: Json, indent: string): string {
  const named: Members | undefined = Array.isArray(value) ? undefined : entriesOf(value);
  const items = named ?? (value as readonly Json[]).map((item, index) => [String(index + 1), item] as const);
  return items
    .map(([name, item]) => {
      if (!isScalar(item)) {
        const inner = bullets(item, `${indent}  `);
        return `${indent}- ${name}:${inner === '' ? ' none' : `\n${inner}`}`;
      }
      return `${indent}- ${named === undefined ? '' : `${name}: `}${scalar(item)}`;
    })
    .join('\n');
}

function scalar(value: Scalar): string {
  const text = String(value);
  if (typeof value !== 'string' || URL_TEXT.test(text) || !(MARKED.test(text) || text.includes('\n'))) return text;
  const oneLine = text.replaceAll('\n', ' ');
  const longest = Math.max(0, ...(oneLine.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 || oneLine === '' ? `${fence} ${oneLine} ${fence}` : `${fence}${oneLine}${fence}`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

export function isScalar(value: Json): value is Scalar {
  return typeof value !== 'object' || value === null;
}

export function entriesOf(value: Json): Members {
  return Object.entries(value as Record<string, Json | undefined>).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined,
  );
}

function partition(entries: Members): [plain: (readonly [string, Scalar])[], nested: Members] {
  const plain = entries.flatMap(([name, value]) => (isScalar(value) ? [[name, value] as const] : []));
  return [plain, entries.filter(([, value]) => !isScalar(value))];
}

/** Rows of which no member is more than a word or a number; undefined for anything else. */
function tableOf(items: readonly Json[]): { names: string[]; rows: (Scalar | undefined)[][] } | undefined {
  if (items.length === 0 || items.some((item) => isScalar(item) || Array.isArray(item))) return undefined;
  const rows = items as readonly Readonly<Record<string, Scalar>>[];
  if (rows.some((row) => Object.values(row).some((value) => !isScalar(value)))) return undefined;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { names, rows: rows.map((row) => names.map((name) => row[name])) };
}
