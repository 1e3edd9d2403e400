// Random handshakes against one store, and what must hold of its rows after every step.
import assert from 'node:assert/strict';
import fc from '#properties';
import { Mandates } from '#areas/mandates/service.ts';
import { ACTIONS, OUTCOMES } from '#areas/mandates/handshake.ts';
import { verifyAction } from '#areas/mandates/handshake-operations.ts';
import type { ManualClock } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { Answer, type Call } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { statementDraft } from '#log/erasure.ts';
import type { Row, Store } from '#storage/store.ts';
import { refuseFields } from '../src/problems.ts';

export type Step =
  | { type: 'verify'; platform: number; mandate: number; amount: number; payload: number; action: number; hold: number }
  | { type: 'seal'; verification: number; outcome: number; part: number | null }
  | { type: 'wait'; seconds: number }
  | { type: 'revoke'; mandate: number }
  | { type: 'sweep' };

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('verify' as const),
        platform: fc.nat(2),
        mandate: fc.nat(3),
        amount: fc.nat(60),
        payload: fc.nat(12),
        action: fc.nat(ACTIONS.length - 1),
        hold: fc.constantFrom(60, 900),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('seal' as const),
        verification: fc.nat(30),
        outcome: fc.nat(OUTCOMES.length - 1),
        part: fc.option(fc.nat(100)),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ type: fc.constant('wait' as const), seconds: fc.constantFrom(1, 61, 901, 86_400) }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('revoke' as const), mandate: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.constant({ type: 'sweep' as const }) },
  ),
  { minLength: 10, maxLength: 40 },
);

/** Four mandates with tight caps of every kind. */
const LIMITS = [
  { max_commit_cents: 100 },
  { max_commit_cents: 200, per_action_cap_cents: 50, max_actions: 4 },
  { max_commit_cents: 500, period: { unit: 'day', cap_cents: 80 } },
  { max_commit_cents: 500, period: { unit: 'week', max_actions: 3, cap_cents: 200 } },
] as const;

const call = (tag: string): Call => ({ requestId: 'r', addressTag: tag, mediaType: 'application/json' });

export function mandatesOn(store: Store, clock: ManualClock): Mandates {
  const hash = (...parts: readonly string[]) => sha256Hex(parts.join('\0'));
  const receipt = () => ({ signature: 's' }) as never;
  const notary = { sandbox: true, receipt };
  return new Mandates({
    store,
    clock,
    notary,
    statement: statementDraft,
    keyHash: hash,
    controlSecret: hash,
    refuseFields,
  });
}

/** Plays the steps and checks the books after each; gives the states that were reached. */
export async function play(
  store: Store,
  clock: ManualClock,
  run: number,
  given: readonly Step[],
): Promise<Set<string>> {
  const mandates = mandatesOn(store, clock);
  const platforms = await Promise.all(
    [0, 1, 2].map(async (number) => {
      const body = { name: `Shop ${number}`, mcp_url: 'https://shop.example', contact: 'https://shop.example' };
      return bodyOf(await mandates.register(body, call(`${run}-${number}`)));
    }),
  );
  const made = await Promise.all(
    LIMITS.map(async (limits) => {
      const valid_until = new Date(clock.now() + 300 * 86_400_000).toISOString();
      const body = { agent_id: 'agent:7', principal: 'Acme', valid_until, ...limits };
      return bodyOf(await mandates.create(body, call('a')));
    }),
  );
  const ids = made.map(({ mandate_id }) => String(mandate_id));
  const verified: { ref: string; key: string; amount: number }[] = [];
  const reached = new Set<string>();
  for (const step of given) {
    await take(step);
    for (const state of await checkBooks(store, ids)) reached.add(state);
  }
  return reached;

  async function take(step: Step): Promise<void> {
    if (step.type === 'wait') clock.advance(step.seconds * 1_000);
    else if (step.type === 'sweep') await mandates.sweep();
    else if (step.type === 'revoke') {
      const { mandate_id, control_token } = made[step.mandate] as Record<string, string>;
      await mandates.revoke({ mandate_id: mandate_id as string, control_token });
    } else if (step.type === 'verify') await verify(step);
    else await seal(step);
  }

  async function verify(step: Extract<Step, { type: 'verify' }>): Promise<void> {
    const key = String(platforms[step.platform]?.['api_key']);
    const action = ACTIONS[step.action];
    const input = verifyAction.input.parse({
      api_key: key,
      mandate_id: ids[step.mandate],
      action,
      ...(action === 'custom' && { custom_action: 'x' }),
      amount_cents: step.amount,
      currency: 'EUR',
      payload_hash: sha256Hex(`payload ${step.payload}`),
      hold_seconds: step.hold,
    });
    const { verify_ref } = bodyOf(await mandates.verify(input));
    verified.push({ ref: String(verify_ref), key, amount: step.amount });
  }

  async function seal({ verification, outcome, part }: Extract<Step, { type: 'seal' }>): Promise<void> {
    const one = verified[verification % Math.max(1, verified.length)];
    if (one === undefined) return;
    const final = part === null ? {} : { final_amount_cents: Math.floor((one.amount * part) / 100) };
    const sent = { api_key: one.key, verify_ref: one.ref, outcome: OUTCOMES[outcome] as (typeof OUTCOMES)[number] };
    const sealed = await mandates.seal({ ...sent, ...final });
    const allowed = ['transition_invalid', 'amount_exceeds_verified'];
    if (sealed instanceof Refusal) assert.ok(allowed.includes(sealed.type.code), sealed.type.code);
  }
}

