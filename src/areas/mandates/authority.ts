import { refuseFields } from '#kernel/general-problems.ts';
import { Refusal } from '#kernel/problem.ts';
import { signingFaults } from './input-rules.ts';
import type { RevokeInput } from './mandate-operations.ts';
import * as problems from './problems.ts';
import { hashOfControl, mandateRefusal } from './refusals.ts';
import { isSignedBy, type SignedDeed } from './signatures.ts';
import type { Authority, Mandate } from './state.ts';

/** By what a call says that it comes from the principal. */
export type Signing = Pick<RevokeInput, 'mandate_id' | 'control_token' | 'principal_signature' | 'nonce' | 'at'>;

interface Desk {
  readonly nowMs: number;
  readonly mandateOf: (id: string) => Promise<Mandate | undefined>;
}

/** Whether the caller is the principal: by its signature over exactly this, or by the control token. */
export async function authorityOf(
  input: Signing,
  signed: SignedDeed,
  { nowMs, mandateOf }: Desk,
): Promise<{ mandate: Mandate; authority: Authority; nonceKey: string | null } | Refusal> {
  const { principal_signature: signature, control_token: token, nonce, at } = input;
  const faults = signature === undefined ? [] : signingFaults(input, nowMs);
  if (faults.length > 0) return refuseFields(faults);
  const control = signature === undefined ? hashOfControl(token) : undefined;
  if (control instanceof Refusal) return control;
  const mandate = await mandateOf(input.mandate_id);
  if (mandate === undefined) return mandateRefusal('mandate_not_found');
  if (signature === undefined) {
    return { mandate, authority: { by: 'control', controlHash: control as string }, nonceKey: null };
  }
  const pubkey = mandate.body.principal_pubkey;
  if (pubkey === undefined || at === undefined || !isSignedBy(pubkey, signed, signature)) {
    return new Refusal(problems.signatureInvalid, { detail: 'principal_signature does not match this mandate.' });
  }
  return { mandate, authority: { by: 'principal' }, nonceKey: `${pubkey} ${nonce}` };
}
