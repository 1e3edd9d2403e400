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
export const unknownAsset = defineProblem({
  code: 'unknown_asset',
  status: 404,
  title: 'Unknown file of the pages',
  help: 'No style sheet or script of the pages has this name. Names change with their content: load the page again.',
});
export const unknownProtocol = defineProblem({
  code: 'unknown_protocol',
  status: 404,
  title: 'Unknown protocol',
  help: 'The service has no protocol with this id. /protocols lists those that it has.',
});
export const unknownPage = defineProblem({
  code: 'unknown_page',
  status: 404,
  title: 'Unknown page',
  help: 'The documentation has no page of this name. /docs lists all of them.',
});
