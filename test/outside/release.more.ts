// A release, made twice from a clone, and its own files in an empty folder: verified, served, backed up, restored.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { missingTools } from '../../scripts/release/installed.ts';
import { ROOT } from '../support/child-service.ts';
import { releasableCopy } from '../support/releasable-copy.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { addressIn, Packed, type Project } from './packed.ts';

const isCheckout = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT }).status === 0;
const skip = isCheckout ? missingTools('tar', 'openssl') : 'not a git checkout';

suite('the files of a release', { skip }, () => {
  let directory: string;
  let release: string;
  let packed: Packed;
  let project: Project | string;

  before(async () => {
    directory = await temporaryDirectory();
    const copy = releasableCopy(directory);
    const registry = ['--mcp-name', 'com.example/avouch', '--base-url', 'https://avouch.example.com'];
    for (const run of ['first', 'second']) copy.release(join(directory, run), ...registry);
    release = join(directory, 'first');
    packed = await Packed.of(release);
    project = await packed.project('empty', ['@avouch/server', '@avouch/verify']);
  });
  after(async () => {
    if (typeof project === 'object') project[Symbol.dispose]();
    await packed[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  test('are the same bytes whenever they are made from the same commit', () => {
    const [first, second] = ['first', 'second'].map((run) => readFileSync(join(directory, run, 'SHA256SUMS'), 'utf8'));
    assert.equal(first, second);
  });

  test('are all in the checksums, which openssl and sha256sum find right', () => {
    const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: release, encoding: 'utf8' });
    const key = ['-verify', '-pubin', '-inkey', 'release-key.pem', '-rawin'];
    run('openssl', 'pkeyutl', ...key, '-in', 'SHA256SUMS', '-sigfile', 'SHA256SUMS.sig');
    const checked = run('sha256sum', '-c', 'SHA256SUMS').trimEnd().split('\n');
    const names = checked.map((line) => line.replace(/: OK$/, ''));
    const signing = new Set(['SHA256SUMS', 'SHA256SUMS.sig', 'release-key.pem']);
    assert.deepEqual(
      names.toSorted(),
      readdirSync(release)
        .filter((name) => !signing.has(name))
        .toSorted(),
    );
    for (const part of ['server', 'client', 'cli', 'tools', 'verify']) {
      assert.ok(
        names.some((name) => name.startsWith(`avouch-${part}-`) && name.endsWith('.tgz')),
        part,
      );
    }
    for (const part of [/^deploy-.*\.tar$/, /^docs-.*\.tar$/, /\.cdx\.json$/, /^THIRD-PARTY\.md$/, /^server\.json$/]) {
      assert.ok(
        names.some((name) => part.test(name)),
        String(part),
      );
    }
  });

  test('come with a provenance that the released verifier finds in the log of releases', (t) => {
    if (typeof project === 'string') return t.skip(project);
    const vkey = readFileSync(join(release, 'releases.vkey'), 'utf8').trim();
    const verifier = join(project.folder, 'node_modules/@avouch/verify/avouch-verify.mjs');
    for (const file of ['provenance.seal.json', 'provenance.tlog-proof']) {
      const said = execFileSync('node', [verifier, join(release, file), '--vkey', vkey], { env: project.env });
      assert.match(said.toString(), /^Verified\.$/m);
    }
    const { claim } = JSON.parse(readFileSync(join(release, 'provenance.seal.json'), 'utf8')) as {
      claim: { evidence_digests: string[] };
    };
    const provenance = readFileSync(join(release, 'provenance.json'));
    assert.deepEqual(claim.evidence_digests, [createHash('sha256').update(provenance).digest('hex')]);
  });

  test('in an empty folder serve, back up, and restore what was served', async (t) => {
    if (typeof project === 'string') return t.skip(project);
    const outside = project;
    const server = join(outside.folder, 'node_modules/.bin/avouch-server');
    const envOf = (data: string) => ({ ...outside.env, PORT: '0', DATA_DIR: join(outside.folder, data) });
    const command = (data: string, ...args: string[]) =>
      execFileSync(server, args, { cwd: outside.folder, env: envOf(data), encoding: 'utf8', stdio: 'pipe' });

    const claimed = await whileServing(server, envOf('data'), async (url) => {
      const answer = await claimOn(url, 'acme/release#1');
      command('data', 'backup', join(outside.folder, 'backup'));
      return answer;
    });
    command('restored', 'restore', join(outside.folder, 'backup'));
    cpSync(join(outside.folder, 'data/keys'), join(outside.folder, 'restored/keys'), { recursive: true });
    cpServerSecret(join(outside.folder, 'data'), join(outside.folder, 'restored'));
    const again = await whileServing(server, envOf('restored'), (url) => claimOn(url, 'acme/release#2'));
    assert.ok(again.fence > claimed.fence, `${again.fence} after ${claimed.fence}`);
  });
});

interface Lease {
  readonly fence: number;
}

async function claimOn(url: string, key: string): Promise<Lease> {
  const body = JSON.stringify({ key, agent: 'a7', mode: 'exclusive' });
  const answer = await fetch(`${url}/v1/claim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Lease;
}

async function whileServing<T>(server: string, env: NodeJS.ProcessEnv, work: (url: string) => Promise<T>): Promise<T> {
  const child = spawn(server, [], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    return await work(await addressIn(child.stdout));
  } finally {
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  }
}

/** The sandbox keeps it with the data. Like the keys, it is not in a backup. */
function cpServerSecret(from: string, to: string): void {
  for (const name of readdirSync(from).filter((one) => one.includes('secret')))
    cpSync(join(from, name), join(to, name));
}