function bodyOf(answered: unknown): Record<string, unknown> {
  assert.ok(answered instanceof Answer, JSON.stringify(answered));
  return answered.body as Record<string, unknown>;
}

const COUNTED = ['verified', 'placed', 'confirmed', 'delivered'];
const sum = (rows: readonly Row[], name: string) => rows.reduce((total, row) => total + Number(row[name]), 0);

/** Counters are the sum of their parts, and caps hold unless a late seal says otherwise. */
export async function checkBooks(store: Store, ids: readonly string[]): Promise<Set<string>> {
  const states = new Set<string>();
  for (const id of ids) {
    const [mandate] = await store.read('SELECT * FROM amh_mandate WHERE id = $1', [id]);
    const rows = await store.read('SELECT * FROM amh_verification WHERE mandate_id = $1', [id]);
    const periods = await store.read('SELECT * FROM amh_period WHERE mandate_id = $1', [id]);
    assert.ok(mandate !== undefined);
    for (const row of rows) states.add(String(row['state']));
    sameBooks(mandate, rows);
    assert.equal(mandate['holds'], rows.filter((row) => row['state'] === 'verified').length);
    for (const period of periods) {
      sameBooks(
        period,
        rows.filter((row) => row['period_start'] === period['period_start']),
      );
    }
    const isOver = rows.some((row) => row['over_cap'] === 1);
    assert.equal(mandate['over_cap'], Number(isOver), 'the flag comes from late seals and from nothing else');
    for (const row of rows) assert.ok(row['over_cap'] === 0 || row['late'] === 1);
    if (!isOver) checkCaps(mandate, periods);
  }
  return states;
}

function sameBooks(counters: Row, rows: readonly Row[]): void {
  const counted = rows.filter((row) => COUNTED.includes(String(row['state'])));
  assert.deepEqual(
    [counters['reserved'], counters['committed'], counters['actions']],
    [sum(rows, 'reserved'), sum(rows, 'committed'), counted.length],
  );
}

function checkCaps(mandate: Row, periods: readonly Row[]): void {
  const { max_commit_cents, max_actions = Infinity, period } = JSON.parse(String(mandate['body']));
  const used = (row: Row) => Number(row['reserved']) + Number(row['committed']);
  assert.ok(used(mandate) <= max_commit_cents && Number(mandate['actions']) <= max_actions);
  for (const row of period === undefined ? [] : periods) {
    assert.ok(
      used(row) <= (period.cap_cents ?? Infinity) && Number(row['actions']) <= (period.max_actions ?? Infinity),
    );
  }
}
