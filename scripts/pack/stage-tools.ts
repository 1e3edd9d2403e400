import { join } from 'node:path';
import { CHECKOUT } from './checkout-files.ts';
import { compile } from './stage-client.ts';

export function stageTools(folder: string): void {
  const rewritten = (text: string) => text.replace('../../../client/index.ts', '@avouch/client');
  // The server on standard input and output is a program of Node.
  compile(folder, join(CHECKOUT, 'packages/tools/src'), rewritten, 'node');
}
