import { asSentence } from '#kernel/sentence.ts';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { columns } from './columns.ts';
import { allNear, nearest } from './nearest.ts';
import { Output } from './output.ts';
import { duration, Progress, progressText } from './progress.ts';

function written(isJson: boolean, isWatched: boolean) {
  const said = { out: '', err: '' };
  const terminal = {
    env: {},
    isWatched,
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
  };
  return { said, output: new Output(terminal, isJson) };
}

suite('output', () => {
  test('is lines for people, with notes and warnings on standard error', () => {
    const { said, output } = written(false, false);
    output.line('one');
    output.note('Note.');
    output.warn('This is dangerous.');
    output.result({ one: 1 }, 'done\n');
    assert.deepEqual(said, { out: 'one\ndone\n', err: 'Note.\nWarning: this is dangerous.\n' });
  });

  test('is one JSON document on standard output with --json, and JSON lines on standard error', () => {
    const { said, output } = written(true, false);
    output.line('one');
    output.note('Note.');
    output.warn('This is dangerous.');
    output.result({ one: 1 }, 'done\n');
    assert.equal(said.out, '{"one":1}\n');
    assert.equal(said.err, '{"note":"Note."}\n{"warning":"This is dangerous."}\n');
  });
});

suite('progress', () => {
  for (const [isJson, isWatched] of [
    [false, false],
    [true, true],
    [true, false],
  ] as const) {
    test(`is not shown ${isJson ? 'with --json' : 'where nobody watches'} (terminal: ${isWatched})`, () => {
      const { said, output } = written(isJson, isWatched);
      using progress = output.progress('Working');
      progress.update({ done: 1, total: 2, unit: 'rows' });
      progress.end();
      assert.deepEqual([said, progress.isShown], [{ out: '', err: '' }, false]);
    });
  }

  test('is drawn on a terminal and leaves an empty line behind', () => {
    const { said, output } = written(false, true);
    {
      using progress = output.progress('Working');
      progress.update({ done: 1, total: 2, unit: 'rows' });
    }
    const clear = '\r\u001b[2K';
    assert.equal(said.err, `${clear}Working [############............] 50%, 1 of 2 rows, 0.0 s${clear}`);
    assert.equal(said.out, '');
  });

  test('is drawn ten times a second at most, and at once where another part begins', () => {
    let [nowMs, drawn] = [0, 0];
    using progress = new Progress('One', { draw: () => void (drawn += 1), nowMs: () => nowMs });
    for (; nowMs < 1_000; nowMs += 10) progress.update({ done: nowMs, unit: 'rows' });
    assert.equal(drawn, 10);
    progress.update({ done: 1, unit: 'rows' }, 'Two');
    assert.equal(drawn, 11);
  });

  test('says what, how far, how long it takes and about how long is left', () => {
    assert.equal(
      progressText('Copying rows', { done: 1_000, total: 4_000, unit: 'rows' }, 5_000),
      'Copying rows [######..................] 25%, 1,000 of 4,000 rows, 5.0 s, about 15 s left',
    );
    assert.equal(
      progressText('Copying rows', { done: 12_345, unit: 'rows' }, 61_000),
      'Copying rows: 12,345 rows, 61 s',
    );
    assert.match(progressText('X', { done: 9, total: 3, unit: 'rows' }, 1), /\[#{24}\] 100%/);
  });

  test('tells a time in the units that people use', () => {
    assert.deepEqual([340, 59_600, 125_000, 7_500_000].map(duration), ['0.3 s', '60 s', '2 min 5 s', '2 h 5 min']);
  });
});

test('a table has its cells below each other, and no cell can steer the terminal', () => {
  const text = columns(
    ['ID', 'NAME'],
    [
      ['1', 'short'],
      ['22222', 'evil\u001b[2K\nname'],
    ],
  );
  assert.equal(text, 'ID     NAME\n1      short\n22222  evil[2K name\n');
});

test('a sentence gets a capital and a full stop, and names keep their spelling', () => {
  for (const [text, shown] of [
    ['the database is full', 'The database is full.'],
    ['Already there.', 'Already there.'],
    ['avouch.db is damaged', 'avouch.db is damaged.'],
    ['http://x.example returned 404', 'http://x.example returned 404.'],
    ['--agent: must be given', '--agent: must be given.'],
    ['lease.ndjson was cut', 'lease.ndjson was cut.'],
  ] as const) {
    assert.equal(asSentence(text), shown);
  }
});

test('the nearest word is found for a slip, a start and a part, and none for another word', () => {
  const known = ['claim', 'release', 'verify', 'verify-receipt', 'idempotency-key'];
  assert.deepEqual(
    ['clam', 'Claim', 'relaese', 'verfy', 'idempotency', 'banana'].map((word) => nearest(word, known)),
    ['claim', 'claim', 'release', 'verify', 'idempotency-key', undefined],
  );
  assert.deepEqual(allNear('wallet', ['get_wallet', 'wallet_ledger', 'claim'], 2), ['get_wallet', 'wallet_ledger']);
});
