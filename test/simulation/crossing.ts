// The crowd of the history checker on the real crossing service, and what must hold of what it was told.
import { mark } from '#areas/crossing/mark/mark-operation.ts';
import { claim, release } from '#areas/crossing/operations.ts';
import { Crossing } from '#areas/crossing/service.ts';
import type { Call } from '#kernel/operation.ts';
import { HOUR_MS, MAX_SLEW } from '#kernel/clock.ts';
import { Refusal } from '#kernel/problem.ts';
import { checkCrossing } from '../chaos/crossing-checks.ts';
import type { CrossingRows } from '../support/events.ts';
import { type EventRow, inspectHistory } from '../chaos/history.ts';
import { crowd, outcomeOf, type Send } from '../support/load.ts';
import { DENIED, LOST, type Part, type Process, type World } from './world.ts';

const CALLERS = 8;
const TTL_MS = 30_000;
const SWEEP_EVERY_MS = HOUR_MS;
const DOUBT_MS = 300_000;

export function simulateCrossing(world: World, seed: number): Part {
  const services = new Map<Process, Crossing>();
  world.onBirth((process) => {
    const { store, clock } = process;
    const rules = { ofText: async () => null, ofName: async () => null };
    const service = new Crossing({ store, clock, sandbox: true, receipts: {} as never, rules });
    services.set(process, service);
    world.every(process, SWEEP_EVERY_MS, () => service.sweep());
  });
  const agents = crowd({
    seed,
    callers: CALLERS,
    hotKeys: 3,
    now: world.newestClock,
    forgetsHotKeys: true,
    doesEverything: true,
  });
  const { journal } = agents;
  const chance = world.chance.of('crossing');
  const holders = new Holders(world);
  const send: Send = async (path, body) => {
    await world.think(chance);
    const sentMs = world.time.now();
    if (path === '/v1/release') holders.released(body['lease']);
    const told = await world.ask(chance, (process) => answered(services.get(process) as Crossing, path, body));
    if (told === LOST) {
      // A caller does not come back for a batch in doubt: what it may have got is over before its next call.
      if (Array.isArray(body['key'])) await world.storeTime(DOUBT_MS);
      return undefined;
    }
    const { status, json } = told === DENIED ? { status: 503, json: { code: 'storage_unavailable' } } : told;
    if (path === '/v1/claim' && status === 200) holders.granted(json, sentMs);
    const answer = { status, json, headers: {}, text: JSON.stringify(json) };
    world.told(`${path} ${outcomeOf(answer)}`, json);
    return answer;
  };
  const running = agents.start(send);
  const check = async () => {
    const [head] = world.rows('SELECT rev, at FROM head WHERE id = 1');
    const events = world.rows('SELECT rev, key, type, at, body FROM event ORDER BY rev');
    const history = { events: events as unknown as EventRow[], head: head as { rev: number; at: number } };
    const rows = {
      entries: world.rows('SELECT seq, leaf FROM entries ORDER BY seq'),
      marks: world.rows('SELECT seq, key, addr, at FROM mark ORDER BY seq'),
    } as unknown as CrossingRows;
    const { lost, duplicated, violations } = inspectHistory(history, journal.acknowledged, journal.denied);
    const found = [...journal.wrong, ...journal.lost, ...lost, ...duplicated, ...violations];
    return [...found, ...checkCrossing(history, rows, journal)];
  };
  return { check, stop: () => running.stop() };
}

const call = (agent: unknown): Call => ({
  requestId: 'r',
  addressTag: `of ${String(agent)}`,
  mediaType: 'application/json',
});

/** As transport would have it: checked input, and refusals as problem documents. */
async function answered(service: Crossing, path: string, body: Record<string, unknown>) {
  const by = call(body['agent'] ?? body['lease']);
  const calls: Readonly<Record<string, () => Promise<object>>> = {
    '/v1/claim': () => service.claim(claim.input.parse(body), by),
    '/v1/release': () => service.release(release.input.parse(body), by),
    '/v1/mark': () => service.mark(mark.input.parse(body), by),
  };
  const came = (await calls[path]?.()) as Record<string, unknown> | Refusal;
  if (!(came instanceof Refusal)) return { status: 200, json: came };
  const { type, details } = came;
  return { status: type.status, json: { ...details.members, code: type.code } };
}

interface Holder {
  readonly lease: unknown;
  readonly agent: unknown;
  readonly fence: number;
  readonly sentMs: number;
}

/** Who holds a key alone by true time, which no process knows. */
class Holders {
  readonly #world: World;
  readonly #byKey = new Map<unknown, Holder>();

  constructor(world: World) {
    this.#world = world;
  }

  released(lease: unknown): void {
    for (const [key, holder] of this.#byKey) if (holder.lease === lease) this.#byKey.delete(key);
  }

  granted(json: Readonly<Record<string, unknown>>, sentMs: number): void {
    const leases = (json['leases'] ?? [json]) as Readonly<Record<string, unknown>>[];
    for (const { key, lease, agent, fence, mode } of leases) {
      if (mode === 'shared') continue;
      const before = this.#byKey.get(key);
      const now = { lease, agent, fence: fence as number, sentMs };
      if (before !== undefined && before.fence > now.fence) continue;
      if (before !== undefined && before.fence < now.fence) this.#judge(String(key), before, now);
      this.#byKey.set(key, now);
    }
  }

  /** A lease lasts as its holder was told, but for what clocks are slewed by and for a restart on a clock set forward. */
  #judge(key: string, before: Holder, now: Holder): void {
    const atMs = this.#world.time.now();
    const shortMs = before.sentMs + TTL_MS - atMs;
    const excusedMs = 2 * MAX_SLEW * TTL_MS + this.#world.jumpedMs(before.sentMs, atMs);
    if (before.agent !== now.agent && shortMs > excusedMs) {
      this.#world.violation(`fence ${before.fence} of ${key} ended ${shortMs} ms early for fence ${now.fence}`);
    }
  }
}
