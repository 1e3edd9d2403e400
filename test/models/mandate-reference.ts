// What a mandate allows, told once more in the plainest way: every rule looks at all verifications.
import assert from 'node:assert/strict';
import type { MandateBody } from '#areas/mandates/mandate-body.ts';
import { DAY_MS } from '#kernel/clock.ts';

export interface Asked {
  readonly mandate: number;
  readonly platform: number;
  readonly action: string;
  readonly amount: number;
  readonly currency: string;
  readonly payload: number;
  readonly counterparty: string | null;
  readonly minAssurance: 'unsigned' | 'principal_signed';
  readonly holdMs: number;
  readonly approval: string | null;
}

interface Booked extends Asked {
  state: string;
  reserved: number;
  committed: number;
  readonly atMs: number;
  readonly dueMs: number;
  readonly sealed: Set<string>;
}

interface Approved {
  readonly mandate: number;
  readonly action: string;
  readonly payload: number;
  readonly amount: number;
  readonly untilMs: number;
  used: boolean;
}

const LIVE = ['verified', 'placed', 'confirmed', 'delivered'];
const ORDER = ['placed', 'confirmed', 'delivered'];

/** The first day of the period, by walking back to it. */
function periodOf(unit: string, atMs: number): string {
  let day = new Date(atMs);
  const isFirst = () => unit === 'day' || (unit === 'week' ? day.getUTCDay() === 1 : day.getUTCDate() === 1);
  while (!isFirst()) day = new Date(day.getTime() - DAY_MS);
  return day.toISOString().slice(0, 10);
}

export class MandateReference {
  readonly all: Booked[] = [];
  readonly approvals = new Map<string, Approved>();
  readonly revoked = new Set<number>();
  readonly #bodies: readonly MandateBody[];
  /** Every list of platforms that a mandate ever had, in their order. */
  readonly #lists: Map<number, (readonly number[])[]>;

