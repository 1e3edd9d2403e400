// The image as it is shipped: built twice to one digest, and run as strictly as the manifests run it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { type BuiltImage, buildImage, imageObstacle } from '../../scripts/image/build-image.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const MEGABYTE = 1_000_000;

suite('the image', { skip: imageObstacle() }, () => {
  let directory: string;
  let first: BuiltImage;
  before(async () => {
    directory = await temporaryDirectory();
    first = await buildImage(join(directory, 'first'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  test('is ready, answers a claim and stops with 0, with a read-only root and no capability', () => {
    const { uid, exitCode } = first.check ?? {};
    assert.deepEqual({ uid, exitCode }, { uid: 10_001, exitCode: 0 });
  });

  test('has the same digest whenever it is built from the same files', async () => {
    const second = await buildImage(join(directory, 'second'), { run: false });
    assert.equal(second.digest, first.digest);
  });

  test('is smaller than 60 MB, and has no shell, type, map or test in it', () => {
    assert.ok(first.bytes < 60 * MEGABYTE, `${first.bytes} bytes`);
    const names = filesOf(join(directory, 'first', first.file));
    assert.ok(names.includes('opt/avouch/bin/probe.mjs'));
    assert.deepEqual(
      names.filter((name) => /\/(?:sh|bash|apt|npm)$|\.ts$|\.map$|\.test\.|\.pem$|\.db$/.test(name)),
      [],
    );
  });
});

/** What is in its one layer. */
function filesOf(file: string): string[] {
  const read = (name: string) => execFileSync('tar', ['-xOf', file, name], { maxBuffer: 2 ** 28 });
  const blob = (digest: string) => `blobs/${digest.replace(':', '/')}`;
  const index = JSON.parse(read('index.json').toString()) as { manifests: [{ digest: string }] };
  const manifest = JSON.parse(read(blob(index.manifests[0].digest)).toString()) as { layers: [{ digest: string }] };
  const list = execFileSync('tar', ['-tz'], { input: read(blob(manifest.layers[0].digest)), encoding: 'utf8' });
  return list.trimEnd().split('\n');
}
