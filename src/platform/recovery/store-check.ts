import type { Clock } from '#kernel/clock.ts';
import { vkeyOf } from '#platform/keys/key-scope.ts';
import { ALL_KEYS } from '#platform/keys/key-unit.ts';
import { type AuditCheck, auditLedger } from '#platform/ledger/audit.ts';
import { logFindings } from '#platform/log/prefix-check.ts';
import { storedHead } from '#platform/log/public-log.ts';
import type { Ask } from '#platform/storage/engine.ts';
import { readingOf } from '#platform/storage/store.ts';
import { RecoveryRefused } from './recovery-refused.ts';

export interface StoreCheck {
  /** Signed checkpoints of the log that are known from elsewhere. */
  readonly notes: readonly string[];
  readonly ledgerChecks: readonly AuditCheck[];
  readonly clock: Clock;
}

const MAX_SHOWN = 5;

/** Audits log and ledger from their rows alone, whatever a head or a manifest says; refuses on the first finding. */
export async function requireSound(
  query: Ask,
  { notes, ledgerChecks, clock }: StoreCheck,
): Promise<{ origin: string; size: number; rootHex: string }> {
  const reader = { read: readingOf(query), close: async () => {} };
  const head = await storedHead(reader);
  if (head === undefined) throw new RecoveryRefused('the copy has no log');
  const keys = (await reader.read(ALL_KEYS)).filter(({ scope }) => scope === 'log-checkpoint');
  const vkeys = keys.flatMap((key) => vkeyOf(key, head.origin) ?? []);
  const ledger = await auditLedger(reader, { scope: 'full', from: null, checks: ledgerChecks });
  const findings = [
    ...(await logFindings(reader, { vkeys, notes, clock })),
    ...ledger.findings.map((finding) => `ledger: ${finding}`),
  ];
  if (findings.length === 0) return head;
  const more = findings.length > MAX_SHOWN ? `; and ${findings.length - MAX_SHOWN} more` : '';
  throw new RecoveryRefused(`${findings.slice(0, MAX_SHOWN).join('; ')}${more}`);
}
