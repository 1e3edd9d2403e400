// What the runner of these tests tells of files that go wrong: none of it may be lost.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { codeDigest } from '../../scripts/test/code-digest.ts';
import { resultCounts, summaryText } from '../../scripts/test/summary.ts';
import { type FileResult, WorkerProcess } from '../../scripts/test/worker-process.ts';
import { ROOT } from '../support/child-service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const IMPORTS = "import { after, suite, test } from 'node:test';\n";
let folder: string;
let worker: WorkerProcess;

before(async () => {
  folder = await temporaryDirectory();
  worker = await WorkerProcess.start();
});
after(async () => {
  await worker.stop();
  await rm(folder, { recursive: true });
});

async function run(name: string, source: string): Promise<FileResult> {
  const file = join(folder, `${name}.ts`);
  await writeFile(file, IMPORTS + source);
  return worker.run(relative(ROOT, file));
}

const outcomes = ({ results }: FileResult) => results.map(({ path, outcome }) => [path.join(' › '), outcome]);

test('each test is told with the suites around it and its outcome', async () => {
  const source = `
    suite('outer', () => {
      suite('inner', () => test('passes', () => {}));
      test('is skipped', { skip: 'no moon' }, () => {});
    });
    test('fails', () => { throw new Error('as planned'); });`;
  const result = await run('mixed', source);
  assert.deepEqual(outcomes(result), [
    ['outer › inner › passes', 'passed'],
    ['outer › is skipped', 'skipped'],
    ['fails', 'failed'],
  ]);
  assert.deepEqual(resultCounts([result]), { passed: 1, failed: 1, skipped: 1 });
  assert.match(result.results[2]?.error ?? '', /as planned/);
  assert.match(summaryText([result], { peakBytes: 0, ms: 0 }), /skipped 1: no moon\n✖ .*mixed\.ts › fails\n/);
});

test('a file that cannot be loaded, a hook that fails and an error that nobody caught are failures', async () => {
  const unloadable = await run('unloadable', "await import('./nowhere.ts');");
  assert.deepEqual(outcomes(unloadable), [['', 'failed']]);
  const hook = await run('hook', "after(() => { throw new Error('hook'); }); test('passes', () => {});");
  assert.equal(resultCounts([hook]).failed, 1);
  const late = `test('throws later', async () => {
    setImmediate(() => { throw new Error('late'); });
    await new Promise((resolve) => setTimeout(resolve, 50));
  });`;
  assert.equal(resultCounts([await run('late', late)]).failed, 1);
});

test('what a file changed of the process is put back before the next', async () => {
  await run('changes', "process.env['LEFT_BEHIND'] = '1'; process.chdir('/'); test('passes', () => {});");
  const source = `test('sees nothing of it', () => {
    if (process.env['LEFT_BEHIND'] !== undefined || process.cwd() === '/') throw new Error('seen');
  });`;
  assert.equal(resultCounts([await run('looks', source)]).failed, 0);
});

test('a file that ends its process is a failure, and its worker is known to be gone', async () => {
  const result = await run('exits', "test('ends everything', () => process.exit(3));");
  assert.match(result.fault ?? '', /the process ended \(3\)/);
  assert.equal(resultCounts([result]).failed, 1);
  assert.equal(worker.isAlive, false);
});

test('runs count as of one code only while no file of the checkout has changed, whatever tests read of it', async () => {
  const checkout = join(folder, 'checkout');
  await mkdir(checkout);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, stdio: 'ignore' });
  const write = (name: string, text: string) => writeFile(join(checkout, name), text);
  const seen: string[] = [];
  const changes = async (what: string, change: () => unknown, isOther = true) => {
    await change();
    const digest = codeDigest(checkout);
    assert.equal(digest !== seen.at(-1), isOther, what);
    seen.push(digest);
  };
  git('init');
  await write('.gitignore', '*.log\n');
  await write('CHANGELOG.md', 'one');
  await changes('files that git does not know yet', () => undefined);
  await changes('files that are added', () => git('add', '.'), false);
  await changes('a file that is changed', () => write('CHANGELOG.md', 'two'));
  await changes('a new file', () => write('deploy.yml', 'three'));
  await changes('a file that can be run', () => chmod(join(checkout, 'deploy.yml'), 0o755));
  await changes('a file that is gone', () => rm(join(checkout, 'CHANGELOG.md')));
  await changes('a file that git ignores', () => write('busy.log', 'four'), false);
});
