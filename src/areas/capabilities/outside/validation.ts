import { Ajv2020, type Options } from 'ajv/dist/2020.js';
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
    const { rows: table } = readCsv(csv, separatorOf(csv));
    const width = table[0]?.length ?? 0;
    if (width > MAX_COLUMNS)
      return new Impossible('too_many_columns', `The CSV file has ${width} columns. The maximum is ${MAX_COLUMNS}.`);
    const columns = columnsOf(table);
    errors.push(...raggedRows(table, columns.length));
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

function schemaFaults(data: unknown, schema: unknown): DataError[] | Impossible {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateFormats: false,
    logger: false,
    code: { regExp: linearPatterns },
  });
  try {
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
    return new Impossible('schema_invalid', (error as Error).message.slice(0, 300).toWellFormed());
  }
}
