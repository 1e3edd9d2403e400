import { mulDivUp, upTo } from '#kernel/decimal.ts';
import { AmountOverflow, type Bom, type BomLine, MAX_LEVELS } from './bom.ts';

export type Explosion =
  | { readonly type: 'ordered' /** Children before parents. */; readonly order: readonly number[] }
  | { readonly type: 'cycle'; readonly path: readonly string[] }
  | { readonly type: 'too_deep' };

const NEW = 0;
const ON_STACK = 1;
const DONE = 2;

/** Walks all parts under the root. A stack of its own: a chain of 100,000 parts must not end the process. */
export function explode({ root, parts }: Bom): Explosion {
  const state = new Uint8Array(parts.length);
  const nextLine = new Uint32Array(parts.length);
  const order: number[] = [];
  const stack = [root];
  state[root] = ON_STACK;
  while (stack.length > 0) {
    const at = stack.at(-1) as number;
    const line = parts[at]?.make?.lines[nextLine[at] as number];
    nextLine[at] = (nextLine[at] as number) + 1;
    if (line === undefined) {
      state[at] = DONE;
      order.push(at);
      stack.pop();
    } else if (state[line.part] === NEW) {
      state[line.part] = ON_STACK;
      stack.push(line.part);
    } else if (state[line.part] === ON_STACK) {
      const path = [...stack.slice(stack.indexOf(line.part)), line.part];
      return { type: 'cycle', path: path.map((part) => parts[part]?.id as string) };
    }
  }
  return levels(parts, order) > MAX_LEVELS ? { type: 'too_deep' } : { type: 'ordered', order };
}

function levels(parts: Bom['parts'], order: readonly number[]): number {
  const level = new Uint32Array(parts.length);
  let most = 0;
  for (const at of order) {
    let below = 0;
    for (const line of parts[at]?.make?.lines ?? []) below = Math.max(below, level[line.part] as number);
    level[at] = below + 1;
    most = Math.max(most, below + 1);
  }
  return most;
}

export interface Requirements {
  /** What must be made or bought of each part after own stock, in thousandths. */
  readonly net: Float64Array;
  /** Parts that may stand in for one on every line that needs it, the best liked first. */
  readonly alternates: ReadonlyMap<number, readonly number[]>;
}

/** What is needed of each part over the whole tree: parents first, each part once. */
export function requirements(
  { root, parts }: Bom,
  order: readonly number[],
  { quantity, includeOptional }: { readonly quantity: number; readonly includeOptional: boolean },
): Requirements {
  const net = new Float64Array(parts.length);
  const uses = new Map<number, BomLine[]>();
  net[root] = quantity;
  for (let i = order.length - 1; i >= 0; i -= 1) {
    const at = order[i] as number;
    const { make, stock } = parts[at] as Bom['parts'][number];
    const needed = Math.max(0, (net[at] as number) - stock);
    net[at] = needed;
    if (make === null || needed === 0) continue;
    for (const line of make.lines) {
      if (line.optional && !includeOptional) continue;
      const isEach = parts[line.part]?.unit === 'each';
      const gross = (net[line.part] as number) + lineNeed(line, needed, isEach);
      if (!Number.isSafeInteger(gross)) throw new AmountOverflow(line.part);
      net[line.part] = gross;
      const ofPart = uses.get(line.part);
      if (ofPart === undefined) uses.set(line.part, [line]);
      else ofPart.push(line);
    }
  }
  return { net, alternates: sharedAlternates(uses, parts) };
}

/** Whole pieces, or thousandths of another unit: rounded up once, then to the multiple of the line. */
function lineNeed({ qty, scrap, setup, rounding }: BomLine, net: number, isEach: boolean): number {
  const step = isEach ? 1_000 : 1;
  const [factor, unit] = scrap === 0 ? [1, 1_000] : [100_000 + scrap, 100_000_000];
  const product = qty * net * factor + setup * unit;
  // Three factors pass 2^53 soon; only then is it counted in BigInt.
  const need =
    product <= Number.MAX_SAFE_INTEGER
      ? mulDivUp(product, 1, unit * step) * step
      : bigNeed(BigInt(qty) * BigInt(net) * BigInt(factor) + BigInt(setup) * BigInt(unit), BigInt(unit * step)) * step;
  return rounding > 0 ? upTo(need, rounding) : need;
}

function bigNeed(exact: bigint, per: bigint): number {
  return Number((exact + per - 1n) / per);
}

/** What one line allows and another does not cannot replace the part, whose need is bought as one. */
function sharedAlternates(
  uses: ReadonlyMap<number, readonly BomLine[]>,
  parts: Bom['parts'],
): ReadonlyMap<number, readonly number[]> {
  const shared = new Map<number, readonly number[]>();
  const idOf = (part: number) => parts[part]?.id as string;
  for (const [part, lines] of uses) {
    const [first, ...others] = lines;
    if (first === undefined || first.alternates.length === 0) continue;
    const allowed = first.alternates.filter((one) => others.every(({ alternates }) => alternates.includes(one)));
    const rank = (one: number) => Math.min(...lines.map(({ alternates }) => alternates.indexOf(one)));
    if (allowed.length === 0) continue;
    shared.set(
      part,
      allowed.toSorted((a, b) => rank(a) - rank(b) || (idOf(a) < idOf(b) ? -1 : 1)),
    );
  }
  return shared;
}
