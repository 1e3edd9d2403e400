import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHECKOUT } from '../pack/checkout-files.ts';

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The sandbox's chain, which production never loads. */
const LEFT_OUT = new Set(['@nomicfoundation/edr']);

/** Folders below `node_modules` of what the service needs to start and serve, as the lockfile places them. */
export function corePackages(): string[] {
  const read = (file: string) => JSON.parse(readFileSync(join(CHECKOUT, file), 'utf8')) as unknown;
  const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Locked>> };
  const { dependencies = {} } = read('packages/server/package.json') as Locked;
  const found = new Set<string>();
  const follow = (name: string, from: string): void => {
    const path = placeOf(name, from, packages);
    // A package for another machine is in the lockfile, but not installed.
    if (path === undefined || found.has(path) || !existsSync(join(CHECKOUT, path))) return;
    found.add(path);
    for (const needed of neededBy(packages[path] ?? {})) follow(needed, path);
  };
  for (const name of Object.keys(dependencies)) if (!LEFT_OUT.has(name)) follow(name, '');
  return [...found].toSorted();
}

function neededBy(locked: Locked): string[] {
  const isOptional = (name: string) => locked.peerDependenciesMeta?.[name]?.optional === true;
  const peers = Object.keys(locked.peerDependencies ?? {}).filter((name) => !isOptional(name));
  return [...Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }), ...peers];
}

/** The nearest `node_modules` with it, as Node looks for it. */
function placeOf(name: string, from: string, packages: Readonly<Record<string, Locked>>): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder === '.' ? '' : folder, 'node_modules', name);
    if (path in packages) return path;
    if (folder === '' || folder === '.') return undefined;
  }
}
