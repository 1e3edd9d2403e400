// What `npm start` runs: installs what is missing, then serves with the carried Node. One script instead of two, because
// npm announces each.
import { fileURLToPath } from 'node:url';
import { handOver, isOtherNode } from '../bin/hand-over.mjs';
import { ensureDependencies } from './ensure-dependencies.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const door = `${root}bin/avouch.mjs`;
const carriedNode = `${root}node_modules/.bin/node`;

process.exitCode = await ensureDependencies(root, false);
if (process.exitCode === 0) {
  const args = [door, 'serve', ...process.argv.slice(2)];
  if (isOtherNode(carriedNode)) {
    handOver(carriedNode, args, (error) => {
      console.error(`${carriedNode} could not be started: ${error.message}`);
      process.exitCode = 1;
    });
  } else {
    process.argv = [process.execPath, ...args];
    await import('../bin/avouch.mjs');
  }
}
