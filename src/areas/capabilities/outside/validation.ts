import { Ajv2020, type FuncKeywordDefinition, type Options } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { readCsv } from '#kernel/csv.ts';
import { columnsOf, duplicatesIn, recordsOf, separatorOf } from '../document/csv-profile.ts';
import { Impossible, type DataError, type HeavyResults, type HeavyTasks, type Profile } from '../heavy/heavy-tasks.ts';

const MAX_ERRORS = 100;
const MAX_COLUMNS = 10_000;

export async function validate({
  data,
  csv,
  schema,
}: HeavyTasks['validation']): Promise<HeavyResults['validation'] | Impossible> {
  const errors: DataError[] = [];
  let profile: Profile | null = null;
  let value = data;
  if (csv !== undefined) {
    const { rows: table, isWhole } = readCsv(csv, separatorOf(csv));
    const width = table[0]?.length ?? 0;
    if (width > MAX_COLUMNS)
      return new Impossible('too_many_columns', `The CSV file has ${width} columns. The maximum is ${MAX_COLUMNS}.`);
    const columns = columnsOf(table);
    if (!isWhole) errors.push({ pointer: '', code: 'quote_unclosed', detail: 'A quoted cell is not closed.' });
    errors.push(...repeatedNames(columns), ...raggedRows(table, columns.length));
    profile = { rows: Math.max(0, table.length - 1), duplicate_rows: duplicatesIn(table), columns };
    if (schema !== undefined) value = recordsOf(table, columns);
  }
  if (schema !== undefined) {
    const found = schemaFaults(value, schema);
    if (found instanceof Impossible) return found;
    errors.push(...found);
  }
  return { valid: errors.length === 0, errors: errors.slice(0, MAX_ERRORS), profile };
}

/** Columns that records would lose: a record has one value of a name. */
function repeatedNames(columns: Profile['columns']): DataError[] {
  const places = new Map<string, number>();
  return columns.flatMap(({ name }, index) => {
    const first = places.get(name);
    if (first === undefined) places.set(name, index + 1);
    return first === undefined
      ? []
      : [{ pointer: '', code: 'column_repeated', detail: `Column ${index + 1} has the same name as column ${first}.` }];
  });
}

function raggedRows(table: readonly (readonly string[])[], width: number): DataError[] {
  const faults: DataError[] = [];
  for (const [index, row] of table.entries()) {
    if (row.length === width) continue;
    faults.push({
      pointer: `/${index - 1}`,
      code: 'cells',
      detail: `The row has ${row.length} cells, but the header has ${width}.`,
    });
    if (faults.length >= MAX_ERRORS) break;
  }
  return faults;
}

type PatternEngine = NonNullable<NonNullable<Options['code']>['regExp']>;

/**
 * Patterns of callers take time in proportion to the text: JavaScript's own go back and forth for hours on a few characters.
 * What only they can do, as looking ahead and referring back, is not taken.
 */
const linearPatterns: PatternEngine = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern };
  },
  { code: 'linearPatterns' },
);

/** The text that equal JSON values have in common, whatever the order and the names of their members. */
function equalText(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** In the place of those of Ajv, which compare by `constructor` and `valueOf`, and every item with every other. */
const EQUALITY: readonly FuncKeywordDefinition[] = [
  {
    keyword: 'const',
    error: { message: 'must be equal to constant' },
    compile: (constant: unknown) => {
      const wanted = equalText(constant);
      return (value: unknown) => equalText(value) === wanted;
    },
  },
  {
    keyword: 'enum',
    schemaType: 'array',
    error: { message: 'must be equal to one of the allowed values' },
    compile: (allowed: readonly unknown[]) => {
      const texts = new Set(allowed.map(equalText));
      return (value: unknown) => texts.has(equalText(value));
    },
  },
  {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    compile: (isAsked: boolean) => (items: readonly unknown[]) =>
      !isAsked || new Set(items.map(equalText)).size === items.length,
  },
];

function schemaFaults(data: unknown, schema: unknown): DataError[] | Impossible {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateFormats: false,
    logger: false,
    // What every object has is no member of the data.
    ownProperties: true,
    code: { regExp: linearPatterns },
  });
  for (const definition of EQUALITY) ajv.removeKeyword(definition.keyword as string).addKeyword(definition);
  for (const known of [ajv.schemas, ajv.refs]) Object.setPrototypeOf(known, null);
  try {
    if (JSON.stringify(schema).includes('"__proto__":')) {
      return new Impossible('schema_invalid', 'The schema has a member __proto__, which is not supported.');
    }
    const check = ajv.compile(schema as object);
    // Its answer would come later, and count as yes until then.
    if ('$async' in check) return new Impossible('schema_invalid', 'The schema uses $async, which is not supported.');
    if (check(data)) return [];
    return (check.errors ?? []).slice(0, MAX_ERRORS).map(({ instancePath, keyword, message = '' }) => ({
      pointer: instancePath.toWellFormed(),
      code: keyword,
      detail: message.slice(0, 300).toWellFormed(),
    }));
  } catch (error) {
    const isDeep = error instanceof RangeError;
    const detail = isDeep ? 'The schema, or the data by it, is nested too deeply.' : (error as Error).message;
    return new Impossible('schema_invalid', detail.slice(0, 300).toWellFormed());
  }
}
