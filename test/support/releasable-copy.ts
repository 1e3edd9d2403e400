import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './child-service.ts';

/** A clone of the checkout in the directory, from which releases are made, signed with a new key. */
export function releasableCopy(directory: string): { release(out: string, ...options: string[]): void } {
  const clone = committedCopy(join(directory, 'clone'));
  const key = join(directory, 'key.pem');
  writeFileSync(key, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return {
    release(out, ...options) {
      const args = ['scripts/release.ts', '--out', out, '--key', key, ...options];
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    },
  };
}

/** With what is changed here, committed: a release is made of nothing else. */
function committedCopy(clone: string): string {
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
  git(ROOT, 'clone', '--quiet', '--no-tags', ROOT, clone);
  const changed = git(ROOT, 'ls-files', '-z', '--modified', '--others', '--exclude-standard').split('\0');
  for (const name of changed.filter((one) => one !== '')) {
    rmSync(join(clone, name), { force: true });
    if (!existsSync(join(ROOT, name))) continue;
    mkdirSync(dirname(join(clone, name)), { recursive: true });
    cpSync(join(ROOT, name), join(clone, name));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
  git(clone, 'add', '--all');
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@avouch.example'];
  git(clone, ...author, 'commit', '--quiet', '--allow-empty', '--message', 'as it is');
  return clone;
}
