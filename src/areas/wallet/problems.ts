import { defineProblem } from '#kernel/problem.ts';

export const scopeRestricted = defineProblem({
  code: 'scope_restricted',
  status: 403,
  title: 'Scope not given by registration',
  help: 'Only the operator grants this scope, to one key at a time. Leave it out; nothing was created.',
});
