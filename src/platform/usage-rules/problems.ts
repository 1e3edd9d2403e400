import { defineProblem } from '#kernel/problem.ts';

export const ruleRefused = defineProblem({
  code: 'rule_refused',
  status: 403,
  title: 'Blocked by the usage rules',
  help: 'A text in this call asks for something that the usage rules forbid. `rule` says which one. Change the text.',
});
