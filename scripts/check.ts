// All gates in one command: `npm run check` (everything) or `npm run check -- --static` (without the tests).
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const isStatic = process.argv.includes('--static');

const GATES: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['types', 'tsc', '--noEmit'],
  [
    'lint',
    'oxlint',
    '--type-aware',
    'src',
    'client',
    'packages',
    'test',
    'scripts',
    'bench',
    'examples',
    'bin',
    'verify',
  ],
  ['format', 'biome', 'format'],
  ['dead code', 'knip'],
  ['words', 'node', 'scripts/words.ts'],
  ['secrets', 'secretlint', '--maskSecrets', '**/*'],
];

const failed: string[] = [];
for (const [name, command, ...args] of GATES) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed.push(name);
}
/** Whether the registry signed what is installed. Where it cannot be asked, or signs nothing, that is said and no fault. */
function signaturesAreRight(): boolean {
  const options = { cwd: root, encoding: 'utf8', timeout: 60_000 } as const;
  const { status, stdout, stderr } = spawnSync('npm', ['audit', 'signatures'], options);
  const isWrong = /invalid (?:registry )?(?:signature|attestation)/i.test(`${stdout}${stderr}`);
  if (status !== 0 && !isWrong) console.log('signatures of packages: skipped, the registry could not be asked');
  else console.log(stdout.trim());
  return !isWrong;
}

if (!isStatic) {
  if (!signaturesAreRight()) failed.push('signatures of packages');
  // A glob that matches nothing would pass with no test at all.
  const tests = ['src', 'test'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }),
  );
  if (tests.filter((file) => file.endsWith('.test.ts')).length < 20) failed.push('test files are missing');
  if (spawnSync('npm', ['test'], { cwd: root, stdio: 'inherit' }).status !== 0) failed.push('tests');
}
console.log(failed.length === 0 ? 'all gates passed' : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
