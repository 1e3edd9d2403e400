// The extra ocr as an operator installs it, in a folder of its own, and what reads images with it.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, suite, test } from 'node:test';
import { EXTRAS_FOLDER, extraFolder, readExtras } from '#platform/config/extras.ts';
import { HeavyWork } from '#areas/capabilities/outside/heavy-work.ts';
import { systemClock } from '#kernel/clock.ts';
import { Unworkable } from '#areas/capabilities/capability.ts';
import { extrasIn } from '../../src/cli/extras.ts';
import { Output } from '../../src/cli/line/output.ts';
import { pictureOf } from '../support/small-files.ts';

/** What npm says where the registry is out of reach; anything else that goes wrong is a fault of ours. */
const OUT_OF_REACH = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/;

const folder = mkdtempSync(join(tmpdir(), 'avouch-test-extras-'));
after(() => rmSync(folder, { recursive: true }));
cpSync(EXTRAS_FOLDER, folder, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
const command = extrasIn(folder);
let output = '';
const say = (text: string) => void (output += text);
const run = async (action: 'list' | 'install', ...operands: string[]) => {
  output = '';
  const given = { operands, values: {}, lists: {}, flags: new Set<string>() };
  return command[action](given, new Output({ env: {}, out: say, err: say }, false)).catch((error: unknown) => {
    output = String(error);
    return 1;
  });
};
const code = await run('install', 'ocr');
const installed = output;
const skip = code !== 0 && OUT_OF_REACH.test(installed) && 'the package registry cannot be reached';

suite('the extra ocr', { skip }, () => {
  test('is installed in exactly the versions that its manifest names', async () => {
    assert.equal(code, 0, installed);
    const [extra] = readExtras(folder);
    for (const one of extra?.packages ?? []) assert.equal(one.installed, one.wanted, one.name);
    assert.deepEqual([await run('list'), output.split(' (')[0]], [0, 'ocr: installed']);
  });

  test('reads printed text in a picture, in both languages', async () => {
    await using heavy = new HeavyWork({ clock: systemClock(), ocrFolder: extraFolder('ocr', folder) });
    using turn = heavy.turn('agt_1', new AbortController().signal);
    const read = await turn.run('ocr', { bytes: pictureOf('TOTAL 121'), languages: ['eng', 'nld'] });
    if (read instanceof Unworkable) assert.fail(read.detail);
    assert.equal(read.text, 'TOTAL 121');
    assert.equal(read.words.length, 2);
  });

  test('is not used while a part of it is missing, and a second install makes it whole', async () => {
    rmSync(join(folder, 'ocr/node_modules/@tesseract.js-data/nld'), { recursive: true });
    assert.equal(extraFolder('ocr', folder), null);
    assert.equal(await run('list'), 0);
    assert.match(output, /^ocr: incomplete \(.*@tesseract\.js-data\/nld missing/);
    assert.equal(await run('install', 'ocr'), 0, output);
    assert.notEqual(extraFolder('ocr', folder), null);
  });
});
