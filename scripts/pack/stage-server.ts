import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './checkout-files.ts';
import { stageSources } from './stage-sources.ts';

/** What the service reads when it runs. */
const PARTS = ['src', 'client', 'verify', 'docs', 'extras', 'test/vectors/attestation.json'];
const OF_TESTS = /\.test\.ts$|\/_[^/]+\.ts$|\/docs\/adr\//;
const DOOR = `#!/usr/bin/env node
// Without a command it serves.
if (process.argv.length === 2) process.argv.push('serve');
await import('./avouch.mjs');
`;

/** How a program that is no checkout is called, and the files whose readers call it so. */
export interface CalledAs {
  readonly command: string;
  readonly files: RegExp;
}

export const PACKAGE: CalledAs = { command: 'npx @avouch/server', files: /^src\// };
/** It has no npm. Those who read its pages are elsewhere, and have a checkout if anything. */
export const IMAGE: CalledAs = { command: 'node bin/avouch.mjs', files: /^src\/(?:cli|platform)\// };

/** The scripts of a checkout in texts, as `./avouch claim`; not files that are called so, as `./avouch-verify.js`. */
const SCRIPT = /(?<![\w./])\.\/avouch(?![\w.-])/g;
const NPM_START = /`npm start`/g;

/** The text of a file, in which a checkout's commands are those of the program. */
export function calledAs({ command, files }: CalledAs, text: string, file: string): string {
  return files.test(file) ? text.replaceAll(SCRIPT, command).replaceAll(NPM_START, `\`${command}\``) : text;
}

/** What the door says differently, where the runtime comes as a package of a package. */
const IN_DOOR = [
  ['../src/main.ts', '../src/main.js'],
  [
    'Dependencies are not installed. Run \\`npm start\\` or \\`npm ci\\` once.',
    'The package of that Node is not installed: use Node 26, or install this package without --omit=optional.',
  ],
] as const;

/** The whole service and its commands. */
export function stageServer(folder: string, program = PACKAGE): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...PARTS], {
    cwd: CHECKOUT,
    encoding: 'utf8',
  });
  // One that was just deleted is still listed.
  const isThere = (name: string) => name !== '' && existsSync(join(CHECKOUT, name));
  const files = listed.split('\0').filter((name) => isThere(name) && !OF_TESTS.test(`/${name}`));
  stageSources(folder, files, (text, file) => calledAs(program, text, file));
  for (const name of ['hand-over.mjs', 'nothing.cjs']) cpSync(join(CHECKOUT, 'bin', name), join(folder, 'bin', name));
  writeFileSync(join(folder, 'bin/avouch.mjs'), packagedDoor());
  writeFileSync(join(folder, 'bin/avouch-server.mjs'), DOOR, { mode: 0o755 });
}

export function packagedDoor(): string {
  let door = readFileSync(join(CHECKOUT, 'bin/avouch.mjs'), 'utf8');
  for (const [own, packaged] of IN_DOOR) {
    if (!door.includes(own)) throw new Error(`the door no longer says ${own}`);
    door = door.replace(own, packaged);
  }
  return door;
}
