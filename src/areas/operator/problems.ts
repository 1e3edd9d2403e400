import { defineProblem } from '#kernel/problem.ts';

export const repositoryRefused = defineProblem({
  code: 'repository_refused',
  status: 503,
  title: 'The code host refused',
  help: 'The code host of the configured repository did not take a step of the pull request. What was made before it stays on a branch of its own; the default branch was not touched.',
});
