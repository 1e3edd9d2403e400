import type { Given } from './line/spec.ts';
import { OPERATION_OPTIONS } from './specs/operation-options.ts';

/** The fields of the operation that options gave, in the types that they have there. */
export function fieldsGiven(id: string, { values }: Given): Record<string, unknown> {
  const members = (OPERATION_OPTIONS[id] ?? []).flatMap(({ name, number }) => {
    const value = values[name];
    if (value === undefined) return [];
    return [[name.replaceAll('-', '_'), number === undefined ? value : Number(value)] as const];
  });
  return Object.fromEntries(members);
}
