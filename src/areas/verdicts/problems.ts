import { defineProblem } from '#kernel/problem.ts';

export const registerNotConfigured = defineProblem({
  code: 'register_not_configured',
  status: 503,
  title: 'Register not configured',
  help: 'This installation asks no register of this kind, so it gives no verdict. Nothing was charged.',
});
