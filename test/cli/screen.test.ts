import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { runCommand } from '../support/command.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const LIST = new URL('../vectors/fsf-fictional.xml', import.meta.url).pathname;
const root = await temporaryDirectory();
after(() => rm(root, { recursive: true, force: true }));

function fileOf(name: string, content: string | Uint8Array): string {
  const file = join(root, name);
  writeFileSync(file, content);
  return file;
}

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

suite('screen --list --names', { concurrency: 3 }, () => {
  test('writes one JSON line for each name, in order, as read; BOM, CRLF and blank lines are skipped', async () => {
    const names = fileOf('names.txt', '\uFEFFANTON  Borisovich Vymyslov\r\n\n  \nJane Nobody\nخالد المختاراني');
    const { code, stdout, stderr } = await runCommand(['screen', '--list', LIST, '--names', names]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(
      stdout.split('\n')[0],
      '{"name":"ANTON  Borisovich Vymyslov","hits":[{"id":"EU.80001.11","listed_name":"Anton Borisovich VYMYSLOV","score":1}]}',
    );
    assert.equal(stdout.split('\n')[1], '{"name":"Jane Nobody","hits":[]}');
    assert.deepEqual(
      linesOf(stdout).map(({ name }) => name),
      ['ANTON  Borisovich Vymyslov', 'Jane Nobody', 'خالد المختاراني'],
    );
  });

  test('--why explains each hit, --stats adds one line on standard error, --threshold decides', async () => {
    const names = fileOf('one.txt', 'Anton Vymyslov\n');
    const explained = await runCommand(['screen', '--list', LIST, '--names', names, '--why', '--stats']);
    const [{ hits }] = linesOf(explained.stdout) as [{ hits: { why: { unmatched_listed: string[] } }[] }];
    assert.deepEqual(hits[0]?.why.unmatched_listed, ['borisovich']);
    const stats = JSON.parse(explained.stderr) as Record<string, number>;
    assert.deepEqual(Object.keys(stats), [
      'names',
      'list_entities',
      'list_names',
      'build_ms',
      'rss_mb',
      'p50_us',
      'p99_us',
      'per_s',
    ]);
    assert.deepEqual([stats['names'], stats['list_entities'], stats['list_names']], [1, 4, 8]);
    const strict = await runCommand(['screen', '--list', LIST, '--names', names, '--threshold', '0.99']);
    assert.equal(strict.stdout, '{"name":"Anton Vymyslov","hits":[]}\n');
  });

  test('a name whose letters are not read says so on its line; other lines stay as they are', async () => {
    const names = fileOf('scripts.txt', 'ឈ្មោះ\nХрущёв Примеров\n');
    const { stdout } = await runCommand(['screen', '--list', LIST, '--names', names]);
    const pairs = fileOf('scripts.csv', 'left,right\nឈ្មោះ,Sample\nSample,Sample\n');
    const compared = await runCommand(['screen', '--pairs', pairs]);
    assert.deepEqual(linesOf(stdout + compared.stdout), [
      { name: 'ឈ្មោះ', hits: [], has_unread_letters: true },
      { name: 'Хрущёв Примеров', hits: [] },
      { left: 'ឈ្មោះ', right: 'Sample', score: 0, match: false, has_unread_letters: true },
      { left: 'Sample', right: 'Sample', score: 1, match: true },
    ]);
  });

  test('a list or names that cannot be read or are refused end with 1, without any data', async () => {
    const names = fileOf('some.txt', 'Anton\n');
    const html = fileOf('busy.xml', '<html></html>');
    const latin1 = fileOf('latin1.txt', Uint8Array.of(0x4d, 0xfc));
    const missing = join(root, 'missing');
    for (const [list, file, says] of [
      [html, names, /refused \(not_a_list\)/],
      [missing, names, /Cannot read .* \(ENOENT\)/],
      [LIST, missing, /Cannot read .* \(ENOENT\)/],
      [LIST, latin1, /is not UTF-8/],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(['screen', '--list', list, '--names', file]);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, says);
    }
  });
});

suite('screen --pairs', { concurrency: 3 }, () => {
  test('compares left with right in each row; other columns and their order do not matter', async () => {
    const pairs = fileOf(
      'pairs.csv',
      'note,right,left\r\n"a, ""b""",Exemplar AG,Exemplar Aktiengeselschaft\r\n,Lumar Bank,"Jane\nNobody"\r\n',
    );
    const { code, stdout } = await runCommand(['screen', '--pairs', pairs]);
    const [first, second] = linesOf(stdout);
    assert.deepEqual(
      [code, first?.['left'], first?.['right'], first?.['match']],
      [0, 'Exemplar Aktiengeselschaft', 'Exemplar AG', true],
    );
    assert.deepEqual(Object.keys(first ?? {}), ['left', 'right', 'score', 'match']);
    assert.deepEqual([second?.['left'], second?.['match']], ['Jane\nNobody', false]);
  });

  test('a row is judged alone: the other rows change nothing', async () => {
    const alone = await runCommand([
      'screen',
      '--pairs',
      fileOf('a.csv', 'left,right\nAnton Vymyslov,Anton B Vymyslov\n'),
    ]);
    const among = await runCommand([
      'screen',
      '--pairs',
      fileOf('b.csv', 'left,right\nAnton Anton,Anton\nAnton Vymyslov,Anton B Vymyslov\n'),
    ]);
    assert.equal(among.stdout.split('\n')[1], alone.stdout.split('\n')[0]);
  });

  test('a file without the columns, or that is no CSV, ends with 1', async () => {
    for (const content of ['name,other\na,b\n', 'left,right\n"open,b\n']) {
      const { code, stdout } = await runCommand(['screen', '--pairs', fileOf('bad.csv', content)]);
      assert.deepEqual([code, stdout], [1, '']);
    }
  });
});

test('wrong usage ends with 2 and shows how to use it', async () => {
  const wrong = [
    [],
    ['--list', LIST],
    ['--names', '-'],
    ['--pairs', 'x', '--list', LIST],
    ['--pairs', 'x', '--threshold', '2'],
    ['--pairs', 'x', '--threshold', 'abc'],
    ['--nonsense'],
  ];
  for (const args of wrong) {
    const { code, stdout, stderr } = await runCommand(['screen', ...args]);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /^avouch screen: [^\n]+\nRun `avouch screen --help`\.\n$/);
  }
});
