import { diagnose, type DoctorResult } from './doctor/check.ts';
import { gatherFacts } from './doctor/gather.ts';
import { INSTALLATION_CHECKS } from './doctor/installation-checks.ts';
import { SETTING_CHECKS } from './doctor/setting-checks.ts';
import { givenArguments } from './arguments.ts';
import { type Command, UsageError } from './command.ts';

const USAGE_ERROR = 'doctor takes --json';

export const CHECKS = [...SETTING_CHECKS, ...INSTALLATION_CHECKS];

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'check settings, keys, clock, disk, database and backups, ask who is needed, and suggest fixes',
  usage: 'doctor [--json]',
  examples: ['./avouch doctor', './avouch doctor --json'],
  async run(args, terminal) {
    const { positionals, flags } = givenArguments(args, { flags: ['json'] }, USAGE_ERROR);
    if (positionals.length > 0) throw new UsageError(USAGE_ERROR);
    const results = diagnose(CHECKS, await gatherFacts(terminal.env, terminal.patience));
    const count = (status: DoctorResult['status']) => results.filter((result) => result.status === status).length;
    const counts = { ok: count('ok'), warn: count('warn'), fail: count('fail'), not_checked: count('not_checked') };
    if (flags.has('json')) terminal.out(`${JSON.stringify({ ...counts, checks: results })}\n`);
    else for (const result of results) terminal.out(lineOf(result));
    const told = [
      `${counts.ok} ok`,
      many(counts.warn, 'warning'),
      many(counts.fail, 'failure'),
      `${counts.not_checked} not checked`,
    ];
    terminal.err(`${told.join(', ')}\n`);
    return counts.fail === 0 ? 0 : 1;
  },
};

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** The finding, and what to do about it. */
function lineOf({ id, status, detail, cure }: DoctorResult): string {
  const start = `${(status === 'not_checked' ? '-' : status).padEnd(4)} ${id.padEnd(15)}`;
  if (status === 'not_checked') return `${start} not checked: ${detail}\n`;
  return `${start} ${detail}${cure === '' ? '' : `: ${cure}`}\n`;
}
