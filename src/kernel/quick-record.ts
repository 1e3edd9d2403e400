import type { z } from 'zod';

/**
 * The record, which takes an object of good members as it is. Zod takes microseconds for each member, and a body may have
 * thousands: it sees only the objects in which something is wrong, and says what.
 * @param isGood agrees with what the record says of names and values
 */
export function quickRecord<R extends z.ZodRecord>(record: R, isGood: (name: string, value: unknown) => boolean): R {
  const parse = record._zod.parse.bind(record._zod);
  const quick: typeof parse = (payload, context) =>
    areGood(payload.value, isGood) ? payload : parse(payload, context);
  Object.assign(record._zod, { parse: quick, run: quick });
  return record;
}

function areGood(value: unknown, isGood: (name: string, value: unknown) => boolean): boolean {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  const members = value as Readonly<Record<string, unknown>>;
  // Not by entries: of an object with thousands they take three times as long.
  return Object.keys(members).every((name) => name !== '__proto__' && isGood(name, members[name]));
}
