import { AttestationError, type AttestationErrorCode } from './attestation-error.ts';
import { isAttestationId } from './attestation-id.ts';
import {
  CLEAR_SCHEMA_IDS,
  HANDSHAKE_ORIGINS,
  type LeafEntry,
  MARK_KINDS,
  ORIGIN_SCHEMA_ID,
  RELEASE_OUTCOMES,
  type SealEntry,
} from './leaf-entry.ts';
import { isUtcMilliseconds } from './utc-text.ts';

type Holds = (value: unknown) => boolean;
type Shape = ReadonlyMap<string, Holds>;
type Members = Readonly<Record<string, unknown>>;

/** Far more than any schema asks for. */
const MAX_OBSERVATIONS = 64;
/** 16 bytes in base64url: the last digit carries two bits. */
const NONCE = /^[A-Za-z0-9_-]{21}[AQgw]$/;
/** What a register may put into the public log: a code, never text. */
const REGISTER_CODE = /^[A-Za-z0-9_.:-]{1,64}$/;

const matches = (form: RegExp) => (value: unknown) => typeof value === 'string' && form.test(value);
const among = (values: readonly unknown[]) => (value: unknown) => values.includes(value);
const orNull = (holds: Holds) => (value: unknown) => value === null || holds(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isSha256Hex = matches(/^[0-9a-f]{64}$/);

export const isNonce = matches(NONCE);
export const isRegisterCode = matches(REGISTER_CODE);

const COMMON: readonly (readonly [string, Holds])[] = [
  ['nonce', isNonce],
  ['sandbox', among([true, false])],
  ['sealed_at', isUtcMilliseconds],
  ['type', among(['seal', 'mark', 'release'])],
  ['v', among([1])],
];

const OBSERVATION: Shape = new Map<string, Holds>([
  ['code', orNull(isRegisterCode)],
  ['commitment', isSha256Hex],
  ['observed_at', isUtcMilliseconds],
  ['source', matches(/^[a-z][a-z0-9_]{0,63}$/)],
  ['status', among(['answered', 'not_found', 'error'])],
]);

const SEAL: Shape = new Map<string, Holds>([
  ...COMMON,
  ['bundle_root', orNull(isSha256Hex)],
  ['claim', isMembers],
  ['claim_commitment', orNull(isSha256Hex)],
  ['code', orNull(matches(/^[a-z]+(?:_[a-z]+)*$/))],
  ['corrects', orNull(isAttestationId)],
  ['evidence_class', among(['R', 'A', 'C'])],
  ['fee_eurocents', isCount],
  ['follows_up', orNull(isAttestationId)],
  ['observations', (value) => Array.isArray(value) && value.length <= MAX_OBSERVATIONS],
  ['origin', among(HANDSHAKE_ORIGINS)],
  ['schema_digest', isSha256Hex],
  ['schema_id', matches(/^[a-z]+(?:\.[a-z]+)*\.v[1-9][0-9]*$/)],
  ['verdict', among(['ACCEPT', 'REJECT'])],
]);

const MARK: Shape = new Map<string, Holds>([...COMMON, ['claim_commitment', isSha256Hex], ['kind', among(MARK_KINDS)]]);

const RELEASE: Shape = new Map<string, Holds>([
  ...COMMON,
  ['claim_commitment', isSha256Hex],
  ['fence', isCount],
  ['outcome', orNull(among(RELEASE_OUTCOMES))],
]);

const SHAPES: ReadonlyMap<unknown, Shape> = new Map([
  ['seal', SEAL],
  ['mark', MARK],
  ['release', RELEASE],
]);
/** What only some seals have. */
const OPTIONAL: ReadonlySet<string> = new Set(['claim', 'origin']);

/** Throws unless the value is an entry of this version, whole, well-formed, its names in the order of RFC 8785. */
export function requireLeafEntry(value: unknown): asserts value is LeafEntry {
  // attacker-controlled: every name and value
  ensure(isMembers(value), 'leaf_not_json', 'an entry is a JSON object');
  ensure(value['v'] === 1, 'leaf_version_unknown', 'v is not 1');
  const shape = SHAPES.get(value['type']);
  ensure(shape !== undefined, 'leaf_type_unknown', 'type is none of seal, mark, release');
  requireShape(value, shape);
  if (value['type'] !== 'seal') return;
  for (const seen of value['observations'] as readonly unknown[]) {
    ensure(isMembers(seen), 'leaf_field_invalid', 'observations');
    requireShape(seen, OBSERVATION);
  }
  requireConsistentSeal(value as unknown as SealEntry);
}

function requireShape(value: Members, shape: Shape): void {
  let before = '';
  let optional = 0;
  const names = Object.keys(value);
  for (const name of names) {
    const holds = shape.get(name);
    ensure(holds !== undefined, 'leaf_field_unknown', 'a name that no entry of this type has');
    ensure(holds(value[name]), 'leaf_field_invalid', name);
    ensure(before < name, 'leaf_not_canonical', name);
    before = name;
    if (OPTIONAL.has(name)) optional++;
  }
  const required = shape.size - (shape === SEAL ? OPTIONAL.size : 0);
  ensure(names.length - optional === required, 'leaf_field_missing', 'a name that every entry of this type has');
}

/** What holds between the fields of a seal, by the text of the protocol alone. */
export function requireConsistentSeal(entry: SealEntry): void {
  const isClear = entry.claim !== undefined;
  ensure((entry.verdict === 'ACCEPT') === (entry.code === null), 'leaf_inconsistent', 'verdict and code');
  ensure(isClear === CLEAR_SCHEMA_IDS.has(entry.schema_id), 'leaf_inconsistent', 'claim');
  ensure(isClear === (entry.claim_commitment === null), 'leaf_inconsistent', 'claim_commitment');
  const hasOrigin = entry.origin !== undefined;
  ensure(hasOrigin === (entry.schema_id === ORIGIN_SCHEMA_ID), 'leaf_inconsistent', 'origin');
  ensure((entry.bundle_root === null) === (entry.observations.length === 0), 'leaf_inconsistent', 'bundle_root');
  const isObservedBefore = entry.observations.every((seen) => seen.observed_at <= entry.sealed_at);
  ensure(isObservedBefore, 'leaf_inconsistent', 'observed_at');
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ensure(holds: boolean, code: AttestationErrorCode, place: string): asserts holds {
  if (!holds) throw new AttestationError(code, place);
}
