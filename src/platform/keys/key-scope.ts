import { DAY_MS } from '#kernel/clock.ts';
import { parseBase64 } from '#protocol/log-text.ts';
import { C2SP_COSIGNATURE_ML_DSA_44, C2SP_NOTE_ED25519, formatVkey, noteKey } from '#protocol/note-key.ts';
import type { KeyAlgorithm } from './key-file.ts';

export type PublicScope = 'log-checkpoint' | 'log-receipt' | 'receipts';

interface ScopeRule {
  readonly algorithm: KeyAlgorithm;
  /** How documents and declarations name the scope; null for a key that only its own directory publishes. */
  readonly publicScope: PublicScope | null;
  /** Type of its note key; null for a key that signs no notes. */
  readonly noteType: typeof C2SP_NOTE_ED25519 | typeof C2SP_COSIGNATURE_ML_DSA_44 | null;
  /** How long the old key goes on signing beside its successor. */
  readonly overlapMs: number;
  /** The release that brought the scope makes its first key also for a database that has others. */
  readonly isNew: boolean;
}

/** What the service signs. `log-cosign` is the post-quantum key of the log, beside the one of `log-checkpoint`. */
export const SCOPE_RULES = {
  receipts: { algorithm: 'ed25519', publicScope: 'receipts', noteType: null, overlapMs: 0, isNew: false },
  'log-checkpoint': {
    algorithm: 'ed25519',
    publicScope: 'log-checkpoint',
    noteType: C2SP_NOTE_ED25519,
    overlapMs: 30 * DAY_MS,
    isNew: false,
  },
  'log-cosign': {
    algorithm: 'ml-dsa-44',
    publicScope: 'log-checkpoint',
    noteType: C2SP_COSIGNATURE_ML_DSA_44,
    overlapMs: 0,
    isNew: true,
  },
  'http-signature': { algorithm: 'ed25519', publicScope: null, noteType: null, overlapMs: 0, isNew: true },
  'log-receipt': { algorithm: 'ed25519', publicScope: 'log-receipt', noteType: null, overlapMs: 0, isNew: true },
} as const satisfies Record<string, ScopeRule>;

export type KeyScope = keyof typeof SCOPE_RULES;
export const KEY_SCOPES = Object.keys(SCOPE_RULES) as readonly KeyScope[];

interface PublicPart {
  readonly scope: KeyScope;
  /** Raw, base64. */
  readonly publicKey: string;
}

/** The C2SP verifier key under the log's name; null for a key that signs no notes. */
export function vkeyOf({ scope, publicKey }: PublicPart, origin: string): string | null {
  const { noteType } = SCOPE_RULES[scope];
  const bytes = parseBase64(publicKey);
  if (noteType === null || bytes === undefined) return null;
  return formatVkey(noteKey(origin, noteType, bytes));
}

/** How documents name its scope; null for a key that the log does not declare. */
export function publicScopeOf({ scope }: Pick<PublicPart, 'scope'>): ScopeRule['publicScope'] {
  return SCOPE_RULES[scope].publicScope;
}

/** How a declaration names the key. */
export function declaredName(key: PublicPart, origin: string): string {
  return vkeyOf(key, origin) ?? key.publicKey;
}
