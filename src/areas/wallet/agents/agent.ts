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

/** What is written of an agent whose owner is gone. */
export const ERASED = { name: 'erased', ownerEmail: '', isOwnerVerified: false, status: 'suspended' } as const;

/** Nobody can use the wallet of such an agent any more: it has neither an owner nor a key in force. */
export function isErased(agent: Agent | undefined, keys: readonly AgentKey[]): boolean {
  return agent?.ownerEmail === '' && !keys.some((key) => key.ownerId === agent.id && key.revokedAtMs === null);
}
