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
