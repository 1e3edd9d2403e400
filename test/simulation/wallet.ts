// Wallets that are topped up by card, hold, capture and spend, and the books that must come of it.
import type { CardEvent, CheckoutSession, TopUp } from '#areas/wallet/topup/topup-state.ts';
import { TopUpSettlement } from '#areas/wallet/topup/topup-settlement.ts';
import { topUps } from '#areas/wallet/topup/topup-unit.ts';
import { DAY_MS, HOUR_MS } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { isRefused, ledger, type LedgerResult, walletOf } from '#platform/ledger/steps.ts';
import type { Step } from '#platform/storage/store.ts';
import { checkBooks } from '../models/ledger-model.ts';
import type { Chance } from './time.ts';
import { LOST, type Part, type Process, type World } from './world.ts';

const AGENTS = ['agt_a', 'agt_b', 'agt_c'];
const CALLERS = 4;
const PRICE_CENTS = 500;
const MICRO_PER_CENT = 10_000;
const SWEEP_EVERY_MS = HOUR_MS / 2;

/** An effect on a wallet that can be found by its name, whoever was told of it. */
interface Effect {
  readonly agentId: string;
  readonly idem: string;
  readonly amountMicro: number;
  told: LedgerResult | undefined;
  /** How often it came to a process. */
  tries: number;
}

interface Bank {
  readonly sessions: CheckoutSession[];
  readonly paid: Set<string>;
}

export function simulateWallet(world: World): Part {
  const bank: Bank = { sessions: [], paid: new Set() };
  const settlements = new Map<Process, TopUpSettlement>();
  const processor = { sessionOfPayment: async () => undefined, refundsOf: async () => [] } as never;
  world.onBirth((process) => {
    const { store, clock } = process;
    settlements.set(process, new TopUpSettlement({ store, clock, processor, warn: () => {} }));
    const expire = () => store.runAll([ledger.expire({ dueBeforeMs: clock.now() })]);
    world.every(process, SWEEP_EVERY_MS, expire);
  });
  const effects: Effect[] = [];
  const parts = { world, bank, effects, settlements };
  const chance = world.chance.of('wallet');
  const opened = AGENTS.map((agentId) => world.insist(chance, ({ store }) => store.runAll([ledger.open({ agentId })])));
  const running = Array.from({ length: CALLERS }, async (_, index) => {
    await Promise.all(opened);
    const caller = new Payer(parts, world.chance.of(`payer ${index}`));
    while (!world.isCalm) await caller.step();
  });
  return {
    check: () => check(parts),
    stop: async () => {
      await Promise.all(running);
      // The processor tells of every session again until it is heard.
      for (const session of bank.sessions) {
        await world.insist(chance, (process) => (settlements.get(process) as TopUpSettlement).settle(session));
      }
    },
  };
}

interface Parts {
  readonly world: World;
  readonly bank: Bank;
  readonly effects: Effect[];
  readonly settlements: ReadonlyMap<Process, TopUpSettlement>;
}

class Payer {
  readonly #parts: Parts;
  readonly #chance: Chance;

  constructor(parts: Parts, chance: Chance) {
    this.#parts = parts;
    this.#chance = chance;
  }

  async step(): Promise<void> {
    await this.#parts.world.think(this.#chance);
    const agentId = this.#chance.pick(AGENTS);
    const does = { topUp: 2, spend: 3, hold: 5 } as const;
    const what = this.#chance.among(does);
    if (what === 'topUp') return this.#topUp(agentId);
    if (what === 'spend') return this.#spend(agentId);
    return this.#hold(agentId);
  }

  /** The card is charged or not, and the processor tells of it never, once or often, soon or late, in any order. */
  async #topUp(agentId: string): Promise<void> {
    const { world, bank, settlements } = this.#parts;
    const id = newId('tu_');
    const topUp = newTopUp(id, agentId, world.time.now());
    const told = await world.insist(this.#chance, ({ store }) => store.runAll([topUps.open(topUp)]));
    if (told === LOST || told[0]?.type !== 'topup') return;
    const isPaid = this.#chance.happens(0.7);
    const session = newSession(id, isPaid, world.time.now());
    bank.sessions.push(session);
    if (isPaid) bank.paid.add(id);
    const news = [{ ...session, status: 'open', paymentStatus: 'unpaid' }, session, session, session];
    for (const [index, about] of news.entries()) {
      if (this.#chance.happens(0.4)) continue;
      const event = eventOf(`${id} ${index % 3}`, about, world.time.now());
      world.time.after(this.#chance.span(10, 6 * HOUR_MS), () => {
        void world.ask(this.#chance, (process) => (settlements.get(process) as TopUpSettlement).handle(event));
      });
    }
  }

  async #spend(agentId: string): Promise<void> {
    const amountMicro = 1 + this.#chance.below(2_000_000);
    const idem = `bom:${newId('tx_')}`;
    const legs = [
      { account: walletOf(agentId), amountMicro },
      { account: 'revenue:bom', amountMicro: -amountMicro },
    ];
    const post = () => ledger.post({ txId: newId('tx_'), kind: 'bom', idem, ref: null, legs });
    await this.#effect({ agentId, idem, amountMicro, told: undefined, tries: 0 }, post);
  }

