import { LedgerAuditor } from '#platform/ledger/auditor.ts';
import { LEDGER_CHECKS } from '../areas.ts';
import { count } from './line/progress.ts';
import type { Run } from './line/spec.ts';
import { openStore } from './operator-store.ts';

export const auditWalletLedger: Run = async (_given, output) => {
  await using opened = await openStore(output);
  const { store, location, appendOnly } = opened.foundation;
  await using auditor = new LedgerAuditor({ store, location, checks: LEDGER_CHECKS });
  using progress = output.progress('Auditing the ledger');
  const onProgress = (done: number, total: number) => progress.update({ done, total, unit: 'transactions' });
  const report = await auditor.run('full', undefined, progress.isShown ? onProgress : undefined);
  progress.end();
  const { findings, checked, uptoSeq, uptoHash } = report;
  const isOk = findings.length === 0;
  for (const finding of findings) output.line(finding);
  const value = { ok: isOk, findings, checked, head: { seq: uptoSeq, hash: uptoHash }, append_only: appendOnly };
  output.line(`Head: ${uptoSeq} ${uptoHash}, append_only: ${appendOnly}`);
  const verdict = isOk
    ? 'Ledger ok.'
    : `${findings.length} ${findings.length === 1 ? 'error' : 'errors'} found. Wallet payments are paused.`;
  output.result(value, `${verdict} Audited ${count(checked)} transactions in ${progress.took}.\n`);
  return isOk ? 0 : 1;
};
