import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { type TrailAnchor, trailAnchors } from '#platform/log/trail-anchor.ts';
import { verifyTrail } from '#platform/trail/verify.ts';
import { openFoundation } from '#platform/foundation.ts';
import { type Command, UsageError } from './command.ts';

interface Place {
  readonly file: string | null;
  readonly line: number | null;
}

export const auditTrailCommand: Command = {
  name: 'audit-trail',
  summary: 'check that no line of the audit trail was changed, removed or reordered',
  usage: 'audit-trail verify [directory]',
  examples: ['./avouch audit-trail verify', './avouch audit-trail verify /backup/trail'],
  async run([action, given, ...rest], terminal) {
    if (action !== 'verify' || rest.length > 0) throw new UsageError('audit-trail takes verify and a directory');
    const config = readConfig(terminal.env);
    const directory = given ?? join(config.dataDir, 'trail');
    // A directory named by hand may belong to any installation: it is checked by itself.
    const anchors = given === undefined ? await knownAnchors(config, terminal.patience) : [];
    const report = await verifyTrail(directory, anchors);
    for (const { process, segments, lines, lost } of report.processes) {
      terminal.out(`${process}: ${segments} segments, ${lines} lines, ${lost} lost\n`);
    }
    const at = ({ file, line }: Place) => [file ?? directory, line].filter((part) => part !== null).join(':');
    for (const found of report.warnings) terminal.err(`warning: ${at(found)}: ${found.detail}\n`);
    for (const found of report.faults) terminal.err(`fault: ${at(found)}: ${found.code}: ${found.detail}\n`);
    terminal.out(`anchors of the public log compared: ${anchors.length}\n${verdict(report.faults.length)}\n`);
    return report.ok ? 0 : 1;
  },
};

/** The heads that the public log has fixed; none where there is no database yet. */
async function knownAnchors(config: Config, patience = 1): Promise<TrailAnchor[]> {
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'avouch.db'))) return [];
  await using foundation = await openFoundation({ config, secrets: readSecrets(config), patience }, false);
  // Awaited here: the store is closed when this function ends.
  return await trailAnchors(foundation.store);
}

function verdict(faults: number): string {
  if (faults === 0) return 'the chain holds';
  return `the chain is broken: ${faults} ${faults === 1 ? 'fault' : 'faults'}`;
}
