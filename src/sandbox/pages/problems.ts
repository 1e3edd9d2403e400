import { defineProblem } from '#kernel/problem.ts';

export const noTestMoney = defineProblem({
  code: 'no_test_money',
  status: 503,
  title: 'No test money at the moment',
  help: 'The local chain of the sandbox does not run or does not answer. /system/status and the log of the service say why; repeat after Retry-After.',
});
export const noSuchCheckout = defineProblem({
  code: 'checkout_not_found',
  status: 404,
  title: 'Checkout not found',
  help: 'The card processor of the sandbox knows no checkout session of this id.',
});
export const actionNotPossible = defineProblem({
  code: 'action_not_possible',
  status: 409,
  title: 'Not possible now',
  help: 'The checkout session is not in a state for this; actions lists what can be done with it.',
});
