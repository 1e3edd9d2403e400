import { parseExactJson } from '#kernel/exact-json.ts';
import type { FieldError } from '#kernel/problem.ts';
import type { AttestationSchema } from './attestation-schema.ts';
import { type ClaimFaultCode, EXACT_INTEGERS, fault, pointerInto, unknownMembers } from './field-rule.ts';

/** More than any claim nests, and half of what canonical JSON takes. */
const MAX_DEPTH = 32;
/** More faults than any caller mends at once. */
const MAX_FAULTS = 20;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export type ParsedBody =
  | { readonly ok: true; readonly value: unknown; readonly faults: readonly FieldError[] }
  /** Not JSON at all. */
  | { readonly ok: false; readonly faults: readonly FieldError[] };

/**
 * Parses the body of a seal. `faults` names everything in it that would not come back from the log as it was sent:
 * members that are given twice, numbers that JSON.parse rounds, lone surrogates, the name __proto__.
 */
export function parseClaimBody(body: string | Uint8Array): ParsedBody {
  try {
    const text = typeof body === 'string' ? body : utf8.decode(body); // attacker-controlled
    const { value, faults } = parseExactJson(text);
    const repeated = faults.filter(({ code }) => code === 'repeated');
    return { ok: true, value, faults: [...repeated, ...sourceFaults(text, value)] };
  } catch {
    return { ok: false, faults: [fault('#', 'malformed_json', 'Must be one JSON value in UTF-8.')] };
  }
}

/** Only a value with numbers in it is parsed a second time with a reviver, which costs four times a plain parse. */
function sourceFaults(text: string, value: unknown): readonly FieldError[] {
  const found = look(value, '#');
  if (!found.hasNumber || found.isTooDeep) return found.faults;
  return look(JSON.parse(text, markRounded as (name: string, value: unknown) => unknown), '#').faults;
}

/** Stands in the place of a number whose digits say something else than its value. */
const ROUNDED = Symbol('rounded');

function markRounded(_name: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined) return value;
  return Number.isInteger(value) && !isWholeDecimal(context.source) ? ROUNDED : value;
}

const DECIMAL = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** True when the digits of a JSON number denote an integer, also as 1.0 or 120e-1. */
function isWholeDecimal(source: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(source) ?? [];
  const significant = (whole + fraction).replace(/0+$/, '');
  const droppedZeros = whole.length + fraction.length - significant.length;
  return significant === '' || Number(exponent) - fraction.length + droppedZeros >= 0;
}

/** The same for a value that did not come as text; there the digits of a number are already gone. */
export function valueFaults(value: unknown, pointer = '#'): readonly FieldError[] {
  return look(value, pointer).faults;
}

interface Found {
  readonly faults: FieldError[];
  hasNumber: boolean;
  isTooDeep: boolean;
}

/** Where a value stands: its pointer is written only when there is a fault to name. */
interface Place {
  readonly outer: Place | string;
  readonly step: string;
  readonly depth: number;
}

function pointerTo(place: Place | string): string {
  return typeof place === 'string' ? place : pointerInto(pointerTo(place.outer), place.step);
}

function look(value: unknown, pointer: string): Found {
  const found: Found = { faults: [], hasNumber: false, isTooDeep: false };
  visit(found, value, pointer);
  return found;
}

function visit(found: Found, value: unknown, place: Place | string): void {
  if (typeof value === 'object' && value !== null) return visitMembers(found, value, place);
  if (typeof value === 'number') found.hasNumber = true;
  const wrong = scalarFault(value);
  if (wrong !== null) found.faults.push(fault(pointerTo(place), ...wrong));
}

function scalarFault(value: unknown): readonly [ClaimFaultCode, string] | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : ['lone_surrogate', 'Must be Unicode text.'];
  if (typeof value === 'boolean' || value === null) return null;
  if (value === ROUNDED)
    return ['number_not_exact', 'This number is read as a different one. Use fewer digits, or send it as text.'];
  if (typeof value !== 'number') return ['wrong_type', 'Must be a JSON value.'];
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isExact ? null : ['number_not_exact', EXACT_INTEGERS];
}

function visitMembers(found: Found, value: object, place: Place | string): void {
  const depth = typeof place === 'string' ? 1 : place.depth + 1;
  if (depth > MAX_DEPTH) {
    found.isTooDeep = true;
    found.faults.push(fault(pointerTo(place), 'nested_too_deep', `Nested deeper than ${MAX_DEPTH} levels.`));
    return;
  }
  for (const step of Object.keys(value)) {
    if (found.faults.length >= MAX_FAULTS) return;
    const inner: Place = { outer: place, step, depth };
    if (step === '__proto__') found.faults.push(fault(pointerTo(inner), 'forbidden_name', 'This name is not allowed.'));
    if (!step.isWellFormed())
      found.faults.push(fault(pointerTo(inner), 'lone_surrogate', 'The name is not Unicode text.'));
    visit(found, (value as Readonly<Record<string, unknown>>)[step], inner);
  }
}

/** Names what makes a claim malformed under its schema. A claim without faults is judged and sealed, ACCEPT or REJECT. */
export function claimFaults(schema: AttestationSchema, claim: unknown, pointer = '#/claim'): readonly FieldError[] {
  if (claim === undefined) return [fault(pointer, 'missing', 'This field is required.')];
  if (typeof claim !== 'object' || claim === null || Array.isArray(claim)) {
    return [fault(pointer, 'wrong_type', 'Must be of type object.')];
  }
  const faults = unknownMembers(claim, (name) => Object.hasOwn(schema.fields, name), pointer);
  for (const [name, rule] of Object.entries(schema.fields)) {
    const value = (claim as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) faults.push(...rule(value, `${pointer}/${name}`));
  }
  return faults.slice(0, MAX_FAULTS);
}
