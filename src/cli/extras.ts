import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeExtra, type Extra, EXTRAS_FOLDER, readExtras } from '#platform/config/extras.ts';
import { didYouMean } from './line/nearest.ts';
import type { Output } from './line/output.ts';
import { type Run, UsageError } from './line/spec.ts';

export const { list: listExtras, install: installExtra } = extrasIn(EXTRAS_FOLDER);

/** The commands for the extras of a folder. */
export function extrasIn(folder: string): { readonly list: Run; readonly install: Run } {
  return {
    async list(_given, output) {
      const extras = readExtras(folder);
      output.result({ extras: extras.map(shown) }, extras.map((extra) => `${describeExtra(extra)}\n`).join(''));
      return 0;
    },
    async install({ operands }, output) {
      const [name] = operands as [string];
      const all = readExtras(folder);
      const extra = all.find((one) => one.name === name);
      if (extra === undefined) {
        const names = all.map((one) => one.name);
        throw new UsageError(
          `There is no extra ${JSON.stringify(name)}.${didYouMean(name, names) || ` Known: ${names.join(', ')}.`}`,
        );
      }
      return install(extra, () => readExtras(folder).find((one) => one.name === name) ?? extra, output);
    },
  };
}

function shown({ name, what, state, packages }: Extra) {
  return { name, what, state, packages };
}

async function install(extra: Extra, now: () => Extra, output: Output): Promise<number> {
  if (extra.state === 'installed') {
    output.result(shown(extra), `${describeExtra(extra)}\n`);
    return 0;
  }
  output.note(`Installing the extra ${extra.name} into ${extra.folder}.`);
  const { code, output: printed } = await npmCi(extra.folder);
  const found = now();
  if (code !== 0 || found.state !== 'installed') {
    // Half of an extra is none.
    await rm(join(extra.folder, 'node_modules'), { recursive: true, force: true });
    throw new Error(`The extra ${extra.name} could not be installed. npm: ${printed.trimEnd()}`);
  }
  output.result(shown(found), `${describeExtra(found)}\n`);
  output.note('A running service uses it after a restart.');
  return 0;
}

/** Exactly what the lockfile names, held against its hashes; no package runs a script. */
function npmCi(folder: string): Promise<{ code: number; output: string }> {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, output: `npm could not be started: ${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
