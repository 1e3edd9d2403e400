import { defineProblem } from '#kernel/problem.ts';

export const documentNotFound = defineProblem({
  code: 'document_not_found',
  status: 404,
  title: 'Document not found',
  help: 'No text has this id, or it no longer exists. Rows of data sets change with each snapshot. Search again and use an id from the results.',
});
