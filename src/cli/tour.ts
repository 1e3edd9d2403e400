import { asSentence } from '#kernel/sentence.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { avouchClient } from '../../client/client.ts';
import { NoValueError } from '../../client/outcome.ts';
import { readConfig } from '#platform/config/config.ts';
import { isLoopbackHost } from '#platform/config/loopback.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { systemClock } from '#kernel/clock.ts';
import type { Output } from './line/output.ts';
import { type Run, UsageError } from './line/spec.ts';
import { serviceUrl } from './service-url.ts';
import type { TourState } from './tour-steps.ts';
import { Recorder, type ShownCall, stepText } from './tour-text.ts';

const STAY = '`npm start` runs a sandbox that stays. ';

interface Visited {
  readonly url: string;
  /** True for a sandbox that the tour started and stops. */
  readonly own: boolean;
}

export const tour: Run = async ({ values }, output) => {
  const url = serviceUrl(values['url'], output.env);
  await using stack = new AsyncDisposableStack();
  const { patience } = output;
  const visited = (await isSandbox(url, patience)) ? { url, own: false } : await ownSandbox(stack, patience);
  return await walk(visited, output);
};

/** False where nothing listens on this machine; throws where something else than a sandbox does. */
async function isSandbox(url: string, patience: number): Promise<boolean> {
  const host = URL.parse(url)?.hostname;
  if (host === undefined)
    throw new UsageError(`${JSON.stringify(url)} is not an address: it must begin with http:// or https://.`);
  const health = await avouchClient({ baseUrl: url, retries: 0, timeoutMs: patience * 10_000 }).health();
  // What answers may be anything, and then it has no such member.
  if (health.ok && (health.value.identity as { sandbox?: unknown } | undefined)?.sandbox === true) return true;
  if (health.ok) throw new Error(`${url} is not a sandbox. The tour writes data, so it only runs against a sandbox.`);
  if (health.unreachable?.reason === 'network' && isLoopbackHost(host)) return false;
  throw new Error(`Cannot tell whether ${url} is a sandbox: ${(health.problem ?? health.unreachable)?.detail}`);
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

async function walk({ url, own }: Visited, output: Output): Promise<number> {
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
    patience: output.patience,
  };
  const steps: { title: string; means: string; calls: readonly ShownCall[]; found: readonly string[] }[] = [];
  let fault: string | null = null;
  output.line(`A tour of ${url}${own ? ', a temporary sandbox that ends with the tour' : ''}`);
  for (const { title, means, shown, run } of TOUR) {
    const found = await run(state).catch((error: unknown) => {
      if (error instanceof TourError || error instanceof NoValueError) return error;
      throw error;
    });
    if (found instanceof Error) fault = found.message;
    const step = { title, means, calls: recorder.drain(), found: found instanceof Error ? [] : found };
    steps.push(step);
    if (!output.isJson) output.out(stepText(steps.length, step, shown));
    if (fault !== null) break;
  }
  const seconds = (clock.now() - startedMs) / 1000;
  const done = `\nDone in ${seconds.toFixed(1)} s. ${own ? STAY : ''}docs/client.md has the calls.\n`;
  output.result({ ok: fault === null, url, own_sandbox: own, seconds, steps, fault }, fault === null ? done : '');
  if (fault !== null) output.note(`The tour stopped here: ${asSentence(fault)}`);
  return fault === null ? 0 : 1;
}
