// README as a newcomer follows it: a fresh clone, the system's Node, and every command as printed.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { ROOT } from '../support/child-service.ts';
import { freePort } from '../support/free-port.ts';
import { OUT_OF_REACH } from './registry.ts';

/** Runs this test too; .ci/run runs it in a fresh clone. */
const NOT_RUN = 'npm test';
const COLUMNS = 80;
/** Four of them are npm's own. */
const MAX_START_ROWS = 6;

const folder = mkdtempSync(join(tmpdir(), 'avouch-test-readme-'));
const port = await freePort();
const env = {
  PATH: process.env.PATH?.split(delimiter)
    .filter((entry) => !entry.includes('node_modules'))
    .join(delimiter),
  HOME: process.env.HOME,
  PORT: String(port),
};
let served: ChildProcess | undefined;
after(async () => {
  if (served?.pid !== undefined && served.exitCode === null) {
    const ended = once(served, 'exit');
    process.kill(-served.pid, 'SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true });
});

interface Printed {
  readonly language: string;
  readonly lines: readonly string[];
}

/** Fenced blocks in their order; a line that ends in a backslash goes on. */
function blocksOf(page: string): Printed[] {
  return Array.from(page.matchAll(/```(\w+)\n([\s\S]*?)\n```/g), ([, language = '', block = '']) => ({
    language,
    lines: block.split(/(?<!\\)\n/),
  }));
}

/** Everything that the repository holds, and nothing that was made from it. */
function copyCheckout(): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  const names = listed.toString().split('\0').filter(Boolean);
  for (const name of names) cpSync(join(ROOT, name), join(folder, name), { force: true });
  writeFileSync(join(folder, 'contract.pdf'), '%PDF-1.4 a contract');
}

function asPrinted(line: string): string {
  return line.replaceAll('127.0.0.1:8402', `127.0.0.1:${port}`);
}

/** Starts what serves, at a terminal; gives the rows that a newcomer sees there, or what was said by what ended. */
async function serve(line: string): Promise<{ rows: number; told: string; isReady: boolean }> {
  const child = spawn('script', ['-qefc', asPrinted(line), '/dev/null'], { cwd: folder, env, detached: true });
  served = child;
  const ready = new RegExp(`127\\.0\\.0\\.1:${port}[^\\n]*\\n`);
  let told = '';
  for await (const piece of child.stdout) {
    told += String(piece);
    if (ready.test(told)) return { rows: rowsOf(told), told, isReady: true };
  }
  return { rows: rowsOf(told), told, isReady: false };
}

/** Rows of a usual terminal: what was written over is not seen, and the usual port needs no option. */
function rowsOf(told: string): number {
  const lines = told.trimEnd().split('\n');
  const seen = lines.map((line) =>
    line
      .replace(/\r$/, '')
      .replace(/^[^]*\r/, '')
      .replace(/ --url \S+/, ''),
  );
  return seen.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / COLUMNS)), 0);
}

async function run(line: string): Promise<string> {
  const child = spawn('bash', ['-c', asPrinted(line)], { cwd: folder, env });
  child.stdin.end();
  const [said, complaint] = [text(child.stdout), text(child.stderr)];
  const [code] = await once(child, 'close');
  // A comment says where a command ends with a no.
  assert.equal(code, /# STOP$/.test(line) ? 1 : 0, `${line}\n${await said}\n${await complaint}`);
  return said;
}

/** What README prints of an answer, but for ids, is what came. */
function sameAnswer({ lines }: Printed, said: string): void {
  const withoutIds = (shown: string) => shown.replaceAll(/#\d+|\bLA[\w-]{11}/g, '…');
  const came = withoutIds(said);
  for (const line of lines) assert.ok(came.includes(withoutIds(line.trim())), `${line}\nis not in\n${said}`);
}

test('every command of README runs as printed in a fresh clone', async (t) => {
  const blocks = blocksOf(readFileSync(join(ROOT, 'README.md'), 'utf8'));
  copyCheckout();
  let said = '';
  let ran = 0;
  for (const block of blocks) {
    if (block.language === 'text') sameAnswer(block, said);
    if (block.language !== 'sh') continue;
    for (const line of block.lines.filter((one) => !one.startsWith(NOT_RUN))) {
      ran += 1;
      if (line.startsWith('npm start')) {
        const { rows, told, isReady } = await serve(line);
        if (!isReady && OUT_OF_REACH.test(told)) return t.skip('the package registry cannot be reached');
        assert.ok(isReady, told);
        assert.ok(rows <= MAX_START_ROWS, `${rows} rows: ${told}`);
        t.diagnostic(`${rows} rows`);
        continue;
      }
      said = await run(line);
      if (line.startsWith('curl ')) assert.ok(!('code' in JSON.parse(said)), said);
    }
  }
  assert.ok(ran >= 8, `${ran} commands`);
});
