import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { Secret } from './config/secret.ts';
import { createLogger, type LogLevelName } from './logger.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5, 6));

/** What a logger of the level writes to standard error while `use` runs. */
function written(
  t: TestContext,
  level: LogLevelName,
  use: (logger: ReturnType<typeof createLogger>) => void,
  isTerminal = false,
): string {
  const { mock } = t.mock.method(process.stderr, 'write', () => true);
  use(createLogger(level, clock, isTerminal));
  const text = mock.calls.map((call) => String(call.arguments[0])).join('');
  mock.restore();
  return text;
}

test('a line is one JSON object with time, level, msg and the given fields when the output is not a terminal', (t) => {
  const text = written(t, 'info', (logger) => logger.info('started\n{', { port: 8402, note: 'a\nb', none: undefined }));
  assert.equal(text.split('\n').length, 2);
  const line = { at: '2026-01-02T03:04:05.006Z', level: 'info', msg: 'started\n{', port: 8402, note: 'a\nb' };
  assert.deepEqual(JSON.parse(text), line);
});

for (const level of [...LEVELS, 'silent'] as const) {
  test(`level ${level} keeps back everything below it`, (t) => {
    const text = written(t, level, (logger) => {
      for (const name of LEVELS) logger[name]('x', {});
    });
    const seen = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { level: string }).level);
    assert.deepEqual(seen, level === 'silent' ? [] : LEVELS.slice(LEVELS.indexOf(level)));
  });
}

test('an error line tells the whole chain of causes on one line, whatever was thrown', (t) => {
  const cause = new TypeError('outer', { cause: new RangeError('inner') });
  const text = written(t, 'error', (logger) => {
    logger.error('call failed', { request_id: 'r-1' }, cause);
    logger.error('call failed', { request_id: 'r-2' }, 'a text');
    logger.error('call failed', { request_id: 'r-3' });
  });
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    lines.map((line) => line['cause']),
    ['TypeError: outer <- RangeError: inner', 'a text', undefined],
  );
  assert.match(String(lines[0]?.['stack']), /^TypeError: outer\n +at /);
});

test('a line is plain text with time, level, msg and fields when the output is a terminal', (t) => {
  const use = (logger: ReturnType<typeof createLogger>) => {
    logger.info('service stopped', { pid: 7, none: undefined });
    logger.error('call failed', { operation: 'look', cause: 'two words', code: null, is_late: true });
  };
  assert.equal(
    written(t, 'debug', use, true),
    [
      '2026-01-02T03:04:05Z info  service stopped pid=7\n',
      '2026-01-02T03:04:05Z error call failed operation=look cause="two words" code=null is_late=true\n',
    ].join(''),
  );
});

test('a plain line stays one line and escapes what a terminal would obey', (t) => {
  const fields = { cause: 'a\nb \u001b[31mred', name: 'x"y=z', order: 'left\u202eright', csi: '\u009b2J' };
  const text = written(t, 'info', (logger) => logger.warn('odd\r\nmsg', fields), true);
  assert.equal(
    text,
    '2026-01-02T03:04:05Z warn  odd\\u{d}\\u{a}msg cause="a\\nb \\u001b[31mred" name="x\\"y=z" order="left\\u{202e}right" csi="\\u{9b}2J"\n',
  );
});

test('a plain error line is followed by the stack and nothing else', (t) => {
  const cause = new TypeError('outer', { cause: new RangeError('inner') });
  const text = written(t, 'error', (logger) => logger.error('crash', { pid: 7 }, cause), true);
  const [first, ...frames] = text.trimEnd().split('\n');
  assert.equal(first, '2026-01-02T03:04:05Z error crash pid=7 cause="TypeError: outer <- RangeError: inner"');
  assert.ok(frames.length > 0);
  for (const frame of frames) assert.match(frame, /^ +at /);
});

for (const isTerminal of [false, true]) {
  test(`secrets and passwords in addresses are redacted in ${isTerminal ? 'plain' : 'JSON'} lines`, (t) => {
    const secret = new Secret('marker-1') as unknown as string;
    const urlOf = (password: string) => `postgres://user:${password}@host:5432/name`;
    const url = urlOf('marker-2');
    const thrown = new Error(`${url} and smtps://mailer:marker-3@mail.example:465 do not answer`);
    const text = written(t, 'info', (logger) => logger.error('crash', { secret, url }, thrown), isTerminal);
    assert.doesNotMatch(text, /marker/);
    assert.ok(text.includes(urlOf('[secret]')), text);
    assert.ok(text.includes('smtps://mailer:[secret]@mail.example:465'), text);
  });
}
