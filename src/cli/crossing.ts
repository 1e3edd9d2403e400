import { readFile } from 'node:fs/promises';
import { newToken } from '#kernel/ids.ts';
import { givenArguments } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { callOperation, objectIn, serviceUrl } from './log-client.ts';

type Members = Record<string, unknown>;

const NUMBERS = new Set(['ttl', 'slots', 'hops', 'attempt']);
const CLAIM_VALUES = ['agent', 'mode', 'intent', 'evidence', 'brief', ...NUMBERS];
const CLAIM_TAKES = 'claim takes keys and --agent, or --refresh and a file; see --help';
const RELEASE_TAKES = 'release takes the answer of a claim in a file, and --outcome, --note, --evidence, --url';
const MARK_TAKES = 'mark takes a key, --agent and --kind, and --note, --evidence, --lease, --url';

export const claimCommand: Command = {
  name: 'claim',
  summary: 'take or refresh a lease on work, and print it with its token',
  usage:
    'claim <key>... --agent <name> [--mode shared|exclusive|once] [--ttl <s>] [--intent <text>] [--slots <n>] [--brief <id>] [--hops <n>] [--evidence <link>] [--attempt <n>] [--queue] [--receipt] [--refresh <lease file>] [--url <url>]',
  examples: [
    './avouch claim acme/repo#12 --agent a7 --mode exclusive > lease.json',
    './avouch claim --refresh lease.json --agent a7 --evidence https://github.com/acme/repo/pull/13',
  ],
  async run(args, terminal) {
    const taken = { values: [...CLAIM_VALUES, 'refresh', 'url'], flags: ['queue', 'receipt'] };
    const { positionals, values, flags } = givenArguments(args, taken, CLAIM_TAKES);
    const asked = values['refresh'] === undefined ? keysIn(positionals) : await leaseIn(values['refresh']);
    const members = { ...membersOf(values, CLAIM_VALUES), ...asked };
    const answer = await callOperation(serviceUrl(values['url'], terminal.env), 'claim', { ...members, ...yes(flags) });
    // The caller made the token, so the service does not show it.
    terminal.out(`${JSON.stringify(withToken(answer, asked.token), null, 2)}\n`);
    return 0;
  },
};

export const releaseCommand: Command = {
  name: 'release',
  summary: 'end a lease, with an outcome also leave a mark',
  usage: 'release <lease file> [--outcome done|failed|declined] [--note <text>] [--evidence <link>] [--url <url>]',
  examples: ['./avouch release lease.json --outcome done --evidence https://github.com/acme/repo/pull/13'],
  async run(args, terminal) {
    const said = ['outcome', 'note', 'evidence'];
    const { positionals, values } = givenArguments(args, { values: [...said, 'url'] }, RELEASE_TAKES);
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError(RELEASE_TAKES);
    const { lease, token } = await leaseIn(file);
    const members = { lease, token, ...membersOf(values, said) };
    const answer = await callOperation(serviceUrl(values['url'], terminal.env), 'release', members);
    terminal.out(`${JSON.stringify(answer, null, 2)}\n`);
    return 0;
  },
};

export const markCommand: Command = {
  name: 'mark',
  summary: 'leave a trace on work for agents that come later',
  usage:
    'mark <key> --agent <name> --kind <kind> [--note <text>] [--evidence <link>] [--lease <lease file>] [--url <url>]',
  examples: ['./avouch mark acme/repo#12 --agent a7 --kind declined --note "needs hardware"'],
  async run(args, terminal) {
    const said = ['agent', 'kind', 'note', 'evidence'];
    const { positionals, values } = givenArguments(args, { values: [...said, 'lease', 'url'] }, MARK_TAKES);
    const [key, ...more] = positionals;
    if (key === undefined || more.length > 0) throw new UsageError(MARK_TAKES);
    const { lease, token } = values['lease'] === undefined ? {} : await leaseIn(values['lease']);
    const shown = lease === undefined ? {} : { lease, token };
    const members = { key, ...membersOf(values, said), ...shown };
    const answer = await callOperation(serviceUrl(values['url'], terminal.env), 'mark', members);
    terminal.out(`${JSON.stringify(answer, null, 2)}\n`);
    return 0;
  },
};

/** A token of its own makes it safe to send the same claim again. */
function keysIn(keys: readonly string[]): { key: unknown; token: string } {
  if (keys.length === 0) throw new UsageError(CLAIM_TAKES);
  return { key: keys.length === 1 ? keys[0] : keys, token: newToken() };
}

/** What the service must be shown of a lease that was printed into a file. */
async function leaseIn(file: string): Promise<{ key: unknown; lease: unknown; token: string }> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read`);
  });
  const { key, lease, token } = objectIn(text) ?? {};
  if (typeof lease !== 'string' || typeof token !== 'string') throw new UsageError(`${file} holds no lease with token`);
  return { key, lease, token };
}

function membersOf(values: Readonly<Record<string, string | undefined>>, names: readonly string[]): Members {
  const given = names.filter((name) => values[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, NUMBERS.has(name) ? Number(values[name]) : values[name]]));
}

function yes(flags: ReadonlySet<string>): Members {
  return Object.fromEntries([...flags].map((name) => [name, 'yes']));
}

function withToken(answer: Members, token: string): Members {
  const leases = answer['leases'] as Members[] | undefined;
  return leases === undefined ? { ...answer, token } : { ...answer, leases: leases.map((one) => ({ ...one, token })) };
}
