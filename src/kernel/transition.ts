import { defineProblem } from './problem.ts';

export const transitionInvalid = defineProblem({
  code: 'transition_invalid',
  status: 409,
  title: 'Not allowed in this state',
  help: 'This change is not allowed in the current state. `from` is the current state and `allowed` lists the possible next states. Nothing was changed.',
});
