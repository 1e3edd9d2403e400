import { sha256Hex } from '#kernel/ids.ts';
import { Ap2Error, malformed } from '#protocol/ap2/ap2-error.ts';
import { jwkThumbprint, type P256Jwk, readP256Jwk } from '#protocol/ap2/es256.ts';
import {
  type Constraints,
  OPEN_CHECKOUT,
  type OpenMandate,
  readDelegated,
  readOpenMandate,
} from '#protocol/ap2/payment-mandate.ts';
import { isHop, isSignedBy } from '#protocol/ap2/presentation.ts';
import { readSdJwt, type SdJwt, sha256Base64url } from '#protocol/ap2/sd-jwt.ts';
import { type Ap2Roots, trustedKey } from '#protocol/ap2/trust.ts';
import type { Assurance } from '../handshake.ts';
import { type MappedFields, mappedFields, type ShownConstraint, shownConstraints } from './mapping.ts';

export interface Ap2Import {
  readonly open_payment_mandate: string;
  readonly user_jwk?: unknown;
  readonly open_checkout_mandate?: string | undefined;
}

/** What is kept of an imported mandate beside its body. */
export interface ImportedMandate {
  readonly rootSha256: string;
  readonly userJwk: P256Jwk;
  readonly agentJwk: P256Jwk;
  readonly fields: MappedFields;
  readonly constraints: Constraints;
  readonly preset: OpenMandate['preset'];
  readonly shown: readonly ShownConstraint[];
}

export interface ReadImport {
  readonly imported: ImportedMandate;
  readonly assurance: Exclude<Assurance, 'unsigned'>;
  /** Names the open mandate, however often and with whatever signature it comes: each of them makes one budget. */
  readonly openKeys: readonly string[];
}

export type SignatureFault = 'signature_invalid' | 'key_missing';

/** Reads and verifies an open payment mandate; a signature that does not fit is a value, everything else throws. */
export function readImport(given: Ap2Import, roots: Ap2Roots, nowMs: number): ReadImport | SignatureFault {
  const root = readSdJwt(given.open_payment_mandate, 'open_payment_mandate');
  if (isHop(root)) throw malformed('open_payment_mandate must be signed by the user, not by a delegate.');
  const trusted = trustedKey(root.header, roots, nowMs);
  const userJwk = trusted ?? givenKey(given);
  const open = readOpenMandate(root, 'open_payment_mandate');
  if (userJwk === undefined) return 'key_missing';
  if (!isSignedBy(root, userJwk)) return 'signature_invalid';
  const isReferenceChecked = checkReference(open.constraints, given.open_checkout_mandate);
  const fields = mappedFields(open, nowMs);
  return {
    imported: {
      rootSha256: sha256Hex(root.jwt),
      userJwk,
      agentJwk: open.agentJwk,
      fields,
      constraints: open.constraints,
      preset: open.preset,
      shown: shownConstraints(open.constraints, fields, isReferenceChecked),
    },
    assurance: trusted === undefined ? 'principal_signed' : 'issuer_trusted',
    openKeys: openKeysOf(root, open),
  };
}

function givenKey({ user_jwk: jwk }: Ap2Import): P256Jwk | undefined {
  return jwk === undefined ? undefined : inField('user_jwk', () => readP256Jwk(jwk, 'user_jwk'));
}

/** What is wrong with this member is not the fault of the payment mandate. */
function inField<T>(field: keyof Ap2Import, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Ap2Error ? new Ap2Error(error.code, error.message, field) : error;
  }
}

function openKeysOf({ signed }: SdJwt, { digest }: OpenMandate): readonly string[] {
  return [`root ${sha256Hex(signed)}`, `open ${digest}`];
}

/** The principal where nobody names one. */
export function principalOf({ userJwk }: ImportedMandate): { readonly name: string; readonly ref: string } {
  return { name: 'AP2 user', ref: `jkt:${jwkThumbprint(userJwk)}` };
}

/** True where the open checkout mandate came along and is the one that the payment is for. */
function checkReference(constraints: Constraints, checkout: string | undefined): boolean {
  const reference = constraints['payment.reference'];
  if (reference === undefined)
    throw new Ap2Error('ap2_reference', 'The open payment mandate must have payment.reference.');
  if (checkout === undefined) return false;
  const field = 'open_checkout_mandate';
  inField(field, () => readDelegated(readSdJwt(checkout, field), OPEN_CHECKOUT, field));
  if (sha256Base64url(checkout) === reference) return true;
  throw new Ap2Error('ap2_reference', `${field} is not the one that payment.reference names.`, field);
}
