// Many callers present the same closed mandates to processes that are killed meanwhile.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { openFoundation } from '../../src/platform/foundation.ts';
import * as ap2 from '../support/ap2.ts';
import type { Answer } from '../support/client.ts';
import { hasPostgres } from '../support/databases.ts';
import { newSeed, seededRandom } from '../support/random.ts';
import { serviceEnv } from '../support/service.ts';
import { Fleet, placeFor } from './kills.ts';

const CLOSED = 30;
const CALLERS = 16;
const KILLS = 2;
const REPEAT_MS = 20;
const POST = { method: 'POST' } as const;
const MANY = { ...ap2.OFTEN, max_occurrences: 1_000 };

for (const [engine, processes] of [
  ['sqlite', 1],
  ['postgres', 3],
] as const) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`each closed mandate is allowed at most once under kill -9 on ${engine}`, { skip }, async (t) => {
    const seed = newSeed();
    const { dataDir, databaseUrl } = await placeFor(engine);
    const env = serviceEnv(dataDir, databaseUrl);
    const fleet = new Fleet(env, seededRandom(seed));
    try {
      for (let started = 0; started < processes; started += 1) await fleet.start();
      const allowed = await race(fleet);
      await fleet.stop();
      const config = readConfig(env);
      await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
      const rows = await foundation.store.read("SELECT ap2_reference FROM amh_verification WHERE decision = 'ALLOW'");
      const references = rows.map((row) => String(row['ap2_reference']));
      t.diagnostic(JSON.stringify({ seed, answered: allowed.length, kept: references.length }));
      assert.equal(references.length, CLOSED, `seed ${seed}`);
      assert.equal(new Set(references).size, CLOSED, `seed ${seed}`);
      assert.equal(new Set(allowed).size, allowed.length, `seed ${seed}: allowed twice`);
      assert.ok(
        allowed.every((reference) => references.includes(reference)),
        `seed ${seed}: forgotten`,
      );
    } finally {
      await fleet.kill();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
}

/** The references of what callers were allowed, in every answer that came through. */
async function race(fleet: Fleet): Promise<string[]> {
  const platform = { name: 'Race', mcp_url: 'https://race.example', contact: 'https://race.example' };
  const registered = jsonOf(await fleet.call('/api/amh/register', { ...POST, body: platform }));
  const root = ap2.openToken(Date.now(), [ap2.RANGE, MANY, ap2.BUDGET]);
  const body = { agent_id: 'agent:7', ap2: { open_payment_mandate: root, user_jwk: ap2.USER.jwk } };
  const id = String(jsonOf(await fleet.call('/api/amh/mandate', { ...POST, body }))['mandate_id']);
  const headers = { 'x-amh-key': String(registered['api_key']) };
  const asked = Array.from({ length: CLOSED }, (_, i) => {
    const purchase = { order: `order ${i}`, amount: 1 };
    return ap2.presented(id, ap2.joined(root, ap2.closedToken(root, { nowMs: Date.now(), ...purchase })), purchase);
  });
  const allowed: string[] = [];
  const left = new Set(asked);
  const over = new AbortController();
  /** Nobody sends an Idempotency-Key: every call is a new one. */
  const caller = async () => {
    while (!over.signal.aborted || left.size > 0) {
      const one = asked[Math.floor(fleet.random() * asked.length)] as ap2.Json;
      const answer = await fleet.call('/api/amh/verify', { ...POST, body: one, headers }).catch(() => undefined);
      if (answer?.status !== 200) {
        await sleep(REPEAT_MS);
        continue;
      }
      left.delete(one);
      if (answer.json['ok'] === true) allowed.push((answer.json['ap2'] as { reference: string }).reference);
    }
  };
  const kill = async () => {
    for (let killed = 1; killed <= KILLS; killed += 1) {
      await fleet.killOne();
      await (killed === KILLS ? fleet.startHere() : fleet.start());
    }
    over.abort();
  };
  await Promise.all([...Array.from({ length: CALLERS }, caller), kill()]);
  return allowed;
}

function jsonOf(answer: Answer | undefined): Record<string, unknown> {
  assert.ok(answer?.status === 201, answer?.text ?? 'no answer');
  return answer.json;
}
