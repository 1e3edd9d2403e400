// Makes what a release consists of: the source, what it is made of, checksums and their signature.
//   npm run release -- --out DIR [--key FILE with an Ed25519 private key in PEM]
import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { billOfMaterials, componentsOf, licenceFaults, type Lockfile, thirdParty } from './release/components.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string' }, key: { type: 'string' } } });
if (values.out === undefined) throw new Error('--out names the folder that the release is written to');
const out = values.out;

const readLockfile = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8')) as Lockfile;
const lockfile = readLockfile('.');
const extras = readdirSync(`${root}extras`).map((name) => readLockfile(`extras/${name}`));
const components = componentsOf(lockfile, extras);
const faults = licenceFaults(components);
if (faults.length > 0) throw new Error(`not permitted: ${faults.join('; ')}`);

const name = `${lockfile.name}-${lockfile.version}`;
/** Of the commit alone: no time of day and no owner of this machine gets in. */
const source = execFileSync('git', ['archive', '--format=tar', `--prefix=${name}/`, 'HEAD'], {
  cwd: root,
  maxBuffer: 2 ** 30,
});
const files: Record<string, string | Uint8Array> = {
  [`${name}.tar`]: source,
  [`${name}.cdx.json`]: billOfMaterials(lockfile, components),
  'THIRD-PARTY.md': thirdParty(components),
};
const sums = Object.entries(files).map(([file, bytes]) => {
  const sum = createHash('sha256').update(bytes).digest('hex');
  return `${sum}  ${file}\n`;
});
files['SHA256SUMS'] = sums.join('');
if (values.key !== undefined) {
  const key = createPrivateKey(readFileSync(values.key));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('--key is no Ed25519 key');
  files['SHA256SUMS.sig'] = sign(null, Buffer.from(files['SHA256SUMS']), key);
  files['release-key.pem'] = createPublicKey(key).export({ type: 'spki', format: 'pem' });
}
mkdirSync(out, { recursive: true });
for (const [file, bytes] of Object.entries(files)) writeFileSync(join(out, file), bytes);
console.log(
  `${Object.keys(files).join(', ')}: ${components.length} packages${values.key === undefined ? ', not signed' : ''}`,
);
