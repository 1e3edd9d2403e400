import { defineProblem } from '#kernel/problem.ts';

export const unknownCode = defineProblem({
  code: 'unknown_code',
  status: 404,
  title: 'Unknown problem code',
  help: 'There is no problem with this code. See docs/errors.md for the list.',
});

export const down = defineProblem({
  code: 'down',
  status: 503,
  title: 'Service down',
  help: 'A component that every write needs is down. detail names it. The other members are the same as in a healthy response. Retry later.',
});

export const unknownRulesVersion = defineProblem({
  code: 'unknown_rules_version',
  status: 404,
  title: 'Unknown rules version',
  help: 'The usage rules have no such version. Leave version out to get the current rules.',
});

export const unknownFile = defineProblem({
  code: 'unknown_file',
  status: 404,
  title: 'File not found',
  help: 'There is no file with this name. See /agent-discovery/onboarding for the list.',
});
export const unknownAsset = defineProblem({
  code: 'unknown_asset',
  status: 404,
  title: 'Asset not found',
  help: 'There is no style sheet or script with this name. Names change with their content. Reload the page.',
});
export const unknownProtocol = defineProblem({
  code: 'unknown_protocol',
  status: 404,
  title: 'Protocol not found',
  help: 'There is no protocol with this id. See /protocols for the list.',
});
export const unknownPage = defineProblem({
  code: 'unknown_page',
  status: 404,
  title: 'Page not found',
  help: 'There is no documentation page with this name. See /docs for the list.',
});
export const unknownProduct = defineProblem({
  code: 'unknown_product',
  status: 404,
  title: 'Product not found',
  help: 'There is no product with this name. See / for the list.',
});
