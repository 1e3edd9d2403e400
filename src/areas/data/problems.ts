import { defineProblem } from '#kernel/problem.ts';

export const documentNotFound = defineProblem({
  code: 'document_not_found',
  status: 404,
  title: 'No such document',
  help: 'No text has this id, or no longer: rows of data sets go with their snapshot. Search again and take the id from there.',
});
