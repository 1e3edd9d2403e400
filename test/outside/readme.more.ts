// README as a newcomer follows it: a fresh clone, the system's Node, and every command as printed.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { ROOT } from '../support/child-service.ts';
import { freePort } from '../support/free-port.ts';
import { OUT_OF_REACH } from './registry.ts';

/** Runs this test too; .ci/run runs it in a fresh clone. */
const NOT_RUN = 'npm test';

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

/** Starts what serves; gives what it said where it ended instead of naming its address. */
async function serve(line: string): Promise<string | null> {
  const child = spawn('bash', ['-c', asPrinted(line)], { cwd: folder, env, detached: true });
  served = child;
  const complaint = text(child.stderr);
  for await (const said of createInterface(child.stdout)) {
    if (said.includes(`127.0.0.1:${port}`)) return null;
  }
  return complaint;
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
        const complaint = await serve(line);
        if (complaint !== null && OUT_OF_REACH.test(complaint)) return t.skip('the package registry cannot be reached');
        assert.equal(complaint, null);
        continue;
      }
      said = await run(line);
      if (line.startsWith('curl ')) assert.ok(!('code' in JSON.parse(said)), said);
    }
  }
  assert.ok(ran >= 8, `${ran} commands`);
});
