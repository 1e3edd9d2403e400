import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { createLogger, type LogLevelName } from './logger.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5, 6));

/** What a logger of the level writes to standard error while `use` runs. */
function written(t: TestContext, level: LogLevelName, use: (logger: ReturnType<typeof createLogger>) => void): string {
  const { mock } = t.mock.method(process.stderr, 'write', () => true);
  use(createLogger(level, clock));
  const text = mock.calls.map((call) => String(call.arguments[0])).join('');
  mock.restore();
  return text;
}

test('a line is one JSON object with time, level, message and the given fields', (t) => {
  const text = written(t, 'info', (logger) => logger.info('started\n{', { port: 8402, note: 'a\nb', none: undefined }));
  assert.equal(text.split('\n').length, 2);
  const line = { at: '2026-01-02T03:04:05.006Z', level: 'info', message: 'started\n{', port: 8402, note: 'a\nb' };
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
