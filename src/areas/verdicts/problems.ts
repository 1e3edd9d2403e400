import { defineProblem } from '#kernel/problem.ts';

export const registerNotConfigured = defineProblem({
  code: 'register_not_configured',
  status: 503,
  title: 'Register not configured',
  help: 'This installation asks no register of this kind, so it gives no verdict. Nothing was charged.',
});
export const registerUnavailable = defineProblem({
  code: 'register_unavailable',
  status: 503,
  title: 'Register unavailable',
  help: 'The register named in register gave no answer, so there is no verdict; register_code is its own code, or one of ours such as TIMEOUT. Nothing was charged: send the same payment again after Retry-After.',
});
