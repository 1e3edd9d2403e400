import { join } from 'node:path';
import { readConfig } from '#config/config.ts';
import { verifyTrail } from '#trail/verify.ts';
import { type Command, UsageError } from './command.ts';

export const auditTrail: Command = {
  name: 'audit-trail',
  summary: 'check that no line of the audit trail was changed, removed or reordered',
  usage: 'audit-trail verify [directory]',
  examples: ['./avouch audit-trail verify', './avouch audit-trail verify /backup/trail'],
  async run([action, directory, ...rest], terminal) {
    if (action !== 'verify' || rest.length > 0) throw new UsageError('audit-trail takes verify and a directory');
    const report = await verifyTrail(directory ?? join(readConfig(terminal.env).dataDir, 'trail'));
    for (const { process, segments, lines, lost } of report.processes) {
      terminal.out(`${process}: ${segments} segments, ${lines} lines, ${lost} lost\n`);
    }
    for (const { file, line, detail } of report.warnings) terminal.err(`warning: ${file}:${line}: ${detail}\n`);
    for (const { file, line, code, detail } of report.faults) {
      terminal.err(`fault: ${file}:${line}: ${code}: ${detail}\n`);
    }
    terminal.out(report.ok ? 'the chain holds\n' : `the chain is broken in ${report.faults.length} places\n`);
    return report.ok ? 0 : 1;
  },
};
