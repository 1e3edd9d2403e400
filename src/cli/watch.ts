import { givenArguments } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { callOperation, serviceUrl } from './log-client.ts';

const USAGE_ERROR = 'watch takes a key, --after (a revision), --count and --url';
const WAIT_SECONDS = 20;

export const watchCommand: Command = {
  name: 'watch',
  summary: 'print what happens to a key, a line of JSON per change',
  usage: 'watch <key> [--after <rev>] [--count <n>] [--url <url>]',
  examples: ['./avouch watch acme/repo#12', './avouch watch acme/repo#12 --after 90213 --count 1'],
  async run(args, terminal) {
    const { positionals, values } = givenArguments(args, { values: ['after', 'count', 'url'] }, USAGE_ERROR);
    const [key, ...others] = positionals;
    const count = values['count'] === undefined ? Infinity : Number(values['count']);
    if (key === undefined || others.length > 0 || !(count >= 1)) throw new UsageError(USAGE_ERROR);
    const url = serviceUrl(values['url'], terminal.env);
    let after = values['after'];
    for (let shown = 0; shown < count; ) {
      const { events, rev } = await callOperation(url, 'watch', { key, wait: WAIT_SECONDS, after });
      for (const event of (events as unknown[]).slice(0, count - shown)) {
        terminal.out(`${JSON.stringify(event)}\n`);
        shown += 1;
      }
      after = String(rev);
    }
    return 0;
  },
};
