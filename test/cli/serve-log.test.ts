// What the service writes from its start to its end: JSON lines for machines, plain lines for a person, never both.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { suite, test } from 'node:test';
import { ChildService, passedOn, ROOT } from '../support/child-service.ts';
import { serviceEnv } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { until } from '../support/until.ts';

const REDACTED = '[secret]';

const MARKER = 'marker-5c2e';
/** Lets a signal break the service as a bug would; its source, which the stack shows, does not have the marker. */
const BREAKABLE = `process.on('SIGUSR2', () => { throw new Error('broken at postgres://u:' + ['marker', '5c2e'].join('-') + '@db/x'); });
process.on('SIGHUP', () => process.emitWarning('odd', 'OddWarning'));`;
/** One row more for the first installation, which makes six. */
const MAX_START_ROWS = 5;
const noTerminal = spawnSync('script', ['--version']).status !== 0 && 'there is no script command to make a terminal';

const CTRL_C = '\x03';
const COLUMNS = 80;

/** A long line takes several rows of a usual terminal. */
function rowsOf(lines: readonly string[]): number {
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / COLUMNS)), 0);
}

interface Line {
  readonly at: string;
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

async function startBreakable(level: string): Promise<ChildService> {
  const env = serviceEnv(await temporaryDirectory(), undefined, { AVOUCH_LOG_LEVEL: level });
  return ChildService.start({ ...env, NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(BREAKABLE)}` });
}

suite('output that is not a terminal', () => {
  test('has one JSON object in each line from start to stop, warnings of the runtime included', async () => {
    const service = await startBreakable('info');
    service.process.kill('SIGHUP');
    await until('the warning', () => service.output.stderr.includes('OddWarning'));
    assert.equal(await service.end('SIGTERM'), 0);
    const [ready, ...others] = linesOf(service.output.stdout);
    assert.deepEqual([ready?.msg, ready?.['listening'], others.length], ['service ready', service.url, 0]);
    const lines = linesOf(service.output.stderr);
    assert.deepEqual(
      lines.map(({ level, msg }) => `${level} ${msg}`),
      ['info service configuration', 'warn runtime warning', 'info service stopping', 'info service stopped'],
    );
    for (const { at } of lines) assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(lines[0]?.['profile'], 'sandbox');
    assert.equal(lines[2]?.['signal'], 'SIGTERM');
  });

  test('has one line for a crash at every log level, with the cause and without secrets, and the exit code is 1', async () => {
    const service = await startBreakable('silent');
    assert.equal(await service.end('SIGUSR2'), 1);
    const [crash, ...others] = linesOf(service.output.stderr);
    assert.deepEqual([crash?.level, crash?.msg, others.length], ['error', 'crash', 0]);
    assert.equal(crash?.['cause'], `Error: broken at postgres://u:${REDACTED}@db/x`);
    assert.doesNotMatch(service.output.stderr, new RegExp(MARKER));
  });
});

suite('output that is a terminal', { skip: noTerminal }, () => {
  test('has plain rows only, at most five for npm start, the last of them with the address', async (t) => {
    const env = { ...passedOn(), ...serviceEnv(await temporaryDirectory(), undefined, { AVOUCH_LOG_LEVEL: 'info' }) };
    const child = spawn('script', ['-qefc', 'npm start', '/dev/null'], {
      env,
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    t.after(() => child.kill());
    let text = '';
    child.stdout.on('data', (chunk) => (text += String(chunk)));
    const ended = once(child, 'close');
    await until('the address', () => /listens on http:\S+ \(sandbox\)/.test(text));
    await until('the end of the line', () => text.endsWith('\n'));
    // Only another port than the usual one needs to be named.
    const atStart = text
      .replace(/ --url \S+/, '')
      .trimEnd()
      .split(/\r?\n/);
    assert.ok(rowsOf(atStart) <= MAX_START_ROWS, text);
    assert.match(atStart.at(-1) ?? '', /^Avouch \S+ listens on http:\/\/127\.0\.0\.1:\d+ .* Try: \.\/avouch tour$/);
    child.stdin.write(CTRL_C);
    await ended;
    assert.match(text, /Z info {2}service stopping signal=SIGINT\r?\n\S+Z info {2}service stopped pid=\d+\r?\n/);
    assert.doesNotMatch(text, /[{}]/);
  });
});
