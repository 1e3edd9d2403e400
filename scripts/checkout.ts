import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../test/support/child-service.ts';

/** A checkout of the commit beside this one, with its packages; it goes with the stack. */
export async function checkout(commit: string | undefined, stack: AsyncDisposableStack): Promise<string> {
  if (commit === undefined) return ROOT;
  const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'avouch-checkout-')), async (path) => {
    execFileSync('git', ['worktree', 'remove', '--force', path], { cwd: ROOT });
    await rm(path, { recursive: true, force: true });
  });
  execFileSync('git', ['worktree', 'add', '--detach', '--quiet', folder, commit], { cwd: ROOT });
  if (!existsSync(join(folder, 'node_modules')))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
