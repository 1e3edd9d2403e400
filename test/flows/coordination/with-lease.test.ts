import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import {
  avouchClient,
  type HeldLease,
  holdLease,
  LeaseLost,
  LeaseNotGranted,
  type LeaseRequest,
  whileHeld,
  withLease,
} from '../../../client/index.ts';
import { checkHistory } from '../../chaos/history.ts';
import { readHistory } from '../../support/events.ts';
import { newSeed, seededRandom } from '../../support/random.ts';
import { TestService } from '../../support/service.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

const clock = new ManualClock();
const time = new SimulatedTime(clock);
let service: TestService;
before(async () => {
  service = await TestService.start({ clock });
});
after(async () => {
  const found = checkHistory(await readHistory(service.dataDir, service.databaseUrl), []);
  await service[Symbol.asyncDispose]();
  assert.deepEqual(found, []);
});

/** A way to the service that takes time, and that can be cut in both directions. */
class Network {
  isCut = false;
  /** Answers are lost after the service did what was asked. */
  losesAnswers = false;
  calls = 0;
  readonly #delayMs: () => number;

  constructor(delayMs: () => number = () => 5) {
    this.#delayMs = delayMs;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    this.calls += 1;
    const { signal, ...sent } = init as RequestInit;
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    aborted.catch(() => {});
    const answer = async () => {
      await time.pause(this.#delayMs());
      if (this.isCut) return silence();
      const response = await time.outside(globalThis.fetch(input, sent).then(whole));
      await time.pause(this.#delayMs());
      return this.isCut || this.losesAnswers ? silence() : response;
    };
    return Promise.race([answer(), aborted]);
  };

  client() {
    return avouchClient({ baseUrl: service.url, fetch: this.fetch, retries: 0 });
  }
}

async function silence(): Promise<never> {
  await time.pause(20_000);
  throw new TypeError('fetch failed');
}

/** With its body read, so that nothing of it comes later. */
async function whole(response: Response): Promise<Response> {
  return new Response(await response.arrayBuffer(), response);
}

const ask = (key: string, more: Partial<LeaseRequest> = {}): LeaseRequest => ({ key, agent: 'a7', ttl: 30, ...more });
const stateOf = async (key: string) => {
  const { json } = await service.call(`/v1/look?key=${encodeURIComponent(key)}&agent=someone-else`);
  return json;
};

test('work runs under an exclusive lease that renews itself, and its end is done or failed', async () => {
  const client = new Network().client();
  let seen: HeldLease | undefined;
  const work = withLease(
    client,
    ask('acme/with#1'),
    async (held) => {
      seen = held;
      await time.pause(300_000);
      assert.equal(held.signal.aborted, false);
      const refused = await client.claim({ key: 'acme/with#1', agent: 'a8', mode: 'exclusive' });
      assert.equal(refused.ok || refused.problem?.code, 'held');
      return 'result';
    },
    time,
  );
  assert.equal(await time.goOnUntil(work), 'result');
  assert.deepEqual(seen?.headers, { 'x-avouch-fence': String(seen?.fence) });
  assert.match(JSON.stringify(await stateOf('acme/with#1')), /"done"/);
  const failing = withLease(client, ask('acme/with#2'), () => Promise.reject(new Error('broken')), time);
  await assert.rejects(time.goOnUntil(failing), /broken/);
  assert.match(JSON.stringify(await stateOf('acme/with#2')), /"failed"/);
});

test('work that another holds is refused with its code and wait, or waited for', async () => {
  const client = new Network().client();
  const held = await time.goOnUntil(holdLease(client, ask('acme/with#3', { agent: 'a1' }), time));
  const refused = withLease(client, ask('acme/with#3'), () => assert.fail('it ran'), time);
  await assert.rejects(time.goOnUntil(refused), (error) => {
    assert.ok(error instanceof LeaseNotGranted);
    assert.equal(error.code, 'held');
    assert.ok(error.waitSeconds !== undefined && error.waitSeconds > 0);
    return true;
  });
  const waiting = withLease(client, ask('acme/with#3', { waitSeconds: 600 }), () => 'mine', time);
  time.later(100_000, () => void held.release());
  assert.equal(await time.goOnUntil(waiting), 'mine');
});

test('a claim whose answer was lost is repeated with its token and granted once', async () => {
  const network = new Network();
  network.losesAnswers = true;
  time.later(200_000, () => {
    network.losesAnswers = false;
  });
  const request = ask('acme/with#4', { ttl: 3_600, waitSeconds: 900 });
  const key = await time.goOnUntil(withLease(network.client(), request, (held) => held.key, time));
  assert.ok(network.calls >= 3, `${network.calls} calls`);
  const { events } = await readHistory(service.dataDir, service.databaseUrl);
  assert.equal(events.filter((event) => event.key === key && event.type === 'claim').length, 1);
});

/** A client whose claims are done while their answers are lost, up to a moment; `freed` once it has released. */
function forgetful(isLost: () => boolean) {
  const client = new Network().client();
  const { promise: freed, resolve } = Promise.withResolvers<void>();
  const claims: Partial<LeaseRequest>[] = [];
  const claim = async (input: never, options: never) => {
    claims.push(input);
    const answer = await client.claim(input, options);
    return isLost() ? { ok: false, unreachable: { reason: 'network', detail: 'fetch failed' } } : answer;
  };
  const release = async (input: never, options: never) => {
    const answer = await client.release(input, options);
    resolve();
    return answer;
  };
  return { client: { ...client, claim, release } as unknown as typeof client, claims, freed };
}

test('a helper that gives up frees what was granted by an answer that was lost', async () => {
  let left = 4;
  const { client, claims } = forgetful(() => left-- > 0);
  const request = ask('acme/with#lost', { ttl: 600 });
  await assert.rejects(time.goOnUntil(holdLease(client, request, time)), (error) => {
    assert.ok(error instanceof LeaseNotGranted);
    assert.equal(error.code, 'network');
    return true;
  });
  assert.deepEqual(
    claims.map(({ hops }) => hops),
    [undefined, undefined, undefined, undefined, -1],
  );
  const { json } = await service.call('/v1/claim?key=acme/with%23lost&agent=next&mode=exclusive');
  assert.equal(json['mode'], 'exclusive', 'the key stays taken, with nobody at work');
});

test('whoever is called off while a claim is under way frees what it was granted, and does not wait for that', async () => {
  const off = new AbortController();
  let isLost = true;
  const { client, claims, freed } = forgetful(() => {
    off.abort(new Error('called off'));
    return isLost;
  });
  const request = ask('acme/with#off', { ttl: 600, waitSeconds: 60, signal: off.signal });
  await assert.rejects(time.goOnUntil(holdLease(client, request, time)), /called off/);
  assert.equal(claims.length, 1);
  isLost = false;
  await time.goOnUntil(freed);
  const { json } = await service.call('/v1/claim?key=acme/with%23off&agent=next&mode=exclusive');
  assert.equal(json['mode'], 'exclusive');
});

test('a claim that was refused leaves nothing to free', async () => {
  const holder = new Network().client();
  const held = await time.goOnUntil(holdLease(holder, ask('acme/with#none', { agent: 'a1' }), time));
  const { client, claims } = forgetful(() => false);
  await assert.rejects(time.goOnUntil(holdLease(client, ask('acme/with#none'), time)), LeaseNotGranted);
  assert.equal(claims.length, 1);
  await time.goOnUntil(held.release());
});

test('a service that asks to wait longer than waitSeconds is not waited for', async () => {
  for (const [status, retryAfter, waitSeconds, calls] of [
    [429, 60, 0, 1],
    [503, 60, 30, 1],
    [503, 20, 30, 2],
    [429, 0, 0, 4],
  ] as const) {
    let asked = 0;
    const problem = { code: 'slow_down', status, detail: 'Later.', retry_after_s: retryAfter };
    const busy = async ({ hops }: { hops?: number }) => {
      if (hops === undefined) asked += 1;
      return { ok: false, status: hops === undefined ? status : 409, problem };
    };
    const client = { ...new Network().client(), claim: busy as never };
    const sinceBegun = time.stopwatch();
    const given = time.goOnUntil(holdLease(client, ask('acme/with#later', { waitSeconds }), time));
    await assert.rejects(given, LeaseNotGranted);
    assert.equal(asked, calls, `${status} with Retry-After ${retryAfter} and waitSeconds ${waitSeconds}`);
    assert.ok(sinceBegun() <= waitSeconds * 1_000 + 2_000, `${sinceBegun()} ms`);
  }
});

test('a cut connection ends the work before the lease ends, also where the work does not listen', async () => {
  for (let run = 0; run < 100; run += 1) {
    const random = seededRandom(run);
    const network = new Network(() => Math.floor(random() * 400));
    const key = `acme/cut#${run}`;
    let expiresAtMs = 0;
    const client = network.client();
    const watched = {
      ...client,
      claim: (async (input: never, options: never) => {
        const answer = await client.claim(input, options);
        if (answer.ok) expiresAtMs = Date.parse((answer.value as { expires_at: string }).expires_at);
        return answer;
      }) as typeof client.claim,
    };
    time.later(random() * 120_000, () => {
      network.isCut = true;
    });
    const ttl = 30 + Math.floor(random() * 60);
    let signalled: unknown;
    const deaf = withLease(
      watched,
      ask(key, { ttl }),
      ({ signal }) => {
        signal.addEventListener('abort', () => {
          signalled = signal.reason;
        });
        return new Promise<never>(() => {});
      },
      time,
    );
    await assert.rejects(time.goOnUntil(deaf), LeaseLost, `run ${run}`);
    assert.ok(signalled instanceof LeaseLost);
    assert.ok(clock.now() < expiresAtMs, `run ${run}: lost at ${clock.now()}, the lease ended at ${expiresAtMs}`);
    assert.ok(expiresAtMs - clock.now() <= 3_500, `run ${run}: given up ${expiresAtMs - clock.now()} ms too early`);
  }
});

test('work that ends after its lease never counts as done, also where no timer has noticed', async () => {
  const client = new Network().client();
  const sleeps = () => clock.advance(60_000);
  await assert.rejects(time.goOnUntil(withLease(client, ask('acme/slept#1'), sleeps, time)), LeaseLost);
  assert.doesNotMatch(JSON.stringify(await stateOf('acme/slept#1')), /"done"/);
  const held = await time.goOnUntil(holdLease(client, ask('acme/slept#2'), time));
  await assert.rejects(whileHeld(held, sleeps), LeaseLost);
  const late = await time.goOnUntil(holdLease(client, ask('acme/slept#3'), time));
  sleeps();
  assert.equal(await time.goOnUntil(late.release({ outcome: 'done' })), undefined);
  assert.ok(late.signal.reason instanceof LeaseLost);
  const kept = await time.goOnUntil(holdLease(client, ask('acme/slept#4'), time));
  assert.equal((await time.goOnUntil(kept.release()))?.ok, true);
  sleeps();
  assert.equal(kept.signal.aborted, false, 'what was released is not lost later');
});

test('two helpers never work on one key at a time, whatever the connections do', async () => {
  const seed = newSeed();
  const random = seededRandom(seed);
  const working = new Map<string, string>();
  const overlaps: string[] = [];
  const tally = { done: 0, lost: 0, refused: 0 };
  const agent = async (name: string) => {
    for (let turn = 0; turn < 12; turn += 1) {
      const network = new Network(() => Math.floor(random() * 3_000));
      const stop = [1, 2, 3].map((nth) =>
        time.later(nth * random() * 60_000, () => {
          network.isCut = random() < 0.5;
          network.losesAnswers = random() < 0.3;
        }),
      );
      const key = `acme/hot#${Math.floor(random() * 3)}`;
      try {
        await withLease(
          network.client(),
          ask(key, { agent: name, waitSeconds: random() < 0.5 ? 120 : 0 }),
          async ({ signal }) => {
            const other = working.get(key);
            if (other !== undefined) overlaps.push(`${name} and ${other} on ${key}`);
            working.set(key, name);
            signal.addEventListener('abort', () => working.delete(key), { once: true });
            await time.pause(random() * 90_000);
            if (!signal.aborted) working.delete(key);
          },
          time,
        );
        tally.done += 1;
      } catch (error) {
        if (error instanceof LeaseLost) tally.lost += 1;
        else if (error instanceof LeaseNotGranted) tally.refused += 1;
        else throw error;
      }
      for (const one of stop) one();
    }
  };
  await time.goOnUntil(Promise.all(Array.from({ length: 6 }, (_, index) => agent(`agent-${index}`))));
  assert.deepEqual(overlaps, [], `seed ${seed}`);
  assert.ok(tally.done > 0 && tally.lost > 0, `seed ${seed}: ${JSON.stringify(tally)}`);
});
