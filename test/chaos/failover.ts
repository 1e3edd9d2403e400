// A primary that dies under load, and its standby that takes its place: short in npm test, longer in test:more.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { unlessHung, until } from '../support/until.ts';
import { startPostgres } from '../support/postgres.ts';

const CALLERS = 8;
/** Claims with the longest lease there is: on a slow machine others would be over before they are looked at. */
const TTL_SECONDS = 3_600;

interface Written {
  readonly key: string;
  readonly fence: number;
}

/** @param enough so many claims are answered before the primary dies, and again afterwards */
export async function testFailover(t: TestContext, enough: number): Promise<void> {
  const primary = await startPostgres();
  const url = await primary?.createDatabase();
  const standby = await primary?.addStandby();
  if (primary === undefined || url === undefined || standby === undefined)
    return t.skip('no PostgreSQL that can be copied');
  const database = new URL(url).pathname.slice(1);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => standby.stop());
  stack.defer(() => primary.stop());
  const service = stack.use(await TestService.start({ databaseUrl: standby.url(database) }));
  const load = new Load(service);
  await load.more(enough);

  await primary.kill();
  const killedMs = performance.now();
  await standby.promote();
  // Each caller may still be told of what was written before.
  await load.more(CALLERS + 1);
  t.diagnostic(`writes again ${Math.round(performance.now() - killedMs)} ms after the kill`);
  await load.more(enough);
  await load.end();

  assert.deepEqual(load.wrong, []);
  const fences = load.written.map(({ fence }) => fence);
  assert.equal(new Set(fences).size, fences.length, 'no fence was given twice');
  for (const { key, fence } of load.written) {
    const { json } = await answerOf(service, `/v1/fence?key=${key}&fence=${fence}`);
    assert.equal(json['current'], true, `${key} was answered and is gone: ${JSON.stringify(json)}`);
  }
  const audit = await answerOf(service, '/api/astralock/audit');
  assert.equal(audit.json['ok'], true, audit.text);
}

/** A connection to the database that takes too long on a busy machine is asked for again. */
function answerOf(service: TestService, path: string): Promise<Answer> {
  return until(`an answer of ${path}`, async () => {
    const answer = await service.call(path);
    return answer.status !== 503 && answer;
  });
}

/** Callers that claim with tokens of their own, and send again what was not answered. */
class Load {
  readonly written: Written[] = [];
  /** Answers that are neither success nor a refusal that says when to come again. */
  readonly wrong: string[] = [];
  readonly #service: TestService;
  readonly #ends: Promise<void>[];
  readonly #waiting = new Set<() => void>();
  #isOver = false;

  constructor(service: TestService) {
    this.#service = service;
    this.#ends = Array.from({ length: CALLERS }, (_, caller) => this.#work(caller));
  }

  /** Resolves when so many more are written, or something is wrong. */
  async more(count: number): Promise<void> {
    const enough = this.written.length + count;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (this.written.length >= enough || this.wrong.length > 0) resolve();
    };
    this.#waiting.add(look);
    await unlessHung(`${count} more writes`, promise);
    this.#waiting.delete(look);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#ends);
  }

  async #work(caller: number): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) {
      const key = `k:${caller}-${n}`;
      const token = `token-of-${caller}-${String(n).padStart(12, '0')}`;
      let answer = await this.#claim(key, token);
      while (answer.status === 503 && answer.headers['retry-after'] !== undefined) {
        await sleep(50);
        answer = await this.#claim(key, token);
      }
      if (answer.status === 200) this.written.push({ key, fence: answer.json['fence'] as number });
      else this.wrong.push(`${answer.status} ${answer.text}`);
      for (const look of this.#waiting) look();
    }
  }

  #claim(key: string, token: string): Promise<Answer> {
    const body = { key, token, agent: 'failover', mode: 'exclusive', ttl: TTL_SECONDS };
    return this.#service.call('/v1/claim', { method: 'POST', body });
  }
}
