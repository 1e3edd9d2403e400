import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A digest of every file of a checkout that git does not ignore, as it is now: tests read more than the code. */
export function codeDigest(root: string): string {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const hash = createHash('sha256');
  for (const path of listed.split('\0').filter(Boolean).toSorted()) {
    const file = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (file === undefined) continue;
    const content = file.isSymbolicLink() ? readlinkSync(join(root, path)) : readFileSync(join(root, path));
    hash
      .update(`${path}\0${file.mode.toString(8)}\0${content.length}\0`)
      .update(content)
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}
