import { asciiJson, asciiOf } from './ascii-bytes.ts';
import { keptNames, keptText } from './redact.ts';

/** The fields of an entry that the ends of its line are made of. */
export type ShapeFields = {
  readonly op: string;
  readonly method?: string | undefined;
  readonly status?: number | undefined;
  /** Names of the parameters as sent; never their values. */
  readonly params?: readonly string[] | undefined;
  readonly code?: string | null | undefined;
};

/** The two ends of a line, which hardly differ between calls of one operation. */
export type LineShape = {
  /** `"op":…,"method":…,"status":…` */
  readonly start: Uint8Array;
  /** `,"params":…,"code":…}` with the newline. */
  readonly end: Uint8Array;
};

type KnownShape = LineShape & Omit<ShapeFields, 'op'>;

// The operations are a closed table; the limit only keeps a mistake of the caller from growing the map for ever.
const MAX_SHAPES = 512;
const shapes = new Map<string, KnownShape>();

/** The ends of the line of this entry; those of the last call of the operation are used again where they fit. */
export function shapeOf(entry: ShapeFields): LineShape {
  const known = shapes.get(entry.op);
  if (known !== undefined && fits(known, entry)) return known;
  if (shapes.size >= MAX_SHAPES) shapes.clear();
  const { op, method, status, params, code } = entry;
  const start = asciiJson({ op: keptText(op), method: method && keptText(method), status }).slice(1, -1);
  const end = asciiJson({ params: params && keptNames(params), code: code && keptText(code) });
  const shape = {
    start: asciiOf(start),
    end: asciiOf(end === '{}' ? '}\n' : `,${end.slice(1)}\n`),
    ...{ method, status, params: params && [...params], code },
  };
  shapes.set(op, shape);
  return shape;
}

function fits(known: KnownShape, entry: ShapeFields): boolean {
  return (
    known.status === entry.status &&
    known.method === entry.method &&
    known.code === entry.code &&
    isSameList(known.params, entry.params)
  );
}

function isSameList(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}
