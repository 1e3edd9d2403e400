import { defineProblem } from '#kernel/problem.ts';

export const insufficientFunds = defineProblem({
  code: 'insufficient_funds',
  status: 402,
  title: 'Wallet balance too low',
  help: 'The available balance is lower than what the call may cost. needed_eur and available_eur say how much, and topup is where to add money. Nothing was charged.',
});
export const walletFrozen = defineProblem({
  code: 'wallet_frozen',
  status: 403,
  title: 'Wallet frozen',
  help: 'A card payment of this wallet is disputed. The wallet can receive money, but cannot pay until the dispute is resolved.',
});
export const ledgerHalted = defineProblem({
  code: 'ledger_halted',
  status: 503,
  title: 'Payments from wallets are paused',
  help: 'A ledger audit found an error. You can read balances, but no money moves until the operator has resolved it. Nothing was charged.',
});
export const tooManyTopUps = defineProblem({
  code: 'too_many_topups',
  status: 409,
  title: 'Too many open top-ups',
  help: 'A wallet can have at most ten open top-ups. Pay one, or wait until one expires. GET /api/agents/wallet lists them.',
});
export const processorUnavailable = defineProblem({
  code: 'processor_unavailable',
  status: 502,
  title: 'Card processor unavailable',
  help: 'The card processor did not give a usable response. No money moved. topup_id is the id of the top-up. Repeat the call with the same Idempotency-Key to continue.',
});
export const paymentsNotConfigured = defineProblem({
  code: 'payments_not_configured',
  status: 503,
  title: 'Card payments are off',
  help: 'This installation does not accept card payments. Nothing was stored.',
});
