import { loadMigrations, type Migration } from '#platform/storage/migrate.ts';

/** Who has tables, and where they are made; in this order. */
const OWNERS = [
  ['storage', 'platform/storage/migrations/'],
  ['keys', 'platform/keys/migrations/'],
  ['settlement', 'platform/payments/settlement-migrations/'],
  ['log', 'platform/log/migrations/'],
  ['ledger', 'platform/ledger/migrations/'],
  ['mail', 'platform/mail/migrations/'],
  ['attestation', 'areas/attestation/migrations/'],
  ['bounties', 'areas/bounties/migrations/'],
  ['audits', 'areas/audits/migrations/'],
  ['verdicts', 'areas/verdicts/migrations/'],
  ['briefs', 'areas/briefs/migrations/'],
  ['crossing', 'areas/crossing/migrations/'],
  ['data', 'areas/data/migrations/'],
  ['discovery', 'areas/discovery/migrations/'],
  ['mandates', 'areas/mandates/migrations/'],
  ['wallet', 'areas/wallet/migrations/'],
  ['capabilities', 'areas/capabilities/migrations/'],
  ['orders', 'areas/orders/migrations/'],
  ['look', 'areas/crossing/look-migrations/'],
  ['lessons', 'areas/tasks/lessons/migrations/'],
  ['rules', 'platform/usage-rules/migrations/'],
  ['tasks', 'areas/tasks/migrations/'],
  ['cabinet', 'areas/cabinet/migrations/'],
  ['payments', 'platform/payments/migrations/'],
] as const;

/** Every migration of the service. */
export async function allMigrations(): Promise<Migration[]> {
  const owned = OWNERS.map(([owner, folder]) => loadMigrations(owner, new URL(folder, import.meta.url)));
  return (await Promise.all(owned)).flat();
}
