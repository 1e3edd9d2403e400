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
  help: 'A part without which nothing can be written is down; detail names it. The members are those of the healthy answer.',
});

export const unknownRulesVersion = defineProblem({
  code: 'unknown_rules_version',
  status: 404,
  title: 'Unknown version of the rules',
  help: 'The usage rules are not kept in this version. Without version the rules in force are answered.',
});

export const unknownFile = defineProblem({
  code: 'unknown_file',
  status: 404,
  title: 'Unknown file',
  help: 'No file of this name is given out. /agent-discovery/onboarding names those that are.',
});
