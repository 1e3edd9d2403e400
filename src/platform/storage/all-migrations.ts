import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadMigrations, type Migration } from './migrate.ts';

const SRC = fileURLToPath(new URL('../../', import.meta.url));
/** `migrations/` belongs to the folder that it lies in, `<owner>-migrations/` to the owner that it names. */
const FOLDER = /^(?:(?<owner>[a-z-]+)-)?migrations$/;

/** Owners by their first release: databases have their tables in this order. Later ones follow by name. */
const FIRST = [
  'storage',
  'keys',
  'settlement',
  'log',
  'ledger',
  'mail',
  'attestation',
  'bounties',
  'audits',
  'verdicts',
  'briefs',
  'crossing',
  'data',
  'discovery',
  'mandates',
  'wallet',
  'capabilities',
  'orders',
  'look',
  'lessons',
  'rules',
  'tasks',
  'cabinet',
  'payments',
];

/** Every migration of the service: of the platform and of the areas, wherever a folder of theirs holds some. */
export async function allMigrations(): Promise<Migration[]> {
  const folders = (await Promise.all(['platform', 'areas'].map((layer) => foldersIn(join(SRC, layer))))).flat();
  const owned = folders.map((folder) => ({ folder, owner: ownerOf(folder) }));
  const placeOf = (owner: string) => (FIRST.includes(owner) ? FIRST.indexOf(owner) : FIRST.length);
  const ordered = owned.toSorted((a, b) => placeOf(a.owner) - placeOf(b.owner) || (a.owner < b.owner ? -1 : 1));
  const loaded = ordered.map(({ owner, folder }) => loadMigrations(owner, new URL(`file://${folder}/`)));
  return (await Promise.all(loaded)).flat();
}

async function foldersIn(parent: string): Promise<string[]> {
  const entries = (await readdir(parent, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const found = entries.map(async ({ name }) => {
    const folder = join(parent, name);
    return FOLDER.test(name) ? [folder] : foldersIn(folder);
  });
  return (await Promise.all(found)).flat();
}

function ownerOf(folder: string): string {
  return FOLDER.exec(basename(folder))?.groups?.['owner'] ?? basename(dirname(folder));
}
