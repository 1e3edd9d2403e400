import { defineProblem } from '#kernel/problem.ts';

export const unknownAsset = defineProblem({
  code: 'unknown_asset',
  status: 404,
  title: 'Unknown file of the pages',
  help: 'No style sheet or script of the pages has this name. Names change with their content: load the page again.',
});
