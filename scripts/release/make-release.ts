import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildId } from '#platform/version.ts';
import { exportDocs } from '../docs/site.ts';
import { type BuiltImage, buildImage, imageObstacle } from '../image/build-image.ts';
import { CHECKOUT, rootManifest } from '../pack/checkout-files.ts';
import { packAll } from '../pack/pack-all.ts';
import { billOfMaterials, componentsOf, licenceFaults, type Lockfile, thirdParty } from './components.ts';
import { releaseObstacles } from './conditions.ts';
import { fixedTar } from './fixed-tar.ts';
import { type Published, registryEntry } from './registry-entry.ts';
import { sealRelease } from './release-log.ts';

export interface ReleaseOptions extends Published {
  readonly out: string;
  /** File of an Ed25519 private key in PEM; without it nothing is signed or sealed. */
  readonly key?: string | undefined;
  /** `releases.log` of the release before. */
  readonly log?: string | undefined;
  /** False leaves it out. */
  readonly image?: boolean | undefined;
}

/** Writes everything that a release consists of, and gives sentences about what was left out. */
export async function makeRelease({
  out,
  key: keyFile,
  log,
  image: isWanted = true,
  ...published
}: ReleaseOptions): Promise<string[]> {
  const { version } = rootManifest();
  const entry = registryEntry(published);
  const obstacles = releaseObstacles({
    version,
    changes: git('status', '--porcelain').trimEnd(),
    tags: git('tag').split('\n'),
    changelog: readFileSync(join(CHECKOUT, 'CHANGELOG.md'), 'utf8'),
  });
  if (obstacles.length > 0) throw new Error(obstacles.join('\n'));
  const key = keyFile === undefined ? null : readKey(keyFile);
  mkdirSync(out, { recursive: true });
  if (readdirSync(out).length > 0) throw new Error(`${out} is not empty`);

  const put = (file: string, content: string | Uint8Array) => writeFileSync(join(out, file), content);
  writeSources(out, version);
  writeBill(put, version);
  if (entry !== null) put('server.json', entry);
  packAll(out);
  await writeDocs(join(out, `docs-${version}.tar`));
  const { image, leftOut } = await writeImage(out, isWanted);
  const provenance = provenanceOf(out, version, image);
  put('provenance.json', provenance);
  if (key === null) {
    put('SHA256SUMS', sumsOf(out));
    return [...leftOut, 'not signed'];
  }
  const sealed = {
    statement: `Avouch ${version}, commit ${git('rev-parse', 'HEAD').trim()}: provenance.json`,
    bytes: Buffer.from(provenance),
    sealedAt: committedAt(),
  };
  const before = log === undefined ? '' : readFileSync(log, 'utf8');
  for (const [file, text] of Object.entries(sealRelease(sealed, key, before))) put(file, text);
  const sums = sumsOf(out);
  put('SHA256SUMS', sums);
  put('SHA256SUMS.sig', sign(null, Buffer.from(sums), key));
  put('release-key.pem', createPublicKey(key).export({ type: 'spki', format: 'pem' }));
  return leftOut;
}

function readKey(file: string): KeyObject {
  const key = createPrivateKey(readFileSync(file));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('--key is not an Ed25519 key');
  return key;
}

/** Of the commit alone: no time of day and no owner of this machine gets in. */
function writeSources(out: string, version: string): void {
  const prefix = `--prefix=avouch-${version}/`;
  git('archive', '--format=tar', prefix, `--output=${join(out, `avouch-${version}.tar`)}`, 'HEAD');
  git('archive', '--format=tar', prefix, `--output=${join(out, `deploy-${version}.tar`)}`, 'HEAD', 'deploy');
}

function writeBill(put: (file: string, text: string) => void, version: string): void {
  const read = (folder: string) =>
    JSON.parse(readFileSync(join(CHECKOUT, folder, 'package-lock.json'), 'utf8')) as Lockfile;
  const lockfile = read('.');
  const extras = readdirSync(join(CHECKOUT, 'extras')).map((name) => read(`extras/${name}`));
  const components = componentsOf(lockfile, extras);
  const faults = licenceFaults(components);
  if (faults.length > 0) throw new Error(`not permitted: ${faults.join('; ')}`);
  put(`avouch-${version}.cdx.json`, billOfMaterials(lockfile, components));
  put('THIRD-PARTY.md', thirdParty(components));
}

async function writeDocs(tar: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'avouch-docs-'));
  try {
    await exportDocs(folder);
    fixedTar(tar, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Run once where that is possible. */
async function writeImage(out: string, isWanted: boolean): Promise<{ image: BuiltImage | null; leftOut: string[] }> {
  const notBuilt = isWanted ? imageObstacle({ run: false }) : '--no-image';
  if (notBuilt !== false) return { image: null, leftOut: [`no image: ${notBuilt}`] };
  const notRun = imageObstacle();
  const image = await buildImage(out, { run: notRun === false });
  return { image, leftOut: notRun === false ? [] : [`image not run: ${notRun}`] };
}

/** What was built from what, and with what. */
function provenanceOf(out: string, version: string, image: BuiltImage | null): string {
  const provenance = {
    version,
    commit: git('rev-parse', 'HEAD').trim(),
    committed_at: committedAt().toISOString(),
    build_id: buildId(),
    built_with: {
      node: process.version,
      npm: execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim(),
      platform: `${process.platform} ${process.arch}`,
    },
    image: image === null ? null : { digest: image.digest, debian_packages: image.debianPackages },
    files: readdirSync(out)
      .toSorted()
      .map((name) => ({ name, sha256: sumOf(join(out, name)), bytes: statSync(join(out, name)).size })),
  };
  return `${JSON.stringify(provenance, null, 1)}\n`;
}

function sumsOf(out: string): string {
  const names = readdirSync(out).toSorted();
  return names.map((name) => `${sumOf(join(out, name))}  ${name}\n`).join('');
}

function sumOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function committedAt(): Date {
  return new Date(git('log', '-1', '--format=%cI').trim());
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8' });
}
