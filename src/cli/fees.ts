import { feeCsv, FEES_BETWEEN } from '#areas/attestation/fee-lines.ts';
import { DAY_MS } from '#kernel/clock.ts';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { openFoundation } from '#platform/foundation.ts';
import { givenArguments } from './arguments.ts';
import { type Command, UsageError } from './command.ts';

const USAGE_ERROR = 'fees takes export, --from and --to, each a day such as 2026-11-01';
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const feesCommand: Command = {
  name: 'fees',
  summary: 'print the fees of seals as CSV, with a total for each owner',
  usage: 'fees export --from <date> --to <date>',
  examples: ['./avouch fees export --from 2026-11-01 --to 2026-11-30 > fees.csv'],
  async run(args, terminal) {
    const { positionals, values } = givenArguments(args, { values: ['from', 'to'] }, USAGE_ERROR);
    if (positionals.length !== 1 || positionals[0] !== 'export') throw new UsageError(USAGE_ERROR);
    const fromMs = startOf(values['from']);
    // Both days are included, in UTC.
    const untilMs = startOf(values['to']) + DAY_MS;
    if (untilMs <= fromMs) throw new UsageError('--from is after --to');
    const config = readConfig(terminal.env);
    await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
    terminal.out(feeCsv(await foundation.store.read(FEES_BETWEEN, [fromMs, untilMs])));
    return 0;
  },
};

function startOf(day: string | undefined): number {
  const ms = Date.parse(`${day}T00:00:00.000Z`);
  // The way back finds a day that its month does not have.
  const isDay = day !== undefined && DAY.test(day) && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
  if (!isDay) throw new UsageError(USAGE_ERROR);
  return ms;
}