  constructor(bodies: readonly MandateBody[], listed: ReadonlyMap<number, readonly number[]>) {
    this.#bodies = bodies;
    this.#lists = new Map(
      bodies.map((_, mandate) => [mandate, [listed.get(mandate) ?? []].filter((list) => list.length > 0)]),
    );
  }

  narrow(mandate: number, platforms: readonly number[]): string {
    const lists = this.#lists.get(mandate) ?? [];
    const last = lists.at(-1);
    if (last !== undefined && platforms.some((one) => !last.includes(one))) return 'not_narrower';
    lists.push(platforms);
    return 'narrowed';
  }

  /** What goes back to the budget, or the code of the refusal. */
  void(mandate: number, platform: number): number | string {
    const [first] = this.#lists.get(mandate) ?? [];
    if (first === undefined || first.includes(platform)) return 'platform_known';
    let returned = 0;
    for (const one of this.all) {
      const isMeant = one.mandate === mandate && one.platform === platform;
      if (!isMeant || ![...LIVE, 'expired'].includes(one.state)) continue;
      returned += one.reserved + one.committed;
      Object.assign(one, { state: 'voided', reserved: 0, committed: 0 });
    }
    return returned;
  }

  /** Holds that are over are given back when somebody asks about their mandate, or the sweep comes. */
  expire(nowMs: number, isMeant: (one: Booked) => boolean): void {
    for (const one of this.all) {
      if (one.state !== 'verified' || one.dueMs > nowMs || !isMeant(one)) continue;
      one.state = 'expired';
      one.reserved = 0;
    }
  }

  verify(asked: Asked, nowMs: number): string {
    this.expire(nowMs, ({ mandate }) => mandate === asked.mandate);
    const reason = this.#reason(asked, nowMs);
    const isAllowed = reason === 'within_mandate';
    if (isAllowed && asked.approval !== null) {
      const approval = this.approvals.get(asked.approval);
      if (approval !== undefined && this.#fits(approval, asked, nowMs)) approval.used = true;
    }
    this.all.push({
      ...asked,
      state: isAllowed ? 'verified' : 'denied',
      reserved: isAllowed ? asked.amount : 0,
      committed: 0,
      atMs: nowMs,
      dueMs: nowMs + asked.holdMs,
      sealed: new Set(),
    });
    return reason;
  }

  #fits(approval: Approved, asked: Asked, nowMs: number): boolean {
    const { mandate, action, payload, used, untilMs } = approval;
    const isSame = mandate === asked.mandate && action === asked.action && payload === asked.payload;
    return isSame && asked.currency === 'EUR' && !used && nowMs < untilMs;
  }

  #reason(asked: Asked, nowMs: number): string {
    const body = this.#bodies[asked.mandate] as MandateBody;
    const { amount, action } = asked;
    if (this.revoked.has(asked.mandate)) return 'mandate_revoked';
    if (body.valid_from !== undefined && nowMs < Date.parse(body.valid_from)) return 'not_yet_valid';
    if (nowMs >= Date.parse(body.valid_until)) return 'expired';
    const list = this.#lists.get(asked.mandate)?.at(-1);
    if (list?.includes(asked.platform) === false) return 'platform_not_allowed';
    if (body.actions !== undefined && !(body.actions as readonly string[]).includes(action))
      return 'action_not_allowed';
    if (action === 'custom' && !body.custom_actions?.includes('x')) return 'action_not_allowed';
    if (body.counterparties !== undefined && !body.counterparties.includes(asked.counterparty ?? '')) {
      return 'counterparty_not_allowed';
    }
    if (asked.currency !== 'EUR') return 'currency_mismatch';
    if (amount === 0 && ['order.place', 'payment.authorize'].includes(action)) return 'amount_invalid';
    if (amount > (body.per_action_cap_cents ?? body.max_commit_cents)) return 'per_action_cap_exceeded';
    const over = this.#over(asked, amount, nowMs, 1);
    if (over !== null) return over;
    const isSame = (one: Booked) =>
      one.mandate === asked.mandate && one.action === action && one.payload === asked.payload;
    if (this.all.some((one) => isSame(one) && LIVE.includes(one.state))) return 'duplicate_payload';
    if (asked.minAssurance === 'principal_signed') return 'assurance_too_low';
    if (body.agent_pubkey !== undefined) return 'signature_invalid';
    if (body.approval !== undefined && amount > body.approval.required_above_cents) {
      const approval = asked.approval === null ? undefined : this.approvals.get(asked.approval);
      if (approval === undefined || !this.#fits(approval, asked, nowMs) || amount > approval.amount) {
        return 'approval_required';
      }
    }
    return 'within_mandate';
  }

  /** What one more action, or more money on one that is counted, would pass; the period is that of `atMs`. */
  #over({ mandate }: Asked, amount: number, atMs: number, actions: 0 | 1): string | null {
    const body = this.#bodies[mandate] as MandateBody;
    const { period } = body;
    const ofMandate = this.all.filter((one) => one.mandate === mandate);
    const passes = (counted: readonly Booked[], cap: number, most: number, reason: string) => {
      const used = counted.reduce((sum, { reserved, committed }) => sum + reserved + committed, 0);
      if (used + amount > cap) return reason;
      const live = counted.filter(({ state }) => LIVE.includes(state)).length;
      return live + actions > most ? 'max_actions_exceeded' : null;
    };
    const isOfPeriod = (one: Booked) => period && periodOf(period.unit, one.atMs) === periodOf(period.unit, atMs);
    const ofPeriod =
      period &&
      passes(
        ofMandate.filter(isOfPeriod),
        period.cap_cents ?? Infinity,
        period.max_actions ?? Infinity,
        'period_cap_exceeded',
      );
    const { max_commit_cents: cap, max_actions: most = Infinity } = body;
    return ofPeriod ?? passes(ofMandate, cap, most, 'cumulative_cap_exceeded');
  }

  /** `sealed`, `replayed` or the code of the refusal. */
  seal(one: Booked, outcome: string, final: number | null, nowMs: number): string {
    const call = `${outcome} ${final}`;
    if (one.sealed.has(call)) return 'replayed';
    const before = { state: one.state, reserved: one.reserved };
    this.expire(nowMs, (other) => other === one);
    const refused = this.#sealed(one, outcome, final);
    if (refused === null) one.sealed.add(call);
    else Object.assign(one, before);
    return refused ?? 'sealed';
  }

  #sealed(one: Booked, outcome: string, final: number | null): string | null {
    const from = one.state;
    const isDone = ORDER.includes(outcome);
    const isOpen = ['verified', 'expired'].includes(from);
    const isForward = isDone
      ? isOpen || ORDER.indexOf(outcome) > ORDER.indexOf(from)
      : isOpen || ['placed', 'confirmed'].includes(from);
    const isFollowing = from === 'denied' ? outcome === 'refused' : isForward && (isOpen || ORDER.includes(from));
    if (!isFollowing || from === 'delivered') return 'transition_invalid';
    if (final !== null && final > one.amount) return 'amount_exceeds_verified';
    if (from === 'denied' || !isDone) {
      Object.assign(one, { state: outcome, reserved: 0, committed: 0 });
      return null;
    }
    const amount = final ?? (isOpen ? one.amount : one.committed);
    const more = amount - one.committed;
    if (ORDER.includes(from) && more > 0 && this.#over(one, more, one.atMs, 0) !== null)
      return 'amount_exceeds_verified';
    Object.assign(one, { state: outcome, reserved: 0, committed: amount });
    return null;
  }

  /** Compares with the rows, in the order in which they were made. */
  same(rows: readonly Readonly<Record<string, unknown>>[]): void {
    assert.deepEqual(
      rows.map(({ state, reserved, committed }) => ({ state, reserved, committed })),
      this.all.map(({ state, reserved, committed }) => ({ state, reserved, committed })),
    );
  }
}
