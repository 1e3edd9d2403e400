import type { RegisteredKey } from '#kernel/key-registry.ts';

/** What every key may do. */
export const ORDINARY_SCOPES = ['wallet:spend', 'tasks:write'] as const;
/** Granted by the operator alone; the first only to the founder. */
export const FOUNDER_SCOPE = 'github:write';
export const RESTRICTED_SCOPES = [FOUNDER_SCOPE, 'internal:tools'] as const;
export const SCOPES = [...ORDINARY_SCOPES, ...RESTRICTED_SCOPES] as const;
export type Scope = (typeof SCOPES)[number];

export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly ownerEmail: string;
  readonly isOwnerVerified: boolean;
  readonly status: 'active' | 'suspended';
  readonly addressTag: string;
  readonly createdAtMs: number;
}

export interface AgentKey extends RegisteredKey {
  readonly scopes: readonly string[];
}
