import { defineProblem } from '#kernel/problem.ts';

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
