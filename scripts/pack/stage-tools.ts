import { join } from 'node:path';
import { CHECKOUT } from './checkout-files.ts';
import { compile } from './stage-client.ts';

/** What the tools share with the service lies there, and beside the rest in the package. */
const SHARED = 'src/areas/connect/tools';

export function stageTools(folder: string): void {
  const rewritten = (text: string) =>
    text.replace('../../../client/index.ts', '@avouch/client').replaceAll(`../../../${SHARED}/`, './');
  const sources = ['packages/tools/src', SHARED].map((path) => join(CHECKOUT, path));
  // The server on standard input and output is a program of Node.
  compile(folder, sources, rewritten, 'node');
}
