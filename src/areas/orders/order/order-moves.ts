import { newCommandId, newId, newToken } from '#kernel/ids.ts';
import { isAnswered } from '#platform/ledger/answers.ts';
import { isRefused, ledger } from '#platform/ledger/steps.ts';
import { type Step, step } from '#platform/storage/store.ts';
import { FEE_HOLD_KEY, type FeeMove, type Order, ORDER_MOVES, type OrderState } from './order.ts';
import { type Entropy, isNotMoved, orderUnit } from './order-unit.ts';

/** What a move is told beside the state that it leads to. */
export interface MoveFacts {
  readonly sandbox: boolean;
  readonly verifyRef?: string;
  /** Of the supplier's document, where the operator entered one. */
  readonly documentSha256?: string | undefined;
}

/** The steps of a move with what it does to the fee, all in one transaction: those that can refuse come first. */
export function moveSteps(order: Order, to: OrderState, { sandbox, verifyRef, documentSha256 }: MoveFacts): Step[] {
  const { id, state: from } = order;
  const holdId = newId('hold_');
  const txId = newId('tx_');
  const fee: FeeMove = ORDER_MOVES[from][to] ?? 'none';
  const set = {
    ...(verifyRef !== undefined && { verifyRef }),
    ...(fee === 'hold' && { holdId }),
    ...(fee === 'capture' && { feeTx: txId }),
  };
  return [
    ...(from === 'quoted' && to === 'placed' ? [] : [step(orderUnit, { type: 'check', id, from, to })]),
    ...FEE_STEPS[fee](order, { holdId, txId }),
    step(orderUnit, { type: 'move', id, from, to, set, documentSha256, entropy: entropyOf(sandbox) }),
  ];
}

/** Whether a step says that the rest is not to be done. */
export function isStopped(result: unknown): boolean {
  return isAnswered(result) || isRefused(result) || isNotMoved(result);
}

export function entropyOf(sandbox: boolean): Entropy {
  return { seed: newToken(), nonce: newCommandId(), sandbox };
}

const FEE_STEPS: Readonly<Record<FeeMove, (order: Order, ids: { holdId: string; txId: string }) => Step[]>> = {
  none: () => [],
  hold: ({ id, agentId, feeMicro }, { holdId }) => [
    ledger.hold({ holdId, agentId, amountMicro: feeMicro, idem: `${FEE_HOLD_KEY}${id}`, ref: id, lifeMs: null }),
  ],
  capture: ({ holdId, feeMicro }, { txId }) => [
    ledger.capture({
      holdId: holdId as string,
      amountMicro: feeMicro,
      kind: 'order_fee',
      txId,
      legs: [{ account: 'revenue:order_fee', amountMicro: -feeMicro }],
    }),
  ],
  void: ({ holdId }) => [ledger.release({ holdId: holdId as string })],
  reverse: ({ id, feeTx }, { txId }) => [
    ledger.reverse({ txId, of: feeTx as string, idem: `ordfeerev:${id}`, kind: 'order_fee_reversed' }),
  ],
};
