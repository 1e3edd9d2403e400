import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeExtra, type Extra, EXTRAS_FOLDER, readExtras } from '#platform/config/extras.ts';
import { type Command, type Terminal, UsageError } from './command.ts';

const USAGE_ERROR = 'extras takes list, or install and a name';

export const extrasCommand = extrasIn(EXTRAS_FOLDER);

/** The command for the extras of a folder. */
export function extrasIn(folder: string): Command {
  return {
    name: 'extras',
    summary: 'list optional packages, and install those of one feature',
    usage: 'extras list | extras install <name>',
    examples: ['./avouch extras list', './avouch extras install ocr'],
    async run([action, name, ...more], terminal) {
      const all = readExtras(folder);
      if (more.length > 0) throw new UsageError(USAGE_ERROR);
      if (action === 'list' && name === undefined) {
        for (const extra of all) terminal.out(`${describeExtra(extra)}\n`);
        return 0;
      }
      if (action !== 'install' || name === undefined) throw new UsageError(USAGE_ERROR);
      const extra = all.find((one) => one.name === name);
      if (extra === undefined) {
        const names = all.map((one) => one.name).join(', ');
        throw new UsageError(`There is no extra ${JSON.stringify(name)}. Known: ${names}.`);
      }
      return install(extra, () => readExtras(folder).find((one) => one.name === name) ?? extra, terminal);
    },
  };
}

async function install(extra: Extra, now: () => Extra, terminal: Terminal): Promise<number> {
  if (extra.state === 'installed') {
    terminal.out(`${describeExtra(extra)}\n`);
    return 0;
  }
  terminal.err(`Installing the extra ${extra.name} into ${extra.folder}\n`);
  const { code, output } = await npmCi(extra.folder);
  const found = now();
  if (code !== 0 || found.state !== 'installed') {
    // Half of an extra is none.
    await rm(join(extra.folder, 'node_modules'), { recursive: true, force: true });
    terminal.err(`${output}The extra ${extra.name} could not be installed.\n`);
    return 1;
  }
  terminal.out(`${describeExtra(found)}\n`);
  terminal.err('A service that is running uses it after a restart.\n');
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
