import { shownStep } from './json-pointer.ts';
import type { FieldError } from './problem.ts';

/** More faults than any caller mends at once. */
const MAX_FAULTS = 20;
/** So many steps from the outside say where a fault is; what lies deeper is named by the last of them. */
const SHOWN_STEPS = 16;
/** Up to so many names a list is faster than a set. */
const LISTED = 8;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** An object or a list whose end has not come yet. */
interface Open {
  readonly outer: Open | undefined;
  /** How many are around it. */
  readonly depth: number;
  /** The one around it that a fault in it is named by, where it lies too deep itself. */
  readonly shown: Open | undefined;
  /** Undefined for a list. */
  readonly names: Names | undefined;
  awaitsName: boolean;
  /** The member or the item at which the reader is. */
  at: string | number;
}

/**
 * Parses JSON and names every member that an object has twice or more, of which JSON.parse would keep the last in silence,
 * and every member `__proto__`, which programs read in different ways. Throws SyntaxError for what is not JSON.
 */
export function parseExactJson(text: string): { readonly value: unknown; readonly faults: readonly FieldError[] } {
  const value: unknown = JSON.parse(text); // attacker-controlled
  return { value, faults: inexactMembers(text) };
}

/** How many members and items a text has, if it is JSON; the count ends once there are more than `most`. */
export function valuesIn(bytes: Uint8Array, most: number): number {
  let values = 1;
  for (let at = 0; at < bytes.length && values <= most; at += 1) {
    const code = bytes[at];
    if (code === QUOTE) at = endOfBytes(bytes, at + 1);
    else if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) values += 1;
  }
  return values;
}

/** The place of the quote that ends a string, or the end of a text that has none. */
function endOfBytes(bytes: Uint8Array, from: number): number {
  for (let end = bytes.indexOf(QUOTE, from); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return bytes.length;
}

/** One pass over a text that is known to be JSON. */
function inexactMembers(text: string): readonly FieldError[] {
  const faults: FieldError[] = [];
  let open: Open | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at + 1);
      if (open?.awaitsName === true && open.names !== undefined) {
        open.awaitsName = false;
        open.at = nameOf(text, at, end);
        const fault = open.names.isNew(open.at) ? forbidden(open.at) : REPEATED;
        if (fault !== undefined && faults.length < MAX_FAULTS) faults.push({ pointer: pointerTo(open), ...fault });
      }
      at = end;
    } else if (code === COMMA && open !== undefined) {
      if (open.names === undefined) open.at = (open.at as number) + 1;
      else open.awaitsName = true;
    } else if (code === OPEN_OBJECT) open = { ...placeIn(open), names: new Names(), awaitsName: true, at: '' };
    else if (code === OPEN_LIST) open = { ...placeIn(open), names: undefined, awaitsName: false, at: 0 };
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) open = open?.outer;
  }
  return faults;
}

function placeIn(outer: Open | undefined): Pick<Open, 'outer' | 'depth' | 'shown'> {
  const depth = outer === undefined ? 0 : outer.depth + 1;
  return { outer, depth, shown: depth < SHOWN_STEPS ? undefined : (outer?.shown ?? outer) };
}

const REPEATED = { code: 'repeated', detail: 'This name appears more than once.' };
const FORBIDDEN = { code: 'forbidden_name', detail: 'This name is not allowed.' };

function forbidden(name: string): typeof FORBIDDEN | undefined {
  return name === '__proto__' ? FORBIDDEN : undefined;
}

/** The place of the quote that ends a string. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

/** Names that are written in two ways are one name. */
function nameOf(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end);
  return name.includes('\\') ? (JSON.parse(text.slice(start, end + 1)) as string) : name;
}

function pointerTo(open: Open): string {
  const steps: string[] = [];
  for (let one: Open | undefined = open.shown ?? open; one !== undefined; one = one.outer)
    steps.unshift(shownStep(one.at));
  return `#${steps.join('')}`;
}

/** The names of one object. */
class Names {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  isNew(name: string): boolean {
    if (this.#many !== undefined) {
      const before = this.#many.size;
      return this.#many.add(name).size > before;
    }
    if (this.#few.includes(name)) return false;
    this.#few.push(name);
    if (this.#few.length > LISTED) this.#many = new Set(this.#few);
    return true;
  }
}
