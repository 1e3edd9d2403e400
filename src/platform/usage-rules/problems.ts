import { defineProblem } from '#kernel/problem.ts';

export const ruleRefused = defineProblem({
  code: 'rule_refused',
  status: 403,
  title: 'Against the usage rules',
  help: 'A text of this call asks for what the usage rules forbid; the member rule names which.',
});
