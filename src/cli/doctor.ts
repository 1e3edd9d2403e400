import { type Result, diagnose } from '../doctor/check.ts';
import { gatherFacts } from '../doctor/gather.ts';
import { INSTALLATION_CHECKS } from '../doctor/installation-checks.ts';
import { SETTING_CHECKS } from '../doctor/setting-checks.ts';
import { givenArguments } from './arguments.ts';
import { type Command, UsageError } from './command.ts';

const TAKES = 'doctor takes --json';

export const CHECKS = [...SETTING_CHECKS, ...INSTALLATION_CHECKS];

export const doctor: Command = {
  name: 'doctor',
  summary: 'check settings, keys, clock, disk, database and backups, and say what to mend',
  usage: 'doctor [--json]',
  examples: ['./avouch doctor', './avouch doctor --json'],
  async run(args, terminal) {
    const { positionals, flags } = givenArguments(args, { flags: ['json'] }, TAKES);
    if (positionals.length > 0) throw new UsageError(TAKES);
    const results = diagnose(CHECKS, await gatherFacts(terminal.env, terminal.patience));
    const count = (status: Result['status']) => results.filter((result) => result.status === status).length;
    const counts = { ok: count('ok'), warn: count('warn'), fail: count('fail') };
    if (flags.has('json')) terminal.out(`${JSON.stringify({ ...counts, checks: results })}\n`);
    else for (const result of results) terminal.out(lineOf(result));
    terminal.err(`${counts.ok} ok, ${counts.warn} to look at, ${counts.fail} to mend\n`);
    return counts.fail === 0 ? 0 : 1;
  },
};

function lineOf({ id, status, what, detail, cure }: Result): string {
  return `${status.padEnd(4)} ${id.padEnd(15)} ${status === 'ok' ? `${what}: ${detail}` : `${detail}: ${cure}`}\n`;
}
