// Buyers at the real payment gate before a chain that fails in every way: no charge without an answer, and none free.
import { HOUR_MS } from '#kernel/clock.ts';
import { type GateAnswer, type GatedCall, type PaidRow, paidRow } from '#kernel/paid-operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { statementStep } from '#platform/log/statement-unit.ts';
import { Challenger } from '#platform/payments/challenge.ts';
import { PaymentGate } from '#platform/payments/gate.ts';
import { PaymentLedger } from '#platform/payments/ledger.ts';
import { Reconciler } from '#platform/payments/reconciler.ts';
import { Settler } from '#platform/payments/settler.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import type { Step } from '#platform/storage/store.ts';
import { refuseFields } from '../../src/kernel/general-problems.ts';
import { Buyer } from '../support/buyer.ts';
import { MemoryChain, nameOf } from '../support/memory-chain.ts';
import { baseUrl, receiptKey, sold as operation, terms } from '../support/sold.ts';
import type { Chance } from './time.ts';
import { Broken, LOST, type Part, type Process, type World } from './world.ts';

const CALLERS = 2;
const RECONCILE_EVERY_MS = 600_000;
const LIFE_SECONDS = 120;
const engine = await chooseRecoverEngine();
const challenger = new Challenger({ terms, baseUrl, receiptKey, operation: operation as never, serviceName: 'Test' });

type Gate = (header: string) => Promise<GateAnswer>;

interface Sale {
  /** As the chain names the transfer. */
  readonly name: string;
  told: 'answer' | 'nothing';
}

interface Parts {
  readonly world: World;
  readonly chain: MemoryChain;
  readonly gates: Map<Process, Gate>;
  readonly sales: Sale[];
}

export function simulateGate(world: World): Part {
  const chance = world.chance.of('chain');
  const chain = new MemoryChain(() => Math.floor(world.time.now() / 1_000));
  const parts: Parts = { world, chain, gates: new Map(), sales: [] };
  const weather = () => {
    chain.mode = world.isCalm
      ? 'confirm'
      : chance.among({ confirm: 6, fail: 1, 'lost answer': 2, 'lost request': 2, throw: 1 });
    chain.isReachable = world.isCalm || chance.happens(0.9);
    if (!world.isCalm) world.time.after(chance.span(1_000, HOUR_MS), weather);
  };
  weather();
  const wait = () => world.time.sleep(world.isCalm ? 10 : chance.span(10, 60_000));
  Object.assign(chain, { beforeMove: wait, beforeAnswer: wait });
  world.onBirth((process) => void parts.gates.set(process, gateOf(parts, process, chance)));
  const running = Array.from({ length: CALLERS }, async (_, index) => {
    const own = world.chance.of(`buyer ${index}`);
    const buyer = new Buyer();
    while (!world.isCalm) {
      await world.think(own);
      await buy(parts, own, buyer);
    }
  });
  return {
    check: async () => check(parts),
    stop: async () => {
      weather();
      await Promise.all(running);
    },
  };
}

/** The gate of one process; its handler gives a verdict, refuses, breaks or takes too long. */
function gateOf({ world, chain }: Parts, process: Process, chance: Chance): Gate {
  const { name: owner, store, clock } = process;
  const handler = async () => {
    const what = chance.among({ verdict: 8, refusal: 1, broken: 1, late: 1 });
    if (what === 'late') await world.time.sleep(200_000);
    if (what === 'broken') throw new Broken('the handler broke');
    return what === 'refusal' ? refuseFields([]) : { result: { ok: true } };
  };
  const row: PaidRow<Step> = paidRow<typeof operation.input, typeof operation.output, Step>(
    operation,
    'spend_fuse',
    handler,
  );
  const sealRefundDue = (payment: string) => statementStep(`refund due ${payment}`, true);
  const rowOf = () => row;
  const logFault = () => {};
  const ledger = new PaymentLedger({ store, owner, rowOf, sealRefundDue });
  const parts = { terms, baseUrl, receiptKey, ledger, clock, rowOf, backend: chain, logFault, chainInstance: null };
  const settler = new Settler(parts);
  const reconciler = new Reconciler({ ...parts, settler });
  const settlement = { backend: chain, settler, reconciler };
  const gate = new PaymentGate({ ...parts, engine, serviceName: 'Test', settlement }).gateOf(row);
  world.every(process, RECONCILE_EVERY_MS, () => reconciler.kick(false));
  return (header: string) => gate(callWith(header));
}

function callWith(header: string): GatedCall {
  return {
    requestId: 'r',
    addressTag: 'a',
    isHead: false,
    url: '/v1/sold',
    query: () => ({}),
    input: () => ({}),
    header: (name) => (name === 'payment-signature' ? header : undefined),
  };
}

/** Signs one payment and sends it until it knows what became of it, or until its time is over. */
async function buy({ world, gates, sales }: Parts, chance: Chance, buyer: Buyer): Promise<void> {
  const nowSeconds = Math.floor(world.time.now() / 1_000);
  const { whole } = challenger.challenge('/v1/sold', 'x', nowSeconds);
  const { header, nonce } = await buyer.sign(whole, { nowSeconds, lifeSeconds: LIFE_SECONDS });
  const sale: Sale = { name: nameOf({ from: buyer.address, nonce }), told: 'nothing' };
  sales.push(sale);
  for (let tries = 0; tries < 6; tries += 1) {
    const told = await world.insist(chance, (process) => (gates.get(process) as Gate)(header));
    if (told === LOST) return;
    const { answer } = told;
    world.told(`gate ${answer instanceof Refusal ? answer.type.code : answer.status}`, answer);
    if (!(answer instanceof Refusal)) {
      sale.told = 'answer';
      return;
    }
    await world.time.sleep(chance.span(1_000, 40_000));
  }
}

const PAID = ['settled', 'refund_due'];

/** Who has an answer has paid; and in the end who has paid has an answer that waits, or a refund that is due. */
function check({ world, chain, sales }: Parts): string[] {
  const { isCalm } = world;
  const found: string[] = [];
  const rows = world.rows('SELECT payer, nonce, state FROM payment');
  const stateOf = new Map(rows.map((row) => [`${row['payer']} ${row['nonce']}`.toLowerCase(), String(row['state'])]));
  for (const { name, told } of sales) {
    const state = stateOf.get(name) ?? 'none';
    const isMoved = chain.transfers.has(name);
    if (told === 'answer' && !isMoved) found.push(`${name} was answered and not paid`);
    if (PAID.includes(state) && !isMoved) found.push(`${name} is ${state} and not paid`);
    if (isCalm && isMoved && !PAID.includes(state)) found.push(`${name} was paid and is ${state}`);
    if (isCalm && ['reserved', 'settling', 'unknown'].includes(state)) found.push(`${name} stays ${state}`);
  }
  return found;
}
