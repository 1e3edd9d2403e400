import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '#platform/config/config.ts';
import { type TrailAnchor, trailAnchors } from '#platform/log/trail-anchor.ts';
import { verifyTrail } from '#platform/trail/verify.ts';
import { count } from './line/progress.ts';
import type { Output } from './line/output.ts';
import type { Run } from './line/spec.ts';
import { openStore } from './operator-store.ts';

interface Place {
  readonly file: string | null;
  readonly line: number | null;
}

export const verifyAuditTrail: Run = async ({ operands: [given] }, output) => {
  const config = readConfig(output.env);
  const directory = given ?? join(config.dataDir, 'trail');
  // A directory named by hand may belong to any installation: it is checked by itself.
  const anchors = given === undefined ? await knownAnchors(config, output) : [];
  using progress = output.progress('Verifying the audit trail');
  const report = await verifyTrail(directory, anchors, (done, total) => {
    progress.update({ done, total, unit: 'segments' });
  });
  progress.end();
  const { processes, anchors: compared, warnings, faults } = report;
  for (const { process, segments, lines, lost } of processes) {
    output.line(`${process}: ${segments} segments, ${lines} lines, ${lost} lost`);
  }
  const at = ({ file, line }: Place) => [file ?? directory, line].filter((part) => part !== null).join(':');
  for (const found of warnings) output.warn(`${at(found)}: ${found.detail}`);
  if (!output.isJson) for (const found of faults) output.note(`Error: ${at(found)}: ${found.code}: ${found.detail}`);
  output.line(`Anchors in the public log compared: ${compared}`);
  const lines = processes.reduce((sum, one) => sum + one.lines, 0);
  const value = { ok: report.ok, directory, processes, anchors: compared, errors: faults, warnings };
  output.result(value, `${verdict(faults.length)} Verified ${count(lines)} lines in ${progress.took}.\n`);
  return report.ok ? 0 : 1;
};

/** The heads that the public log has fixed; none where there is no database yet. */
async function knownAnchors(config: Config, output: Output): Promise<TrailAnchor[]> {
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'avouch.db'))) return [];
  await using opened = await openStore(output);
  const anchors = await trailAnchors(opened.foundation.store);
  // In SQLite nobody else can have anchored: a trail that lost its id, or was made anew, must answer for them all.
  return config.databaseUrl === null ? anchors.map((anchor) => ({ ...anchor, trail: null })) : anchors;
}

function verdict(faults: number): string {
  if (faults === 0) return 'Audit trail intact.';
  return `Audit trail broken: ${faults} ${faults === 1 ? 'error' : 'errors'}.`;
}
