import { loadMigrations, type Migration } from '#storage/migrate.ts';

/** Who has tables, and where they are made; in this order. */
const OWNERS = [
  ['storage', 'storage/migrations/'],
  ['keys', 'keys/migrations/'],
  ['settlement', 'payments/settlement-migrations/'],
  ['log', 'log/migrations/'],
  ['ledger', 'ledger/migrations/'],
  ['mail', 'mail/migrations/'],
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
  ['lessons', 'areas/lessons/migrations/'],
  ['rules', 'areas/rules/migrations/'],
  ['tasks', 'areas/tasks/migrations/'],
  ['cabinet', 'areas/cabinet/migrations/'],
  ['payments', 'payments/migrations/'],
] as const;

/** Every migration of the service. */
export async function allMigrations(): Promise<Migration[]> {
  const owned = OWNERS.map(([owner, folder]) => loadMigrations(owner, new URL(folder, import.meta.url)));
  return (await Promise.all(owned)).flat();
}
