// Many verifies on one mandate from several processes that are killed meanwhile, and what the books say afterwards.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { readConfig } from '#config/config.ts';
import { readSecrets } from '#config/secrets.ts';
import { openFoundation } from '../../src/foundation.ts';
import { type Answer } from '../support/client.ts';
import { freshDatabase } from '../support/databases.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv } from '../support/service.ts';
import { Fleet, randomPauseMs } from './kills.ts';
import { seededRandom } from '../support/load.ts';
import { asked, type Body, mandateBody } from '../support/mandates.ts';
import { checkBooks } from '../models/mandate-model.ts';
import { setTimeout as sleep } from 'node:timers/promises';

export interface MandateRaceOptions {
  readonly engine: 'sqlite' | 'postgres';
  readonly processes: number;
  readonly verifies: number;
  readonly kills: number;
  readonly seed: number;
}

export interface MandateRaceReport {
  readonly allowed: number;
  readonly denied: number;
  /** Calls that a kill cut off: the same Idempotency-Key was sent again until it was answered. */
  readonly repeated: number;
  readonly kills: number;
  readonly allowed_cents: number;
  readonly cap_cents: number;
  readonly forgotten: number;
}

const CALLERS = 64;
const CAP = 1_000_000;
const POST = { method: 'POST' } as const;

export async function mandateRace(options: MandateRaceOptions): Promise<MandateRaceReport> {
  const { engine, processes, verifies, kills, seed } = options;
  const dataDir = await temporaryDirectory();
  const env = serviceEnv(dataDir, await freshDatabase(engine));
  const fleet = new Fleet(env, seededRandom(seed));
  try {
    for (let started = 0; started < processes; started += 1) await fleet.start();
    const platform = { name: 'Race', mcp_url: 'https://race.example', contact: 'https://race.example' };
    const registered = jsonOf(await fleet.call('/api/amh/register', { ...POST, body: platform }));
    const headers = { 'x-amh-key': String(registered['api_key']) };
    // A third of what is asked for fits.
    const body = mandateBody(Date.now(), { max_commit_cents: CAP });
    const made = jsonOf(await fleet.call('/api/amh/mandate', { ...POST, body }));
    const id = String(made['mandate_id']);
    let repeated = 0;
    let next = 0;
    const allowed = new Map<string, number>();
    let denied = 0;
    const verify = async (number: number): Promise<Answer> => {
      const amount = 1 + Math.floor((fleet.random() * 6 * CAP) / verifies);
      const sent: Body = asked(id, amount, `order ${number}`, { request_id: `call-${number}`, hold_seconds: 86_400 });
      for (;;) {
        const answer = await fleet.call('/api/amh/verify', { ...POST, body: sent, headers }).catch(() => undefined);
        if (answer !== undefined && answer.status < 500) return answer;
        repeated += 1;
        await sleep(100);
      }
    };
    const caller = async () => {
      for (let number = next++; number < verifies; number = next++) {
        const { status, json, text } = await verify(number);
        assert.equal(status, 200, text);
        if (json['ok'] === true) allowed.set(String(json['verify_ref']), Number(json['amount_cents']));
        else denied += 1;
      }
    };
    const load = Promise.all(Array.from({ length: CALLERS }, caller));
    let killed = 0;
    const isOver = () => next >= verifies;
    for (; killed < kills && !isOver(); killed += 1) {
      await sleep(randomPauseMs(fleet.random));
      await fleet.killOne();
      await fleet.start();
    }
    await load;
    await fleet.stop();
    const config = readConfig(env);
    await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
    await checkBooks(foundation.store, [id]);
    const rows = await foundation.store.read("SELECT ref FROM amh_verification WHERE state = 'verified'");
    const kept = new Set(rows.map((row) => String(row['ref'])));
    const allowedCents = [...allowed.values()].reduce((sum, amount) => sum + amount, 0);
    const forgotten = [...allowed.keys()].filter((ref) => !kept.has(ref)).length + Math.abs(kept.size - allowed.size);
    const counts = { allowed: allowed.size, denied, repeated, kills: killed, forgotten };
    return { ...counts, allowed_cents: allowedCents, cap_cents: CAP };
  } finally {
    await fleet.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function jsonOf(answer: Answer | undefined): Record<string, unknown> {
  assert.ok(answer?.status === 201, answer?.text ?? 'no answer');
  return answer.json;
}
