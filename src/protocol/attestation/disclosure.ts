import { type ClaimCommitment, claimCommitmentOf, commitClaim, commitValue, saltOf } from './commitment.ts';
import type { FieldCommitments } from './commitment.ts';
import type { Claim } from './schema-document.ts';

const SALT_HEX = /^[0-9a-f]{64}$/;
const COMMITMENT_HEX = /^[0-9a-f]{64}$/;

/** Fields that a holder shows, each with its salt in hex. */
type DisclosedFields = Readonly<Record<string, { readonly value: unknown; readonly salt: string }>>;

export interface Disclosure {
  readonly commitments: FieldCommitments;
  readonly disclosed: DisclosedFields;
}

export type DisclosureCheck =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** `commitments_mismatch`: the map is not the one in the leaf. Others are about one field. */
      readonly code: 'malformed' | 'commitments_mismatch' | 'field_not_committed' | 'value_mismatch';
      readonly field: string | null;
    };

/** What a holder hands over to show some fields of a claim and nothing of the others. */
export function disclose(claim: Claim, seed: Uint8Array, fields: readonly string[]): Disclosure {
  const { fields: commitments }: ClaimCommitment = commitClaim(claim, seed);
  const shown = fields.map((field) => {
    if (!Object.hasOwn(claim, field)) throw new TypeError('a field that the claim does not have cannot be shown');
    return [field, { value: claim[field], salt: Buffer.from(saltOf(seed, field)).toString('hex') }] as const;
  });
  return { commitments, disclosed: Object.fromEntries(shown) };
}

/** Says whether the shown values are those of the sealed claim. Every member may come from anybody. */
export function checkDisclosure(claimCommitment: string, { commitments, disclosed }: Disclosure): DisclosureCheck {
  // attacker-controlled: names and texts of both maps
  for (const [field, commitment] of Object.entries(commitments)) {
    if (!isHex(commitment, COMMITMENT_HEX) || !field.isWellFormed()) return { ok: false, code: 'malformed', field };
  }
  if (claimCommitmentOf(commitments) !== claimCommitment)
    return { ok: false, code: 'commitments_mismatch', field: null };
  for (const [field, shown] of Object.entries(disclosed)) {
    if (!isHex(shown?.salt, SALT_HEX)) return { ok: false, code: 'malformed', field };
    if (!Object.hasOwn(commitments, field)) return { ok: false, code: 'field_not_committed', field };
    if (commitmentOf(shown) !== commitments[field]) return { ok: false, code: 'value_mismatch', field };
  }
  return { ok: true };
}

function isHex(text: unknown, form: RegExp): boolean {
  return typeof text === 'string' && form.test(text);
}

/** Null for a value that has no canonical form, which nobody can have committed to. */
function commitmentOf({ value, salt }: { readonly value: unknown; readonly salt: string }): string | null {
  try {
    return commitValue(value, Buffer.from(salt, 'hex'));
  } catch {
    return null;
  }
}
