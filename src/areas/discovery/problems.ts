import { defineProblem } from '#kernel/problem.ts';

export const unknownCode = defineProblem({
  code: 'unknown_code',
  status: 404,
  title: 'Unknown problem code',
  help: 'The service has no problem with this code. docs/errors.md lists all of them.',
});

export const down = defineProblem({
  code: 'down',
  status: 503,
  title: 'Down',
  help: 'Writes cannot be committed at the moment. The members are those of the healthy answer.',
});
