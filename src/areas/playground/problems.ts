import { defineProblem } from '#kernel/problem.ts';
export const noSandboxBuyer = defineProblem({
  code: 'no_sandbox_buyer',
  status: 503,
  title: 'No buyer',
  help: 'The account of the sandbox that pays for the playground cannot pay now: the local chain is starting or does not run.',
});
