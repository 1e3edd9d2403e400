import { defineProblem } from '#kernel/problem.ts';

export const noTestMoney = defineProblem({
  code: 'no_test_money',
  status: 503,
  title: 'No test money at the moment',
  help: 'The local chain of the sandbox does not run or does not answer. /system/status and the log of the service say why; repeat after Retry-After.',
});