  async #hold(agentId: string): Promise<void> {
    const { world } = this.#parts;
    const amountMicro = 2 + this.#chance.below(3_000_000);
    const idem = newId('hold_');
    const lifeMs = this.#chance.span(1_000, 20 * HOUR_MS);
    const held = await this.#told(() =>
      ledger.hold({ holdId: newId('hold_'), agentId, amountMicro, idem, ref: null, lifeMs }),
    );
    if (held?.type !== 'done' || held.holdId === null) return;
    const { holdId } = held;
    await world.think(this.#chance);
    const taken = Math.ceil(amountMicro / 2);
    const legs = [{ account: 'revenue:capability', amountMicro: -taken }];
    const what = this.#chance.among({ capture: 6, release: 3, leave: 1 });
    if (what === 'release') await this.#told(() => ledger.release({ holdId }));
    if (what !== 'capture') return;
    const effect = { agentId, idem: `cap:${holdId}`, amountMicro: taken, told: undefined, tries: 0 };
    await this.#effect(effect, () =>
      ledger.capture({ holdId, amountMicro: taken, kind: 'capability', txId: newId('tx_'), legs }),
    );
  }

  /** What was done once is answered the same for ever. */
  async #effect(effect: Effect, make: () => Step): Promise<void> {
    const { effects, world } = this.#parts;
    effects.push(effect);
    const counted = () => {
      effect.tries += 1;
      return make();
    };
    const first = await this.#told(counted);
    effect.told = first;
    if (first?.type !== 'done' || !this.#chance.happens(0.3)) return;
    await world.think(this.#chance);
    const again = await this.#told(counted);
    if (again === undefined) return;
    if (again.type !== 'done' || again.txId !== first.txId || !again.replayed) {
      world.violation(`${effect.idem} was answered ${JSON.stringify(first)} and then ${JSON.stringify(again)}`);
    }
  }

  /** Each try is a call of its own, with fresh ids. */
  async #told(make: () => Step): Promise<LedgerResult | undefined> {
    const { world } = this.#parts;
    const told = await world.insist(this.#chance, ({ store }) => store.runAll([make()], isRefused));
    if (told === LOST) return undefined;
    const [result] = told as LedgerResult[];
    world.told(`ledger ${result?.type === 'refused' ? result.code : result?.type}`, result);
    return result;
  }
}

/** The books balance, every answer stands in them, and each wallet holds what came in less what went out. */
async function check({ world, bank, effects }: Parts): Promise<string[]> {
  const { isCalm } = world;
  const found: string[] = [];
  await checkBooks(world.reader as never).catch((error: Error) => found.push(error.message));
  const idOf = new Map(world.rows('SELECT idem, id FROM ledger_tx').map((row) => [row['idem'], row['id']]));
  const balances = new Map(AGENTS.map((agentId) => [agentId, 0]));
  const book = (agentId: string, micro: number) => balances.set(agentId, (balances.get(agentId) ?? 0) + micro);
  for (const { agentId, idem, amountMicro, told, tries } of effects) {
    const id = idOf.get(idem);
    if (told?.type === 'done' && told.txId !== id) found.push(`${idem} was told as ${told.txId} and is ${id}`);
    if (told?.type === 'refused' && id !== undefined && tries === 1)
      found.push(`${idem} was refused as ${told.code} and yet done`);
    if (id !== undefined) book(agentId, -amountMicro);
  }
  for (const row of world.rows('SELECT id, agent_id, status, session_id FROM topup')) {
    const isCredited = idOf.has(`topup:${row['session_id']}`);
    const isPaid = bank.paid.has(String(row['id']));
    if (isCredited && !isPaid) found.push(`${row['id']} was credited and never paid`);
    if (isCalm && isPaid && !isCredited) found.push(`${row['id']} was paid and never credited`);
    if (isCredited !== (row['status'] === 'credited')) found.push(`${row['id']} says ${row['status']}`);
    if (isCredited) book(String(row['agent_id']), PRICE_CENTS * MICRO_PER_CENT);
  }
  for (const [agentId, expected] of balances) {
    const [account] = world.rows('SELECT posted FROM ledger_account WHERE id = $1', [walletOf(agentId)]);
    const posted = account?.['posted'] ?? 0;
    if (posted !== expected) found.push(`the wallet of ${agentId} holds ${posted}, not ${expected}`);
  }
  const [open] = isCalm ? world.rows("SELECT id FROM ledger_hold WHERE status = 'pending'") : [];
  if (open !== undefined) found.push(`${open['id']} never ends`);
  return found;
}

function newTopUp(id: string, agentId: string, createdAtMs: number): TopUp {
  return {
    id,
    agentId,
    tier: 'starter',
    priceCents: PRICE_CENTS,
    status: 'created',
    createdAtMs,
    version: 0,
    sessionId: null,
    paymentIntent: null,
    checkoutUrl: null,
    isLive: null,
    openedAtMs: null,
    expiresAtMs: null,
    nextPollAtMs: null,
    creditedAtMs: null,
    txId: null,
    review: null,
  };
}

function newSession(topUpId: string, isPaid: boolean, nowMs: number): CheckoutSession {
  return {
    id: `cs_${topUpId}`,
    topUpId,
    amountCents: PRICE_CENTS,
    currency: 'eur',
    paymentIntent: `pi_${topUpId}`,
    status: isPaid ? 'complete' : 'expired',
    paymentStatus: isPaid ? 'paid' : 'unpaid',
    url: null,
    expiresAtMs: nowMs + DAY_MS,
    isLive: false,
  };
}

function eventOf(id: string, session: CheckoutSession, createdAtMs: number): CardEvent {
  return { id, type: 'checkout.session', createdAtMs, about: 'session', session, hasFailed: false };
}
