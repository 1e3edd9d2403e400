import { join } from 'node:path';
import { readConfig } from '#config/config.ts';
import { verifyTrail } from '#trail/verify.ts';
import { type Command, UsageError } from './command.ts';

interface Place {
  readonly file: string | null;
  readonly line: number | null;
}

export const auditTrail: Command = {
  name: 'audit-trail',
  summary: 'check that no line of the audit trail was changed, removed or reordered',
  usage: 'audit-trail verify [directory]',
  examples: ['./avouch audit-trail verify', './avouch audit-trail verify /backup/trail'],
  async run([action, given, ...rest], terminal) {
    if (action !== 'verify' || rest.length > 0) throw new UsageError('audit-trail takes verify and a directory');
    const directory = given ?? join(readConfig(terminal.env).dataDir, 'trail');
    const report = await verifyTrail(directory);
    for (const { process, segments, lines, lost } of report.processes) {
      terminal.out(`${process}: ${segments} segments, ${lines} lines, ${lost} lost\n`);
    }
    const at = ({ file, line }: Place) => [file ?? directory, line].filter((part) => part !== null).join(':');
    for (const found of report.warnings) terminal.err(`warning: ${at(found)}: ${found.detail}\n`);
    for (const found of report.faults) terminal.err(`fault: ${at(found)}: ${found.code}: ${found.detail}\n`);
    terminal.out(`${verdict(report.faults.length)}\n`);
    return report.ok ? 0 : 1;
  },
};

function verdict(faults: number): string {
  if (faults === 0) return 'the chain holds';
  return `the chain is broken: ${faults} ${faults === 1 ? 'fault' : 'faults'}`;
}
