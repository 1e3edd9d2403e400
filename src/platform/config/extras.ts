import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Packages that only some installations want, in a folder of their own which `npm start` leaves alone. */
export interface Extra {
  readonly name: string;
  readonly what: string;
  /** Where its manifest, its lockfile and, once installed, its packages lie. */
  readonly folder: string;
  readonly packages: readonly { readonly name: string; readonly wanted: string; readonly installed: string | null }[];
  /** `incomplete` has some of its packages, or others than are wanted; only what is `installed` is used. */
  readonly state: 'installed' | 'incomplete' | 'not installed';
  /** The command that installs what is missing. */
  readonly install: string;
}

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export const EXTRAS_FOLDER = fileURLToPath(new URL('../../../extras', import.meta.url));

/** Every extra of the folder by its name, with what of it is installed now. */
export function readExtras(root = EXTRAS_FOLDER): Extra[] {
  if (!existsSync(root)) return [];
  const folders = readdirSync(root).map((name) => `${root}/${name}`);
  return folders
    .filter((folder) => existsSync(`${folder}/package.json`))
    .toSorted()
    .map((folder) => readExtra(folder));
}

/** The folder of an extra whose packages can be loaded; null where it is not installed. */
export function extraFolder(name: string, root = EXTRAS_FOLDER): string | null {
  const extra = readExtras(root).find((one) => one.name === name);
  return extra?.state === 'installed' ? extra.folder : null;
}

/** One line: whether it is there, in which versions, and what it is for. */
export function describeExtra({ name, what, packages, state }: Extra): string {
  const isEmpty = state === 'not installed';
  const versions = packages.map((one) => `${one.name} ${isEmpty ? one.wanted : (one.installed ?? 'missing')}`);
  return `${name}: ${state} (${versions.join(', ')}). ${what}.`;
}

function readExtra(folder: string): Extra {
  const { description, dependencies } = readManifest(folder);
  const packages = Object.entries(dependencies).map(([dependency, wanted]) => ({
    name: dependency,
    wanted,
    installed: installedVersion(`${folder}/node_modules/${dependency}`),
  }));
  const isWhole = packages.every(({ wanted, installed }) => installed === wanted);
  const isEmpty = packages.every(({ installed }) => installed === null);
  const state = isWhole ? 'installed' : isEmpty ? 'not installed' : 'incomplete';
  return {
    name: basename(folder),
    what: description,
    folder,
    packages,
    state,
    install: `./avouch extras install ${basename(folder)}`,
  };
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest;
}

function installedVersion(folder: string): string | null {
  try {
    return readManifest(folder).version;
  } catch {
    return null;
  }
}
