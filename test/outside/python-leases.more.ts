// Agents in Python and TypeScript work under leases on the same keys, over connections that are cut.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { avouchClient, LeaseLost, LeaseNotGranted, withLease } from '../../client/index.ts';
import { checkHistory, type History } from '../chaos/history.ts';
import { CutProxy } from '../support/cut-proxy.ts';
import { readHistory } from '../support/events.ts';
import { newSeed, seededRandom } from '../support/random.ts';
import { TestService } from '../support/service.ts';
import { NO_PYTHON, startPython } from './python/interpreter.ts';

interface Turn {
  readonly key: string;
  readonly workSeconds: number;
  readonly waitSeconds: number;
  /** Its connection is cut as soon as it works. */
  readonly isCut: boolean;
}

interface Line {
  readonly agent: string;
  readonly key: string;
  readonly what: 'begun' | 'ended' | 'done' | 'lost' | 'refused';
  readonly fence?: number;
  /** Milliseconds by the clock of the machine, which all agents share. */
  readonly at: number;
}

type Say = (line: Line) => void;
type Run = (url: string, agent: string, turns: readonly Turn[], say: Say) => Promise<void>;

const KEYS = ['acme/mixed#1', 'acme/mixed#2'];
const WAIT_SECONDS = 400;

const inTypeScript: Run = async (baseUrl, agent, turns, say) => {
  const client = avouchClient({ baseUrl });
  for (const { key, workSeconds, waitSeconds } of turns) {
    const tell = (what: Line['what'], fence?: number) =>
      say({ agent, key, what, at: Date.now(), ...(fence !== undefined && { fence }) });
    try {
      await withLease(client, { key, agent, ttl: 30, waitSeconds }, async ({ fence, signal }) => {
        tell('begun', fence);
        await sleep(workSeconds * 1_000, undefined, { signal }).catch(() => {});
        tell('ended', fence);
      });
      tell('done');
    } catch (error) {
      if (error instanceof LeaseLost) tell('lost');
      else if (error instanceof LeaseNotGranted) tell('refused');
      else throw error;
    }
  }
};

const inPython: Run = async (url, agent, turns, say) => {
  const child = startPython('agent.py', url, agent);
  const exited = once(child, 'exit');
  assert.ok(child.stdin !== null && child.stdout !== null);
  child.stdin.end(turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  for await (const line of createInterface(child.stdout)) say(JSON.parse(line) as Line);
  assert.deepEqual(await exited, [0, null]);
};

/** Short work on any key, then work that is cut, on one that each agent has in turn, then short work again. */
function turnsOf(index: number, random: () => number): Turn[] {
  const short = () => ({
    key: KEYS[Math.floor(random() * KEYS.length)] as string,
    workSeconds: random() * 2,
    waitSeconds: random() < 0.3 ? 0 : WAIT_SECONDS,
    isCut: false,
  });
  const cut = { key: KEYS[index % KEYS.length] as string, workSeconds: 120, waitSeconds: WAIT_SECONDS, isCut: true };
  return [short(), short(), short(), cut, short(), short(), short()];
}

/** Pairs of agents that worked on one key at a time, and fences that did not grow with the work. */
function overlaps(lines: readonly Line[]): string[] {
  const found: string[] = [];
  for (const key of KEYS) {
    const ofKey = lines.filter((line) => line.key === key);
    const spans = ofKey
      .filter(({ what }) => what === 'begun')
      .map(({ agent, fence, at }) => {
        const end = ofKey.find((line) => line.what === 'ended' && line.fence === fence);
        return { agent, fence: fence as number, from: at, to: end?.at ?? Infinity };
      })
      .toSorted((a, b) => a.from - b.from);
    for (const [i, span] of spans.entries()) {
      const next = spans[i + 1];
      if (next !== undefined && next.from < span.to) {
        found.push(`${span.agent} until ${span.to} and ${next.agent} from ${next.from} on ${key}`);
      }
      if (next !== undefined && next.fence <= span.fence)
        found.push(`fence ${next.fence} after ${span.fence} on ${key}`);
    }
  }
  return found;
}

/** Work that went on when its lease had ended by the events of the service. */
function tooLong(lines: readonly Line[], { events }: History): string[] {
  const expiryOf = new Map<number, number>();
  for (const { type, body } of events.filter((event) => event.type === 'claim' || event.type === 'refresh')) {
    const lease = JSON.parse(body) as { fence: number; expires_at: number };
    assert.ok(Number.isSafeInteger(lease.expires_at), `${type} ${body}`);
    expiryOf.set(lease.fence, lease.expires_at);
  }
  return lines
    .filter(({ what }) => what === 'ended')
    .filter(({ fence, at }) => at >= (expiryOf.get(fence as number) ?? 0))
    .map(({ agent, key, at, fence }) => `${agent} on ${key} until ${at}, expired ${expiryOf.get(fence as number)}`);
}

suite('leases in two languages', { skip: NO_PYTHON }, () => {
  test('agents never work on one key at a time, and each hears in time that its lease is lost', async (t) => {
    const seed = newSeed();
    const random = seededRandom(seed);
    const service = await TestService.start();
    await using stack = new AsyncDisposableStack();
    const lines: Line[] = [];
    const agent = async (run: Run, name: string, index: number) => {
      const proxy = stack.use(await CutProxy.to(service.url, () => random() < 0.1));
      const turns = turnsOf(index, random);
      let ended = 0;
      await run(proxy.url, name, turns, (line) => {
        lines.push(line);
        if (line.what === 'begun' && turns[ended]?.isCut) proxy.cut();
        if (line.what === 'begun' || line.what === 'ended') return;
        ended += 1;
        proxy.mend();
      });
      assert.equal(ended, turns.length, `${name} did not come to its end`);
    };
    await Promise.all([
      agent(inPython, 'python-1', 0),
      agent(inPython, 'python-2', 1),
      agent(inTypeScript, 'typescript-1', 0),
      agent(inTypeScript, 'typescript-2', 1),
    ]);
    const history = await readHistory(service.dataDir, service.databaseUrl);
    await service[Symbol.asyncDispose]();
    const context = `seed ${seed}: ${JSON.stringify(lines)}`;
    assert.deepEqual(overlaps(lines), [], context);
    assert.deepEqual(tooLong(lines, history), [], context);
    assert.deepEqual(checkHistory(history, []), [], context);
    const whoLost = lines.filter(({ what }) => what === 'lost').map(({ agent: name }) => name);
    assert.deepEqual(
      [...new Set(whoLost)].toSorted(),
      ['python-1', 'python-2', 'typescript-1', 'typescript-2'],
      context,
    );
    const done = lines.filter(({ what }) => what === 'done').length;
    assert.ok(done >= 12, `${done} pieces of work were done, ${context}`);
    t.diagnostic(
      JSON.stringify({ seed, done, lost: whoLost.length, grants: lines.filter(({ what }) => what === 'begun').length }),
    );
  });
});
