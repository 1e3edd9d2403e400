import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './checkout-files.ts';
import { stageSources } from './stage-sources.ts';

/** What the service reads when it runs. */
const PARTS = ['src', 'client', 'verify', 'docs', 'extras', 'test/vectors/attestation.json', 'README.md'];
const OF_TESTS = /\.test\.ts$|\/_[^/]+\.ts$|\/docs\/adr\//;
const DOOR = `#!/usr/bin/env node
// Without a command it serves.
if (process.argv.length === 2) process.argv.push('serve');
await import('./avouch.mjs');
`;

/** The whole service and its commands. */
export function stageServer(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...PARTS], {
    cwd: CHECKOUT,
    encoding: 'utf8',
  });
  // One that was just deleted is still listed.
  const isThere = (name: string) => name !== '' && existsSync(join(CHECKOUT, name));
  const files = listed.split('\0').filter((name) => isThere(name) && !OF_TESTS.test(`/${name}`));
  stageSources(folder, files);
  for (const name of ['hand-over.mjs', 'nothing.cjs']) cpSync(join(CHECKOUT, 'bin', name), join(folder, 'bin', name));
  const door = readFileSync(join(CHECKOUT, 'bin/avouch.mjs'), 'utf8');
  writeFileSync(join(folder, 'bin/avouch.mjs'), door.replace('../src/main.ts', '../src/main.js'));
  writeFileSync(join(folder, 'bin/avouch-server.mjs'), DOOR, { mode: 0o755 });
}
