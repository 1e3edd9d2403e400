// The documentation as files: complete, and every link leads somewhere without the service.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { exportDocs } from '../../scripts/docs/site.ts';
import { OPERATIONS, TABLE } from '../../src/areas.ts';
import { ROOT } from '../support/child-service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

suite('the exported documentation', () => {
  let directory: string;
  let files: ReadonlySet<string>;
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  before(async () => {
    directory = await temporaryDirectory();
    files = new Set(await exportDocs(directory));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  test('has every page, operation and problem code', () => {
    const pages = globSync('docs/*.md', { cwd: ROOT }).map((file) => `docs/${basename(file, '.md')}.html`);
    const operations = OPERATIONS.map(({ operationId }) => `docs/api/${operationId}.html`);
    const codes = OPERATIONS.flatMap((row) => TABLE.problemsOf(row)).map(({ code }) => `problems/${code}.html`);
    const wanted = new Set([...pages, ...operations, ...codes, 'index.html', 'openapi.json']);
    assert.deepEqual([...wanted].filter((name) => !files.has(name)).toSorted(), []);
  });

  test('has only links that lead to a file of it and a place in that file, or to another host', () => {
    const wrong: string[] = [];
    let followed = 0;
    for (const name of [...files].filter((file) => file.endsWith('.html'))) {
      for (const [, address = ''] of read(name).matchAll(/ (?:href|src|action)="([^"]*)"/g)) {
        if (/^(?:https?|mailto):/.test(address)) continue;
        const [path = '', anchor] = address.split('#');
        const target = path === '' ? name : posix.join(posix.dirname(name), path);
        const isThere = files.has(target) && (anchor === undefined || read(target).includes(` id="${anchor}"`));
        if (!isThere) wrong.push(`${name}: ${address}`);
        followed += 1;
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(followed > 5_000, `${followed} links`);
  });

  test('shows no address of the service that made it, and runs no script', () => {
    for (const name of files) assert.doesNotMatch(read(name), /http:\/\/127\.0\.0\.1:(?!8402|\d{4}\b)|<script/, name);
  });
});
