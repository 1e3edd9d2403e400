import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NEED_THE_SERVICE } from '../../src/cli/user-commands.ts';
import { importedBy, stageSources } from './stage-sources.ts';

const ENTRY = 'src/cli/user-main.ts';
const DOOR = `#!/usr/bin/env node
import './src/cli/user-main.js';
`;

/** The commands that need nothing but an address, with what they import. */
export function stageCli(folder: string): void {
  const leftOut = new Set([...NEED_THE_SERVICE].map((name) => `src/cli/${name}.ts`));
  // An installed command is found by its name.
  stageSources(folder, importedBy(ENTRY, leftOut), (text) => text.replaceAll('./avouch', 'avouch'));
  writeFileSync(join(folder, 'bin.mjs'), DOOR, { mode: 0o755 });
}
