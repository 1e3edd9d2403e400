import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { LedgerAuditor } from '#platform/ledger/auditor.ts';
import { openFoundation } from '#platform/foundation.ts';
import { LEDGER_CHECKS } from '../areas.ts';
import { type Command, UsageError } from './command.ts';

export const ledgerCommand: Command = {
  name: 'ledger',
  summary: 'audit every row of the wallets’ ledger; faults halt it, a sound ledger goes on',
  usage: 'ledger audit',
  examples: ['./avouch ledger audit'],
  async run([action, ...rest], terminal) {
    if (action !== 'audit' || rest.length > 0) throw new UsageError('ledger takes audit');
    const config = readConfig(terminal.env);
    await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
    const { store, location, appendOnly } = foundation;
    await using auditor = new LedgerAuditor({ store, location, checks: LEDGER_CHECKS });
    const { findings, checked, uptoSeq, uptoHash } = await auditor.run('full');
    for (const finding of findings) terminal.out(`${finding}\n`);
    terminal.err(`${checked} transactions, head ${uptoSeq} ${uptoHash}, append_only: ${appendOnly}\n`);
    terminal.err(findings.length === 0 ? 'ledger ok\n' : `${findings.length} findings: no money moves\n`);
    return findings.length === 0 ? 0 : 1;
  },
};
