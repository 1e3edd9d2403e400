import type { Cell, Row } from '#platform/storage/store.ts';

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

export interface AgentKey {
  readonly hash: string;
  readonly keyId: string;
  readonly agentId: string;
  readonly scopes: readonly string[];
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

export function agentOf(row: Row): Agent {
  return {
    id: row['id'] as string,
    name: row['name'] as string,
    ownerEmail: row['owner_email'] as string,
    isOwnerVerified: row['owner_verified'] === 1,
    status: row['status'] as Agent['status'],
    addressTag: row['addr'] as string,
    createdAtMs: row['created_at'] as number,
  };
}

export function agentRow({ id, name, ownerEmail, isOwnerVerified, status, addressTag, createdAtMs }: Agent): Cell[] {
  return [id, name, ownerEmail, isOwnerVerified ? 1 : 0, status, addressTag, createdAtMs];
}

export function keyOf(row: Row): AgentKey {
  return {
    hash: row['key_sha256'] as string,
    keyId: row['key_id'] as string,
    agentId: row['agent_id'] as string,
    scopes: (row['scopes'] as string).split(' '),
    createdAtMs: row['created_at'] as number,
    lastUsedAtMs: row['last_used_at'] as number | null,
    revokedAtMs: row['revoked_at'] as number | null,
  };
}

export function keyRow({ hash, keyId, agentId, scopes, createdAtMs, lastUsedAtMs, revokedAtMs }: AgentKey): Cell[] {
  return [hash, keyId, agentId, scopes.join(' '), createdAtMs, lastUsedAtMs, revokedAtMs];
}
