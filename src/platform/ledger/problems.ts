import { defineProblem } from '#kernel/problem.ts';

export const insufficientFunds = defineProblem({
  code: 'insufficient_funds',
  status: 402,
  title: 'Not enough money in the wallet',
  help: 'The wallet has less available than the call may cost. needed_eur and available_eur say how much; topup is where to add money. Nothing was charged.',
});
export const walletFrozen = defineProblem({
  code: 'wallet_frozen',
  status: 403,
  title: 'Wallet frozen',
  help: 'A card payment of this wallet is disputed. It takes money in and pays for nothing until the dispute is over.',
});
export const ledgerHalted = defineProblem({
  code: 'ledger_halted',
  status: 503,
  title: 'Wallets stand still',
  help: 'An audit of the ledger found what should not be there. Balances can be read; no money moves until the operator has cleared it. Nothing was charged.',
});
export const tooManyTopUps = defineProblem({
  code: 'too_many_topups',
  status: 409,
  title: 'Too many open top-ups',
  help: 'At most ten top-ups of a wallet are open at a time. Pay one, or wait until one expires; GET /api/agents/wallet lists them.',
});
export const processorUnavailable = defineProblem({
  code: 'processor_unavailable',
  status: 502,
  title: 'Card processor unavailable',
  help: 'The card processor gave no usable answer. No money moved. topup_id names the top-up; repeat the call with the same Idempotency-Key to go on with it.',
});
export const paymentsNotConfigured = defineProblem({
  code: 'payments_not_configured',
  status: 503,
  title: 'Card payments are off',
  help: 'This installation takes no card payments. Nothing was stored.',
});
