import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stageCli } from './stage-cli.ts';
import { stageClient } from './stage-client.ts';
import { stageServer } from './stage-server.ts';
import { stageTools } from './stage-tools.ts';
import { CHECKOUT, type Manifest, rootManifest, type Versions } from './checkout-files.ts';

/** How each package is put together, in the order in which they need each other. */
const STAGES: Readonly<Record<string, (folder: string) => void>> = {
  verify(folder) {
    for (const file of ['avouch-verify.mjs', 'avouch-verify.d.mts', 'README.md']) {
      cpSync(join(CHECKOUT, 'verify', file), join(folder, file));
    }
  },
  client: stageClient,
  cli: stageCli,
  tools: stageTools,
  server: stageServer,
};

interface Packed {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
}

/** Writes packages, all unless some are named, into the folder as the files that `npm publish` would send. */
export function packAll(out: string, names: readonly string[] = Object.keys(STAGES)): Packed[] {
  // Below node_modules, so that what is staged finds the packages it is checked with.
  const cache = join(CHECKOUT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  mkdirSync(out, { recursive: true });
  const stages = mkdtempSync(join(cache, 'pack-'));
  try {
    return Object.entries(STAGES)
      .filter(([name]) => names.includes(name))
      .map(([name, stage]) => {
        const folder = join(stages, 'node_modules/@avouch', name);
        stagePackage(name, folder, stage);
        return pack(folder, resolve(out));
      });
  } finally {
    rmSync(stages, { recursive: true });
  }
}

/** Puts what a package consists of into a folder. */
export function stagePackage(name: string, folder: string, stage = STAGES[name]): void {
  mkdirSync(folder, { recursive: true });
  const manifest = stampedManifest(name);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(CHECKOUT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(CHECKOUT, 'packages', name), folder, {
    recursive: true,
    filter: (path) => !path.endsWith('package.json'),
  });
  stage?.(folder);
}

function pack(folder: string, out: string): Packed {
  const args = ['pack', folder, '--ignore-scripts', '--json', '--pack-destination', out];
  const text = execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], cwd: folder });
  const [packed] = JSON.parse(text) as [{ name: string; filename: string; size: number }];
  return { name: packed.name, file: packed.filename, bytes: packed.size };
}

/** A package has the version of the checkout, and so has each package that it needs from here; others are as here. */
function stampedManifest(name: string): Manifest {
  const { version, license, ...root } = rootManifest();
  const own = JSON.parse(readFileSync(join(CHECKOUT, 'packages', name, 'package.json'), 'utf8')) as Manifest;
  const known = { ...root.devDependencies, ...root.optionalDependencies, ...root.dependencies };
  const pinned = (needed: Versions | undefined): Versions | undefined => {
    if (needed === undefined) return undefined;
    const rows = Object.entries(needed).map(([one, given]) => {
      if (given !== '*') return [one, given] as const;
      return [one, one.startsWith('@avouch/') ? version : known[one]] as const;
    });
    const [unknown] = rows.find(([, found]) => found === undefined) ?? [];
    if (unknown !== undefined) throw new Error(`${own.name} needs ${unknown}, whose version nothing says`);
    return Object.fromEntries(rows) as Versions;
  };
  const needs = {
    dependencies: pinned(own.dependencies),
    peerDependencies: pinned(own.peerDependencies),
    optionalDependencies: pinned(own.optionalDependencies),
  };
  return { ...own, version, license, type: 'module', ...needs };
}
