import { defineProblem } from '#kernel/problem.ts';

export const registerNotConfigured = defineProblem({
  code: 'register_not_configured',
  status: 503,
  title: 'Register not configured',
  help: 'This installation does not query a register of this kind, so it cannot give a verdict. Nothing was charged. Repeating the call does not help.',
});
export const registerUnavailable = defineProblem({
  code: 'register_unavailable',
  status: 503,
  title: 'Register unavailable',
  help: "The register in `register` gave no usable response, is at a limit or refuses this installation, so there is no verdict. detail says which. register_code is the register's own code, or one of ours such as TIMEOUT. Nothing was charged. Send the same payment again after the time in Retry-After.",
});

export const freeChecksUsed = defineProblem({
  code: 'free_checks_used',
  status: 429,
  title: 'Free checks used up',
  help: 'One address gets 20 free counterparty checks per UTC day. The paid, signed check has no such limit.',
});

export const checkNotFound = defineProblem({
  code: 'check_not_found',
  status: 404,
  title: 'Check not found',
  help: 'No counterparty check with this id is kept. Checks are kept for 30 days.',
});
