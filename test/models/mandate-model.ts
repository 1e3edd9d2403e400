// Random handshakes against one store, and what must hold of its rows after every step.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedOfEntry } from '#platform/log/public-log.ts';
import fc from '#properties';
import { Mandates } from '#areas/mandates/service.ts';
import { REASONS } from '#areas/mandates/checks.ts';
import { ACTIONS, HANDSHAKE_OUTCOMES, STATES } from '#areas/mandates/handshake.ts';
import type { MandateBody } from '#areas/mandates/mandate-body.ts';
import { verifyAction } from '#areas/mandates/handshake-operations.ts';
import { approveAction } from '#areas/mandates/mandate-operations.ts';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { Answer, type Call } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { NO_ROOTS } from '#protocol/ap2/trust.ts';
import type { Row, Store } from '#platform/storage/store.ts';
import { openStore } from '../support/engines.ts';
import { type Asked, MandateReference } from './mandate-reference.ts';

type Step =
  | ({ type: 'verify'; hold: number; approved: boolean } & Pick<
      Asked,
      'platform' | 'mandate' | 'amount' | 'payload' | 'action' | 'currency' | 'counterparty' | 'minAssurance'
    >)
  | { type: 'approve'; mandate: number; action: (typeof ACTIONS)[number]; payload: number; amount: number }
  | { type: 'seal'; verification: number; outcome: (typeof HANDSHAKE_OUTCOMES)[number]; part: number | null }
  | { type: 'wait'; seconds: number }
  | { type: 'revoke'; mandate: number }
  | { type: 'narrow'; mandate: number; platforms: number[] }
  | { type: 'void'; mandate: number }
  | { type: 'sweep' };

const mandateNumber = fc.nat(5);
const payload = fc.nat(8);
/** Mostly the same few, so that payloads meet again. */
const action = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('order.place' as const, 'custom' as const) },
  { weight: 1, arbitrary: fc.constantFrom(...ACTIONS) },
);
const mostly = <T>(usual: T, other: T) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) });
const of = <T extends string>(type: T) => fc.constant(type);

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 16,
      arbitrary: fc.record({
        type: of('verify'),
        platform: fc.nat(2),
        mandate: mandateNumber,
        amount: fc.nat(60),
        payload,
        action,
        currency: mostly('EUR', 'USD'),
        counterparty: mostly<string | null>('Harbour', null),
        minAssurance: mostly<Asked['minAssurance']>('unsigned', 'principal_signed'),
        hold: fc.constantFrom(60, 900),
        approved: fc.boolean(),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        type: of('seal'),
        verification: fc.nat(40),
        outcome: fc.constantFrom(...HANDSHAKE_OUTCOMES),
        part: fc.option(fc.nat(110)),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ type: of('approve'), mandate: fc.constant(4), action, payload, amount: fc.nat(60) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ type: of('wait'), seconds: fc.constantFrom(1, 31, 61, 901, 3_601, 86_400) }),
    },
    { weight: 1, arbitrary: fc.record({ type: of('revoke'), mandate: mandateNumber }) },
    {
      weight: 2,
      arbitrary: fc.record({
        type: of('narrow'),
        mandate: mandateNumber,
        platforms: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 2 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: of('void'), mandate: mandateNumber }) },
    { weight: 1, arbitrary: fc.record({ type: of('sweep') }) },
  ),
  { maxLength: 80, size: 'max' },
);

/** Six mandates with tight limits of every kind. */
function limitsAt(nowMs: number, firstPlatform: string): readonly object[] {
  const after = (ms: number) => new Date(nowMs + ms).toISOString();
  return [
    { max_commit_cents: 70 },
    { max_commit_cents: 200, per_action_cap_cents: 50, max_actions: 2 },
    { max_commit_cents: 500, period: { unit: 'day', cap_cents: 80 } },
    { max_commit_cents: 500, period: { unit: 'week', max_actions: 3, cap_cents: 200 } },
    {
      max_commit_cents: 300,
      platforms: [firstPlatform],
      actions: ['order.place', 'custom'],
      custom_actions: ['x'],
      counterparties: ['Harbour'],
      approval: { required_above_cents: 20 },
      valid_from: after(30_000),
      valid_until: after(2 * DAY_MS),
    },
    { max_commit_cents: 300, agent_pubkey: Buffer.alloc(32, 7).toString('base64') },
  ];
}

