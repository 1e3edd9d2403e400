import { diagnose, type DoctorResult } from './doctor/check.ts';
import { gatherFacts } from './doctor/gather.ts';
import { INSTALLATION_CHECKS } from './doctor/installation-checks.ts';
import { SETTING_CHECKS } from './doctor/setting-checks.ts';
import type { Run } from './line/spec.ts';

export const CHECKS = [...SETTING_CHECKS, ...INSTALLATION_CHECKS];

export const doctor: Run = async (_given, output) => {
  const results = diagnose(CHECKS, await gatherFacts(output.env, output.patience));
  const count = (status: DoctorResult['status']) => results.filter((result) => result.status === status).length;
  const counts = { ok: count('ok'), warn: count('warn'), fail: count('fail'), not_checked: count('not_checked') };
  const told = [
    `${counts.ok} passed`,
    many(counts.warn, 'warning'),
    many(counts.fail, 'failure'),
    `${counts.not_checked} not checked`,
  ];
  output.result({ ...counts, checks: results }, `${results.map(lineOf).join('')}${told.join(', ')}\n`);
  return counts.fail === 0 ? 0 : 1;
};

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** The finding, then the fix. */
function lineOf({ id, status, detail, cure }: DoctorResult): string {
  const start = `${(status === 'not_checked' ? '-' : status).padEnd(4)} ${id.padEnd(15)}`;
  if (status === 'not_checked') return `${start} Not checked: ${detail}\n`;
  return `${start} ${[detail, cure].filter((text) => text !== '').join(' ')}\n`;
}
