import { defineProblem } from '#kernel/problem.ts';

export const repositoryRefused = defineProblem({
  code: 'repository_refused',
  status: 503,
  title: 'Code host refused',
  help: 'The code host of the configured repository refused a step of the pull request. Anything created before that step stays on a separate branch. The default branch was not changed.',
});