const call = (tag: string): Call => ({ requestId: 'r', addressTag: tag, mediaType: 'application/json' });

export function mandatesOn(store: Store, clock: ManualClock): Mandates {
  const hash = (...parts: readonly string[]) => sha256Hex(parts.join('\0'));
  const receipts = { frame: () => ({ sandbox: true }) as never, complete: () => ({ signature: 's' }) as never };
  return new Mandates({
    store,
    clock,
    sandbox: true,
    receipts,
    rules: { ofName: async () => null },
    seedOf: (id) => seedOfEntry(store, id),
    keyHash: hash,
    controlSecret: hash,
    ap2Roots: NO_ROOTS,
    contact: 'https://sandbox.invalid/contact',
  });
}

/** Plays the steps beside the reference and checks the books after each; gives the states and reasons reached. */
async function play(store: Store, clock: ManualClock, run: number, given: readonly Step[]): Promise<Set<string>> {
  const mandates = mandatesOn(store, clock);
  const platforms: { id: string; key: string }[] = [];
  for (const number of [0, 1, 2]) {
    const body = { name: `Shop ${number}`, mcp_url: 'https://shop.example', contact: 'https://shop.example' };
    const { platform_id, api_key } = bodyOf(await mandates.register(body, call(`${run}-${number}`)));
    platforms.push({ id: String(platform_id), key: String(api_key) });
  }
  const valid_until = new Date(clock.now() + 300 * DAY_MS).toISOString();
  const bodies = limitsAt(clock.now(), String(platforms[0]?.id)).map(
    (limits) => ({ agent_id: 'agent:7', principal: 'Acme', valid_until, ...limits }) as MandateBody,
  );
  const made: Record<string, string>[] = [];
  for (const body of bodies) made.push(bodyOf(await mandates.create(body, call('a'))) as Record<string, string>);
  const ids = made.map(({ mandate_id }) => String(mandate_id));
  const reference = new MandateReference(bodies, new Map([[4, [0]]]));
  const refs: string[] = [];
  const reached = new Set<string>();
  for (const step of given) {
    await take(step);
    for (const state of await checkBooks(store, ids)) reached.add(state);
    const rows = await store.read(
      `SELECT * FROM amh_verification WHERE mandate_id IN (${ids.map((_, at) => `$${at + 1}`).join(', ')})`,
      ids,
    );
    const byRef = new Map(rows.map((row) => [row['ref'], row]));
    reference.same(refs.map((ref) => byRef.get(ref) as Row));
  }
  return reached;

  async function take(step: Step): Promise<void> {
    if (step.type === 'wait') clock.advance(step.seconds * 1_000);
    else if (step.type === 'sweep') {
      await mandates.sweep();
      reference.expire(clock.now(), () => true);
    } else if (step.type === 'revoke') {
      await mandates.revoke(controlOf(step.mandate));
      if (!reference.revoked.has(step.mandate)) reference.expire(clock.now(), (one) => one.mandate === step.mandate);
      reference.revoked.add(step.mandate);
    } else if (step.type === 'verify') await verify(step);
    else if (step.type === 'approve') await approve(step);
    else if (step.type === 'narrow') await narrow(step);
    else if (step.type === 'void') await takeBack(step);
    else await seal(step);
  }

  async function approve({
    mandate: number,
    action: asked,
    payload: sent,
    amount,
  }: Extract<Step, { type: 'approve' }>) {
    const input = approveAction.input.parse({
      ...controlOf(number),
      action: asked,
      ...(asked === 'custom' && { custom_action: 'x' }),
      amount_cents: amount,
      currency: 'EUR',
      payload_hash: hashOf(sent),
    });
    const { approval_ref, expires_at } = bodyOf(await mandates.approve(input));
    const untilMs = Date.parse(String(expires_at));
    reference.approvals.set(String(approval_ref), {
      mandate: number,
      action: asked,
      payload: sent,
      amount,
      untilMs,
      used: false,
    });
  }

  async function narrow({ mandate: number, platforms: named }: Extract<Step, { type: 'narrow' }>): Promise<void> {
    const told = await mandates.narrow({ ...controlOf(number), platforms: named.map((at) => platforms[at]?.id ?? '') });
    assert.equal(told instanceof Refusal ? told.type.code : 'narrowed', reference.narrow(number, named));
  }

  async function takeBack({ mandate: number }: Extract<Step, { type: 'void' }>): Promise<void> {
    for (const [at, { id }] of platforms.entries()) {
      const told = await mandates.voidUses({ ...controlOf(number), platform_id: id });
      const came = told instanceof Refusal ? told.type.code : told.returned_cents;
      assert.equal(came, reference.void(number, at));
    }
  }

  function controlOf(number: number): { mandate_id: string; control_token: string } {
    const { mandate_id = '', control_token = '' } = made[number] ?? {};
    return { mandate_id, control_token };
  }

  async function verify(step: Extract<Step, { type: 'verify' }>): Promise<void> {
    const { hold, approved, type: _, ...rest } = step;
    const approval = approved ? ([...reference.approvals.keys()].at(-1) ?? null) : null;
    const input = verifyAction.input.parse({
      api_key: platforms[step.platform]?.key,
      mandate_id: ids[step.mandate],
      action: step.action,
      ...(step.action === 'custom' && { custom_action: 'x' }),
      amount_cents: step.amount,
      currency: step.currency,
      payload_hash: hashOf(step.payload),
      hold_seconds: hold,
      min_assurance: step.minAssurance,
      ...(step.counterparty !== null && { counterparty: step.counterparty }),
      ...(approval !== null && { approval_ref: approval }),
    });
    const { verify_ref, reason, ok } = bodyOf(await mandates.verify(input));
    const expected = reference.verify({ ...rest, holdMs: hold * 1_000, approval }, clock.now());
    assert.deepEqual([reason, ok], [expected, expected === 'within_mandate']);
    reached.add(String(reason));
    refs.push(String(verify_ref));
  }

  async function seal({ verification, outcome, part }: Extract<Step, { type: 'seal' }>): Promise<void> {
    const at = verification % Math.max(1, refs.length);
    const one = reference.all[at];
    if (one === undefined) return;
    const final = part === null ? null : Math.floor((one.amount * part) / 100);
    const api_key = platforms[one.platform]?.key;
    const sent = { api_key, verify_ref: refs[at] as string, outcome };
    const sealed = await mandates.seal({ ...sent, ...(final !== null && { final_amount_cents: final }) });
    const came =
      sealed instanceof Refusal ? sealed.type.code : (sealed as Answer<object>).replayed ? 'replayed' : 'sealed';
    assert.equal(came, reference.seal(one, outcome, final, clock.now()));
  }
}

function hashOf(number: number): string {
  return sha256Hex(`payload ${number}`);
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

/** Declares the test. @param reachesAll a run that is long enough reaches every state and reason */
export function declareMandateModel({ numRuns, reachesAll }: { numRuns: number; reachesAll: boolean }): void {
  test('whatever is verified, approved, sealed, left, narrowed, voided or revoked: decisions and books are those of the plainest reading', async () => {
    const injectedClock = new ManualClock();
    await using opened = await openStore('sqlite', { injectedClock });
    const reached = new Set<string>();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        run += 1;
        for (const one of await play(opened.store, injectedClock, run, given)) reached.add(one);
      }),
      { numRuns },
    );
    // Imported mandates are compared with an independent reader instead (chains.test.ts).
    const all = new Set<string>([...STATES, ...REASONS.filter((reason) => !reason.startsWith('ap2_'))]);
    assert.deepEqual([...reached.difference(all)], []);
    if (reachesAll) assert.deepEqual([...all.difference(reached)], [], 'every state and reason is reached');
  });
}
