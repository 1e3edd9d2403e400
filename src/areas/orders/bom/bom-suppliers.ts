import type { Option } from './bom-buy.ts';

/** The best option of each supplier for one part. */
export type OptionsBySupplier = ReadonlyMap<string, Option>;

interface Standing {
  readonly supplier: string;
  readonly count: number;
  readonly sumMicro: number;
}

/**
 * Covers the parts with few suppliers, greedily: the one that covers most of what is left, of equals the cheaper, takes
 * all that it covers. Returns the option of each part.
 */
export function fewestSuppliers(parts: readonly OptionsBySupplier[]): Option[] {
  const covers = new Map<string, { parts: number[]; count: number; sumMicro: number }>();
  parts.forEach((options, part) => {
    for (const [supplier, { totalMicro }] of options) {
      const one = covers.get(supplier) ?? { parts: [], count: 0, sumMicro: 0 };
      one.parts.push(part);
      one.count += 1;
      one.sumMicro += totalMicro;
      covers.set(supplier, one);
    }
  });
  const chosen = new Array<Option | undefined>(parts.length);
  const heap = new Heap([...covers].map(([supplier, { count, sumMicro }]) => ({ supplier, count, sumMicro })));
  for (let top = heap.pop(); top !== undefined; top = heap.pop()) {
    const { supplier } = top;
    const now = covers.get(supplier) as { parts: number[]; count: number; sumMicro: number };
    if (now.count === 0) continue;
    // Others have taken of it since it was weighed: it is weighed again.
    if (now.count < top.count) {
      heap.push({ supplier, count: now.count, sumMicro: now.sumMicro });
      continue;
    }
    for (const part of now.parts) {
      if (chosen[part] !== undefined) continue;
      chosen[part] = parts[part]?.get(supplier) as Option;
      for (const [other, { totalMicro }] of parts[part] as OptionsBySupplier) {
        const less = covers.get(other) as { count: number; sumMicro: number };
        less.count -= 1;
        less.sumMicro -= totalMicro;
      }
    }
  }
  return chosen as Option[];
}

function comesFirst(a: Standing, b: Standing): boolean {
  if (a.count !== b.count) return a.count > b.count;
  if (a.sumMicro !== b.sumMicro) return a.sumMicro < b.sumMicro;
  return a.supplier < b.supplier;
}

/** A binary heap: a hundred thousand suppliers must not take a look at each other for every part. */
class Heap {
  readonly #items: Standing[] = [];

  constructor(items: readonly Standing[]) {
    for (const item of items) this.push(item);
  }

  push(item: Standing): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!comesFirst(item, items[parent] as Standing)) break;
      items[at] = items[parent] as Standing;
      at = parent;
    }
    items[at] = item;
  }

  pop(): Standing | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && comesFirst(items[child + 1] as Standing, items[child] as Standing)) child += 1;
      if (!comesFirst(items[child] as Standing, last)) break;
      items[at] = items[child] as Standing;
      at = child;
    }
    items[at] = last;
    return top;
  }
}
