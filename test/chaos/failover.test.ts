import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { startPostgres } from '../support/postgres.ts';

const CALLERS = 8;
const ACKNOWLEDGED = 150;

interface Written {
  readonly key: string;
  readonly fence: number;
}

test('a primary that dies under load loses nothing that was answered, and the service goes on with the standby', async (t) => {
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
  await load.until(() => load.written.length >= ACKNOWLEDGED);

  await primary.kill();
  const killedMs = performance.now();
  const before = load.written.length;
  await standby.promote();
  await load.until(() => load.written.length > before + CALLERS);
  t.diagnostic(`writes again ${Math.round(performance.now() - killedMs)} ms after the kill`);
  await load.until(() => load.written.length >= before + ACKNOWLEDGED);
  await load.end();

  assert.deepEqual(load.wrong, []);
  const fences = load.written.map(({ fence }) => fence);
  assert.equal(new Set(fences).size, fences.length, 'no fence was given twice');
  for (const { key, fence } of load.written) {
    const { json } = await service.call(`/v1/fence?key=${key}&fence=${fence}`);
    assert.equal(json['current'], true, `${key} was answered and is gone: ${JSON.stringify(json)}`);
  }
  const audit = await service.call('/api/astralock/audit');
  assert.equal(audit.json['ok'], true, audit.text);
});

/** Callers that claim with tokens of their own, and send again what was not answered. */
class Load {
  readonly written: Written[] = [];
  /** Answers that are neither success nor a refusal that says when to come again. */
  readonly wrong: string[] = [];
  readonly #service: TestService;
  readonly #ends: Promise<void>[];
  #isOver = false;

  constructor(service: TestService) {
    this.#service = service;
    this.#ends = Array.from({ length: CALLERS }, (_, caller) => this.#work(caller));
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo() && this.wrong.length === 0) await sleep(10);
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
    }
  }

  #claim(key: string, token: string): Promise<Answer> {
    const body = { key, token, agent: 'failover', mode: 'exclusive' };
    return this.#service.call('/v1/claim', { method: 'POST', body });
  }
}
