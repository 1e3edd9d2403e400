import { shownStep } from '#kernel/json-pointer.ts';
import type { FieldError } from '#kernel/problem.ts';
import { isAttestationId } from './attestation-id.ts';

export type ClaimFaultCode =
  | ('missing' | 'wrong_type' | 'unknown_parameter' | 'not_an_integer' | 'not_allowed' | 'wrong_format' | 'too_long')
  | ('malformed_json' | 'number_not_exact' | 'lone_surrogate' | 'forbidden_name' | 'nested_too_deep');

/** Names every fault of a field that is given; what a check judges under a reject code of its own is no fault. */
export type FieldRule = (value: unknown, pointer: string) => readonly FieldError[];

export const EXACT_INTEGERS = 'Whole numbers must be between -(2^53-1) and 2^53-1.';

export function fault(pointer: string, code: ClaimFaultCode, detail: string): FieldError {
  return { pointer, code, detail };
}

/** A JSON pointer as a URI fragment (RFC 6901 section 6), one step further. Names come from the caller and are cut. */
export function pointerInto(pointer: string, step: string | number): string {
  return `${pointer}${shownStep(step)}`;
}

/** A field that a check of the schema judges whatever its type: it never makes a claim malformed. */
export const judged: FieldRule = () => [];

export const textRule: FieldRule = (value, pointer) =>
  typeof value === 'string' ? [] : [fault(pointer, 'wrong_type', 'Must be of type string.')];

export const truth: FieldRule = (value, pointer) =>
  typeof value === 'boolean' ? [] : [fault(pointer, 'wrong_type', 'Must be of type boolean.')];

export const integerRule: FieldRule = (value, pointer) => {
  if (typeof value !== 'number') return [fault(pointer, 'wrong_type', 'Must be of type integer.')];
  if (!Number.isInteger(value)) return [fault(pointer, 'not_an_integer', 'Must be a whole number.')];
  return Number.isSafeInteger(value) ? [] : [fault(pointer, 'number_not_exact', EXACT_INTEGERS)];
};

/** The form of a link only: whether the entry exists is for the log to say. */
export const linkRule: FieldRule = (value, pointer) => {
  if (typeof value !== 'string') return textRule(value, pointer);
  return isAttestationId(value) ? [] : [fault(pointer, 'wrong_format', 'Must be an attestation_id.')];
};

export function oneOf(values: readonly string[]): FieldRule {
  return (value, pointer) => {
    if (typeof value !== 'string') return textRule(value, pointer);
    return values.includes(value) ? [] : [fault(pointer, 'not_allowed', `Must be one of ${values.join(', ')}.`)];
  };
}

export function shortTexts({ maxItems, maxLength }: { maxItems: number; maxLength: number }): FieldRule {
  return (value, pointer) => {
    if (!Array.isArray(value)) return [fault(pointer, 'wrong_type', 'Must be of type array.')];
    if (value.length > maxItems) return [fault(pointer, 'too_long', `Use at most ${maxItems} items.`)];
    return value.flatMap((item: unknown, i) => {
      if (typeof item !== 'string') return textRule(item, pointerInto(pointer, i));
      if (!isLongerThan(item, maxLength)) return [];
      return [fault(pointerInto(pointer, i), 'too_long', `Use at most ${maxLength} characters.`)];
    });
  };
}

/** Names the members that an object may not have. */
export function unknownMembers(value: object, known: (name: string) => boolean, pointer: string): FieldError[] {
  const strange = Object.keys(value).filter((name) => !known(name));
  return strange.map((name) =>
    fault(pointerInto(pointer, name), 'unknown_parameter', 'This is not a field of this claim.'),
  );
}

/** Compares the length as JSON Schema counts it: in Unicode code points, not in UTF-16 units. */
export function isLongerThan(value: string, maxCodePoints: number): boolean {
  if (value.length <= maxCodePoints) return false;
  let excess = value.length - maxCodePoints;
  for (let i = 0; i + 1 < value.length && excess > 0; i++) {
    // A pair counts once.
    if ((value.codePointAt(i) as number) > 0xffff) {
      excess--;
      i++;
    }
  }
  return excess > 0;
}
