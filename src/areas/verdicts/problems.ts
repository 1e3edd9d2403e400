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

export const freeChecksUsed = defineProblem({
  code: 'free_checks_used',
  status: 429,
  title: 'Free checks used up',
  help: 'Twenty free counterparty checks are made for one address in a UTC day. The paid, signed check has no such limit.',
});

export const checkNotFound = defineProblem({
  code: 'check_not_found',
  status: 404,
  title: 'Check not found',
  help: 'No counterparty check of this id is kept. Checks are kept for 30 days.',
});
