import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { avouchClient } from '../../client/client.ts';
import { NoValueError } from '../../client/outcome.ts';
import { readConfig } from '#platform/config/config.ts';
import { isLoopbackHost } from '#platform/config/loopback.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { systemClock } from '#kernel/clock.ts';
import { givenArguments } from './arguments.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { serviceUrl } from './log-client.ts';
import type { TourState } from './tour-steps.ts';
import { Recorder, type ShownCall, stepText } from './tour-text.ts';

const USAGE_ERROR = 'tour takes --url and --json';
const STAY = '`npm start` serves a sandbox that stays; ';

interface Visited {
  readonly url: string;
  /** True for a sandbox that the tour started and stops. */
  readonly own: boolean;
}

export const tourCommand: Command = {
  name: 'tour',
  summary: 'walk through the service in a sandbox: each call, its answer and what it means',
  usage: 'tour [--url <url>] [--json]',
  examples: ['./avouch tour', './avouch tour --url http://127.0.0.1:8402 --json'],
  async run(args, terminal) {
    const { positionals, values, flags } = givenArguments(args, { values: ['url'], flags: ['json'] }, USAGE_ERROR);
    if (positionals.length > 0) throw new UsageError(USAGE_ERROR);
    const url = serviceUrl(values['url'], terminal.env);
    await using stack = new AsyncDisposableStack();
    const { patience = 1 } = terminal;
    const visited = (await isSandbox(url, patience)) ? { url, own: false } : await ownSandbox(stack, patience);
    return await walk(visited, flags.has('json'), terminal);
  },
};

/** False where nothing listens on this machine; throws where something else than a sandbox does. */
async function isSandbox(url: string, patience: number): Promise<boolean> {
  const host = URL.parse(url)?.hostname;
  if (host === undefined) throw new UsageError('the url must begin with http');
  const health = await avouchClient({ baseUrl: url, retries: 0, timeoutMs: patience * 10_000 }).health();
  // What answers may be anything, and then it has no such member.
  if (health.ok && (health.value.identity as { sandbox?: unknown } | undefined)?.sandbox === true) return true;
  if (health.ok)
    throw new Error(`${url} is no sandbox: the tour writes, and runs only where nothing is worth anything`);
  if (health.unreachable?.reason === 'network' && isLoopbackHost(host)) return false;
  throw new Error(`${url} gives no sign of a sandbox: ${(health.problem ?? health.unreachable)?.detail}`);
}

async function ownSandbox(stack: AsyncDisposableStack, patience: number): Promise<Visited> {
  const dataDir = await mkdtemp(join(tmpdir(), 'avouch-tour-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', AVOUCH_LOG_LEVEL: 'silent' });
  // Loaded here: a tour of a running service needs nothing of it.
  const { startService } = await import('../service.ts');
  const options = { config, secrets: readSecrets(config), opensSettlement: true, patience };
  const { url } = stack.use(await startService(options));
  return { url, own: true };
}

async function walk({ url, own }: Visited, isJson: boolean, terminal: Terminal): Promise<number> {
  // Loaded when it is used: what signs payments and mandates is not needed to refuse a tour.
  const { TOUR, TourError } = await import('./tour-steps.ts');
  const clock = systemClock();
  const startedMs = clock.now();
  const recorder = new Recorder();
  const state: TourState = {
    clientOf: (more = {}) => {
      const { trust } = state;
      return avouchClient({ baseUrl: url, fetch: recorder.fetch, ...(trust !== undefined && { trust }), ...more });
    },
    clock,
    patience: terminal.patience ?? 1,
  };
  const steps: { title: string; means: string; calls: readonly ShownCall[]; found: readonly string[] }[] = [];
  let fault: string | null = null;
  if (!isJson) terminal.out(`A tour of ${url}${own ? ', a sandbox of its own that ends with the tour' : ''}\n`);
  for (const { title, means, shown, run } of TOUR) {
    const found = await run(state).catch((error: unknown) => {
      if (error instanceof TourError || error instanceof NoValueError) return error;
      throw error;
    });
    if (found instanceof Error) fault = found.message;
    const step = { title, means, calls: recorder.drain(), found: found instanceof Error ? [] : found };
    steps.push(step);
    if (!isJson) terminal.out(stepText(steps.length, step, shown));
    if (fault !== null) break;
  }
  const seconds = (clock.now() - startedMs) / 1000;
  if (isJson) terminal.out(`${JSON.stringify({ ok: fault === null, url, own_sandbox: own, seconds, steps, fault })}\n`);
  else if (fault === null)
    terminal.out(`\nDone in ${seconds.toFixed(1)} s. ${own ? STAY : ''}docs/client.md has the calls.\n`);
  if (fault !== null) terminal.err(`the tour ends here: ${fault}\n`);
  return fault === null ? 0 : 1;
}
