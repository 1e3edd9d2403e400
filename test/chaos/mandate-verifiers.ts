// Many verifies on one mandate from several processes that are killed meanwhile, and what the books say afterwards.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { openFoundation } from '../../src/platform/foundation.ts';
import { type Answer } from '../support/client.ts';
import { serviceEnv } from '../support/service.ts';
import { Fleet, placeFor } from './kills.ts';
import { newSeed, seededRandom } from '../support/random.ts';
import { unlessHung } from '../support/until.ts';
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

const CALLERS = 32;
const CAP = 1_000_000;
const REPEAT_MS = 20;
const POST = { method: 'POST' } as const;

export async function mandateRace(options: MandateRaceOptions): Promise<MandateRaceReport> {
  const { engine, processes, seed } = options;
  const { dataDir, databaseUrl } = await placeFor(engine);
  const env = serviceEnv(dataDir, databaseUrl);
  const fleet = new Fleet(env, seededRandom(seed));
  try {
    for (let started = 0; started < processes; started += 1) await fleet.start();
    const race = await Race.begin(fleet, options);
    const load = Promise.all(Array.from({ length: CALLERS }, () => race.caller()));
    // A caller that fails ends the race, and with it the wait for the next kill.
    await Promise.all([load, race.kill()]);
    await fleet.stop();
    const config = readConfig(env);
    await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
    await checkBooks(foundation.store, [race.mandate]);
    const rows = await foundation.store.read("SELECT ref FROM amh_verification WHERE state = 'verified'");
    return race.report(new Set(rows.map((row) => String(row['ref']))));
  } finally {
    await fleet.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The race as a test. */
export async function testMandateRace(t: TestContext, options: Omit<MandateRaceOptions, 'seed'>): Promise<void> {
  const seed = newSeed();
  const report = await mandateRace({ ...options, seed });
  t.diagnostic(JSON.stringify({ seed, ...report }));
  assert.equal(report.forgotten, 0, `seed ${seed}`);
  assert.ok(report.allowed_cents <= report.cap_cents, `seed ${seed}`);
  assert.ok(report.denied > 0 && report.allowed > 0, `seed ${seed} made no race`);
  assert.ok(report.kills === options.kills && report.repeated > 0, `seed ${seed}: a kill cut no call off`);
}

/** Verifies on one mandate that are sent again until they are answered. */
class Race {
  readonly mandate: string;
  readonly #fleet: Fleet;
  readonly #options: MandateRaceOptions;
  readonly #headers: Record<string, string>;
  readonly #allowed = new Map<string, number>();
  readonly #waiting = new Map<number, () => void>();
  /** Numbers from here on wait for the next kill, lest everything is verified while a process starts. */
  #gate: number;
  #opened = Promise.withResolvers<void>();
  #next = 0;
  #answered = 0;
  #denied = 0;
  #repeated = 0;
  #killed = 0;

  private constructor(fleet: Fleet, options: MandateRaceOptions, parties: { mandate: string; platformKey: string }) {
    this.#fleet = fleet;
    this.#options = options;
    this.#gate = this.#part;
    this.mandate = parties.mandate;
    this.#headers = { 'x-amh-key': parties.platformKey };
  }

  static async begin(fleet: Fleet, options: MandateRaceOptions): Promise<Race> {
    const platform = { name: 'Race', mcp_url: 'https://race.example', contact: 'https://race.example' };
    const registered = jsonOf(await fleet.call('/api/amh/register', { ...POST, body: platform }));
    // A third of what is asked for fits.
    const body = mandateBody(Date.now(), { max_commit_cents: CAP });
    const made = jsonOf(await fleet.call('/api/amh/mandate', { ...POST, body }));
    const parties = { mandate: String(made['mandate_id']), platformKey: String(registered['api_key']) };
    return new Race(fleet, options, parties);
  }

  async caller(): Promise<void> {
    for (let number = this.#next++; number < this.#options.verifies; number = this.#next++) {
      while (number >= this.#gate) await this.#opened.promise;
      const { status, json, text } = await this.#verify(number);
      assert.equal(status, 200, text);
      if (json['ok'] === true) this.#allowed.set(String(json['verify_ref']), Number(json['amount_cents']));
      else this.#denied += 1;
      this.#answered += 1;
      this.#waiting.get(this.#answered)?.();
    }
  }

  /** Verifies before the first kill, between two kills, and after the last. */
  get #part(): number {
    return Math.ceil(this.#options.verifies / (this.#options.kills + 1));
  }

  /** Kills amid each part of the verifies but the last; the last process that comes back runs here. */
  async kill(): Promise<void> {
    const { kills } = this.#options;
    while (this.#killed < kills) {
      const amid = Math.ceil((this.#killed + 0.5) * this.#part);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.set(amid, resolve);
      if (this.#answered >= amid) resolve();
      await unlessHung(`${amid} verifies`, promise);
      this.#open(this.#gate + this.#part);
      await this.#fleet.killOne();
      this.#killed += 1;
      await (this.#killed === kills ? this.#fleet.startHere() : this.#fleet.start());
    }
  }

  #open(gate: number): void {
    this.#gate = gate;
    this.#opened.resolve();
    this.#opened = Promise.withResolvers();
  }

  report(kept: ReadonlySet<string>): MandateRaceReport {
    const allowed = this.#allowed;
    const forgotten = [...allowed.keys()].filter((ref) => !kept.has(ref)).length + Math.abs(kept.size - allowed.size);
    return {
      allowed: allowed.size,
      denied: this.#denied,
      repeated: this.#repeated,
      kills: this.#killed,
      allowed_cents: [...allowed.values()].reduce((sum, amount) => sum + amount, 0),
      cap_cents: CAP,
      forgotten,
    };
  }

  async #verify(number: number): Promise<Answer> {
    const amount = 1 + Math.floor((this.#fleet.random() * 6 * CAP) / this.#options.verifies);
    const more = { request_id: `call-${number}`, hold_seconds: 86_400 };
    const body: Body = asked(this.mandate, amount, `order ${number}`, more);
    for (;;) {
      const call = this.#fleet.call('/api/amh/verify', { ...POST, body, headers: this.#headers });
      const answer = await call.catch(() => undefined);
      if (answer !== undefined && answer.status < 500) return answer;
      this.#repeated += 1;
      await sleep(REPEAT_MS);
    }
  }
}

function jsonOf(answer: Answer | undefined): Record<string, unknown> {
  assert.ok(answer?.status === 201, answer?.text ?? 'no answer');
  return answer.json;
}
