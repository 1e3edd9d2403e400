// JSON that is written by hand: with a member that an object could not hold twice, and with its members in another order.
import { shownStep } from '#kernel/json-pointer.ts';

type Member = readonly [name: string, value: unknown];

interface Place {
  readonly pointer: string;
  readonly name: string;
}

/** A member somewhere in the value, at any depth, is written twice; the pointer is the one that a refusal must name. */
export function repeatedMember(
  members: readonly Member[],
  pick: number,
  isEscaped: boolean,
): { readonly text: string; readonly pointer: string } {
  const given = members.length === 0 ? [['x', 1] as const] : members;
  const places = placesIn(given, '#');
  const { pointer } = places[pick % places.length] as Place;
  return { text: written(given, '#', { pointer, isEscaped }), pointer };
}

/** The same members in the opposite order, in every object of the value. */
export function inOppositeOrder(members: readonly Member[]): Member[] {
  return members.toReversed().map(([name, value]) => [name, reordered(value)]);
}

function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  return isObject(value) ? Object.fromEntries(inOppositeOrder(Object.entries(value))) : value;
}

/** Every member of every object; of one that is cut short by its pointer only those that have a pointer of their own. */
function placesIn(members: readonly Member[], at: string): Place[] {
  return members.flatMap(([name, value]) => {
    const pointer = `${at}${shownStep(name)}`;
    return [{ pointer, name }, ...placesInValue(value, pointer)];
  });
}

function placesInValue(value: unknown, at: string): Place[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => placesInValue(item, `${at}${shownStep(index)}`));
  return isObject(value) ? placesIn(Object.entries(value), at) : [];
}

interface Repeated {
  readonly pointer: string;
  readonly isEscaped: boolean;
}

function written(members: readonly Member[], at: string, repeated: Repeated): string {
  const texts = members.flatMap(([name, value]) => {
    const pointer = `${at}${shownStep(name)}`;
    const text = valueText(value, pointer, repeated);
    const once = `${JSON.stringify(name)}:${text}`;
    if (pointer !== repeated.pointer) return [once];
    return [once, `${repeated.isEscaped ? escapedName(name) : JSON.stringify(name)}:${text}`];
  });
  return `{${texts.join(',')}}`;
}

function valueText(value: unknown, at: string, repeated: Repeated): string {
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => valueText(item, `${at}${shownStep(index)}`, repeated)).join(',')}]`;
  }
  return isObject(value) ? written(Object.entries(value), at, repeated) : (JSON.stringify(value) ?? 'null');
}

/** The same name to whoever reads JSON, with other bytes: `\u0061` for `a`. */
function escapedName(name: string): string {
  const units = Array.from({ length: name.length }, (_, index) => name.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
