import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Measured figures are no code. */
const LEFT_OUT = ['**/*.test.ts', 'src/platform/quality/published.json'];

/** Names the code that was measured: all files of src/ but its tests and the figures that it publishes. */
export function sourceName(): string {
  const files = globSync('src/**/*.*', { cwd: root, exclude: LEFT_OUT }).toSorted();
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(`${root}${file}`))
      .update('\0');
  return hash.digest('hex').slice(0, 8);
}
