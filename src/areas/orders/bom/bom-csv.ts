import { readCsv } from '#kernel/csv.ts';
import type { FieldError } from '#kernel/problem.ts';
import { isClean, UNCLEAN } from '#kernel/text-field.ts';
import { quantityOf } from './bom-input.ts';

const COLUMNS = ['part', 'mpn', 'qty', 'refs', 'level', 'scrap_pct'];
const MAX_FAULTS = 20;
/** The root of a list without levels. */
const FLAT_ROOT = 'BOM';

interface CsvLine {
  readonly part: string;
  readonly qty: string;
  readonly refs?: string;
  readonly scrap_pct?: string;
}

interface CsvPart {
  readonly id: string;
  readonly mpn: string;
  /** As the part was spelled out first. */
  lines: CsvLine[] | undefined;
}

/** A bill of materials in the form of the JSON body, from rows with a part, a quantity and, where nested, a level. */
export function csvBom(text: string): { readonly bom: object } | { readonly faults: readonly FieldError[] } {
  const faults: FieldError[] = [];
  const fault: Fault = (pointer, code, detail) => {
    if (faults.length < MAX_FAULTS) faults.push({ pointer, code, detail });
  };
  const { rows, isWhole } = readCsv(text);
  if (!isWhole) return { faults: [{ pointer: '#', code: 'wrong_format', detail: 'A quoted cell is not closed.' }] };
  const [header = [], ...body] = rows;
  const names = header.map((name) => name.trim().toLowerCase());
  judgeColumns(names, fault);
  if (body.length === 0) fault('#/rows', 'too_short', 'Must have at least one row below the header row.');
  if (faults.length > 0) return { faults };

  const isNested = names.includes('level');
  const parts = new Map<string, CsvPart>();
  /** The part of each level above the row, with the lines that this place spells out. */
  const open: { readonly part: CsvPart; readonly lines: CsvLine[] }[] = [];
  const closeTo = (level: number) => {
    for (const { part, lines } of open.splice(level)) {
      if (lines.length === 0) continue;
      if (part.lines !== undefined && JSON.stringify(part.lines) !== JSON.stringify(lines)) {
        fault('#/rows', 'part_duplicate', `${part.id} appears twice with different lines.`);
      }
      part.lines ??= lines;
    }
  };
  const openPart = (id: string, mpn: string) => {
    const part = parts.get(id) ?? { id, mpn, lines: undefined };
    parts.set(id, part);
    open.push({ part, lines: [] });
  };
  if (!isNested) openPart(FLAT_ROOT, FLAT_ROOT);
  body.forEach((cells, index) => {
    const at = `#/rows/${index + 1}`;
    const cell = (name: string) => (cells[names.indexOf(name)] ?? '').trim();
    const mpn = cell('mpn') || cell('part');
    const id = cell('part') || mpn;
    if (!isClean(mpn)) return fault(`${at}/${cell('mpn') ? 'mpn' : 'part'}`, UNCLEAN.code, UNCLEAN.detail);
    const level = isNested ? Number(/^\d{1,3}$/.test(cell('level')) ? cell('level') : -1) : 1;
    if (id === '') return fault(`${at}/part`, 'missing', 'This cell is required.');
    if (level < 0 || level > open.length || (level === 0) !== (isNested && index === 0)) {
      return fault(
        `${at}/level`,
        'level_invalid',
        'The first row must be level 0. Every later row must be at least 1 and at most one level deeper than the row before.',
      );
    }
    const scrap = cell('scrap_pct');
    if (level > 0 && (quantityOf(cell('qty')) ?? 0) === 0) {
      fault(`${at}/qty`, 'quantity_invalid', 'Must be a decimal number above 0 with at most 3 decimals.');
    }
    if (scrap !== '' && quantityOf(scrap) === null) {
      fault(`${at}/scrap_pct`, 'quantity_invalid', 'Must be a decimal number with at most 3 decimals.');
    }
    closeTo(level);
    const line = {
      part: id,
      qty: cell('qty'),
      ...(cell('refs') && { refs: cell('refs') }),
      ...(scrap && { scrap_pct: scrap }),
    };
    open.at(-1)?.lines.push(line);
    openPart(id, mpn);
  });
  closeTo(0);
  if (faults.length > 0) return { faults };
  const root = parts.keys().next().value as string;
  const listed = [...parts.values()].map(({ id, mpn, lines }) =>
    lines === undefined ? { id, mpn } : { id, make: { lines } },
  );
  return { bom: { root, parts: listed } };
}

type Fault = (pointer: string, code: string, detail: string) => void;

function judgeColumns(names: readonly string[], fault: Fault): void {
  names.forEach((name, at) => {
    if (!COLUMNS.includes(name)) fault(`#/rows/0/${at}`, 'unknown_parameter', `Must be one of ${COLUMNS.join(', ')}.`);
  });
  if (!names.includes('part') && !names.includes('mpn'))
    fault('#/rows/0', 'missing', 'A column part or mpn is required.');
  if (!names.includes('qty')) fault('#/rows/0', 'missing', 'A column qty is required.');
}
