import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ManualClock } from '#kernel/clock.ts';
import { ROOT } from '../support/child-service.ts';
import { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);

interface Block {
  readonly language: string;
  readonly text: string;
}

async function blocks(file: string): Promise<Block[]> {
  const text = await readFile(join(ROOT, file), 'utf8');
  return [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map((match) => ({
    language: match[1] as string,
    text: match[2] as string,
  }));
}

test('the tour of the wallet ends with movements that add up, and its lines are those of the quickstart', async () => {
  const clock = new ManualClock(Date.now());
  await using service = await TestService.start({ clock });
  const touring = run(process.execPath, [join(ROOT, 'examples/wallet-tour.ts'), service.url]);
  const isOver = touring.then(
    () => true,
    () => true,
  );
  const placed = async () =>
    (await service.service.store.read('SELECT id FROM supplier_order WHERE supplier_ref IS NOT NULL')).length > 0;
  // The supplier confirms it by this clock; by that of the machine it might have shipped it before anybody looks.
  await Promise.race([isOver, until('an order', placed)]);
  clock.advance(4_000);
  const { stdout } = await touring;
  const shown = (await blocks('docs/quickstart.md')).find(({ text }) => text.startsWith('registered'))?.text ?? '';
  const lines = (text: string) => text.split('\n').filter((line) => !/^(?:registered|checkout)/.test(line));
  assert.deepEqual(lines(stdout), lines(shown));
});

test('the README names the two commands, and npm knows them', async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const name of ['start', 'test']) {
    assert.match(readme, new RegExp(`^npm ${name} `, 'm'));
    assert.ok(scripts[name] !== undefined, name);
  }
});

test('every relative link of the documents leads to a file', async () => {
  for (const file of ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']) {
    const text = await readFile(join(ROOT, file), 'utf8');
    for (const match of text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) await stat(join(ROOT, match[1] as string));
  }
});
