import { defineProblem } from '#kernel/problem.ts';

export const noTestMoney = defineProblem({
  code: 'no_test_money',
  status: 503,
  title: 'Test money not available',
  help: 'The local sandbox chain is not running or does not respond. Retry after the time in Retry-After. See /system/status and the service log for the reason. Nothing was minted.',
});
export const noSuchCheckout = defineProblem({
  code: 'checkout_not_found',
  status: 404,
  title: 'Checkout not found',
  help: 'The sandbox card processor has no checkout session with this id. Check the id.',
});
export const actionNotPossible = defineProblem({
  code: 'action_not_possible',
  status: 409,
  title: 'Action not possible',
  help: 'The checkout session is not in a state that allows this action. actions lists what is possible. Nothing was changed.',
});
