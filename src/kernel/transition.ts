import { defineProblem } from './problem.ts';

export const transitionInvalid = defineProblem({
  code: 'transition_invalid',
  status: 409,
  title: 'Does not follow',
  help: 'What was asked for cannot follow the present state; from names it and allowed lists what can follow. Nothing was changed.',
});
