import { execFileSync } from 'node:child_process';

/** Neither the time of day, nor an owner, nor the order of a folder of this machine gets in. */
const FIXED = ['--sort=name', '--mtime=@0', '--numeric-owner', '--format=gnu'];

export interface TarEntries {
  readonly names: readonly string[];
  readonly owner?: number;
  readonly mode?: string;
}

/** Writes files of a folder into a tar whose bytes depend on their content and names alone; needs GNU tar. */
export function fixedTar(file: string, folder: string, groups: readonly TarEntries[] = [{ names: ['.'] }]): void {
  for (const [index, { names, owner = 0, mode = 'u=rwX,go=rX' }] of groups.entries()) {
    const how = [index === 0 ? '--create' : '--append', '--file', file, '--directory', folder];
    execFileSync('tar', [...how, ...FIXED, `--owner=${owner}`, `--group=${owner}`, `--mode=${mode}`, '--', ...names], {
      // pax headers and messages would follow the machine's language.
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
    });
  }
}
