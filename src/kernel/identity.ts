import { z } from 'zod';

/** Why the signature of a call is not verified. */
export const IDENTITY_REASONS = [
  'header_malformed',
  'tag_missing',
  'coverage',
  'member_not_covered',
  'expired',
  'not_yet_valid',
  'window_too_long',
  'alg',
  'key_unknown',
  'signature',
  'test_key',
  'digest',
  'directory_pending',
  'directory_unreachable',
  'directory_invalid',
  'type_unsupported',
] as const;
export type IdentityReason = (typeof IDENTITY_REASONS)[number];

export const IDENTITY_STATES = ['absent', 'verified', 'unverified', 'invalid'] as const;
type IdentityState = (typeof IDENTITY_STATES)[number];

/** `request`: the signature is for this method, address, query and body. `origin`: for any request to this service. */
export const IDENTITY_STRENGTHS = ['request', 'origin'] as const;

/** Who signed a call: the URL of a directory and a key that it publishes. Both together, never the key alone. */
export interface VerifiedIdentity {
  readonly agentUrl: string;
  readonly keyid: string;
  readonly strength: (typeof IDENTITY_STRENGTHS)[number];
}

/** What is known of the signature of a call. */
export interface IdentityVerdict {
  readonly state: IdentityState;
  readonly reasons: readonly IdentityReason[];
  readonly verified: VerifiedIdentity | null;
}

/** All that a signer may want to know of its signature. */
export interface IdentityDetails extends IdentityVerdict {
  /** Directory that the signature names. */
  readonly agentUrl: string | null;
  readonly keyid: string | null;
  readonly covered: readonly string[];
  readonly baseSha256: string | null;
  readonly directory: { readonly fetchedAtMs: number; readonly keys: number } | null;
}

/** The signature of a call; a call without one has none. It shows who calls and allows nothing. */
export interface CallIdentity {
  readonly verdict: IdentityVerdict;
  /** Waits for what is not known yet, and is fetched for the caller with this address tag. */
  details(caller: string): Promise<IdentityDetails>;
}

const Identity = z
  .strictObject({
    scheme: z.literal('web-bot-auth'),
    state: z.enum(IDENTITY_STATES),
    reason: z.enum(IDENTITY_REASONS).optional(),
    agent_url: z.string().optional().meta({ description: 'Directory that publishes the key. Only if verified.' }),
    keyid: z.string().optional(),
    strength: z.enum(IDENTITY_STRENGTHS).optional(),
  })
  .meta({ id: 'Identity' });

export const identityField = Identity.optional().meta({
  description: 'Who signed the request (Web Bot Auth). Only with a signature. It identifies and authorises nothing.',
});

type ShownIdentity = z.output<typeof Identity>;

/** The member by which an answer shows its caller who signed the call. */
export function shownIdentity(identity: CallIdentity | undefined): { identity?: ShownIdentity } {
  if (identity === undefined || identity.verdict.state === 'absent') return {};
  const { state, reasons, verified } = identity.verdict;
  if (verified !== null) return signedBy(verified);
  const [reason] = reasons;
  return { identity: { scheme: 'web-bot-auth', state, ...(reason !== undefined && { reason }) } };
}

/** The member by which others see who signed: nothing but a verified identity. */
export function signedBy(verified: VerifiedIdentity | null): { identity?: ShownIdentity } {
  if (verified === null) return {};
  const { agentUrl, keyid, strength } = verified;
  return { identity: { scheme: 'web-bot-auth', state: 'verified', agent_url: agentUrl, keyid, strength } };
}
