import { defineProblem } from '#kernel/problem.ts';
export const noSandboxBuyer = defineProblem({
  code: 'no_sandbox_buyer',
  status: 503,
  title: 'Test wallet not ready',
  help: 'The sandbox account cannot pay, because the local chain is starting or not running. Retry later. Nothing was charged.',
});
