// The settings page against the settings: complete, and true about values, defaults and what production requires.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { faultsOf, PRODUCTION } from '#platform/config/_settings.ts';
import { inspectConfig } from '#platform/config/config.ts';
import { OF_COMMANDS, type Setting, SETTINGS } from '#platform/config/env.ts';
import { generatedDocuments } from '../../scripts/generate-docs.ts';
import { OTHER_VARIABLES } from '../../scripts/docs/settings-page.ts';
import { AREA_SETTINGS } from '../../src/areas.ts';
import { ROOT } from '../support/child-service.ts';

const page = generatedDocuments()['docs/settings.md'] ?? '';
/** The cells of each row, by the name in its first cell. */
const rows = new Map(
  page
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/^\| | \|$/g, '')
        .split(' | ')
        .map((cell) => cell.trim()),
    )
    .filter(([first = '']) => /^`[A-Z][A-Z\d_]*`$/.test(first))
    .map(([first = '', ...cells]) => [first.slice(1, -1), cells]),
);
const all: readonly Setting[] = [...SETTINGS, ...AREA_SETTINGS];

const OF_TESTS = /\.test\.ts$|\/_[^/]*$/;

/** What the code says of names that are no settings: parts of names, examples of wrong names, and other programs. */
const NOT_SETTINGS: Readonly<Record<string, string>> = {
  AVOUCH_AREA_: 'prefix of the settings of areas',
  AVOUCH_DATA_: 'prefix of the addresses of open data',
  AVOUCH_FX_: 'pattern of the doctor',
  AVOUCH_OPERATOR_: 'pattern of the doctor',
  AVOUCH_RATE_: 'prefix of rate limits',
  AVOUCH_TEST_: 'prefix that is left to tests',
  AVOUCH_WITNESS_: 'pattern of the doctor',
};

suite('the settings page', () => {
  test('has one row for every setting and for every variable of the commands', () => {
    const names = [...all.map(({ name }) => name), ...OTHER_VARIABLES.map(([name]) => name)];
    assert.deepEqual([...rows.keys()], names);
    assert.equal(new Set(names).size, names.length);
  });

  test('has every AVOUCH_ name that the code mentions', () => {
    const files = globSync(['src/**/*.ts', 'bin/*.mjs', 'scripts/**/*.{ts,mjs}', 'deploy/**/*.*'], { cwd: ROOT });
    const read = files.filter((file) => !OF_TESTS.test(file));
    const secretFiles = SETTINGS.filter(({ secret }) => secret === true).map(({ name }) => `${name}_FILE`);
    const known = new Set([...rows.keys(), ...secretFiles, ...Object.keys(NOT_SETTINGS)]);
    for (const file of read) {
      const mentioned = readFileSync(join(ROOT, file), 'utf8').match(/\bAVOUCH_[A-Z\d_]+/g) ?? [];
      for (const name of mentioned) assert.ok(known.has(name), `${name} of ${file} is not on the settings page`);
    }
  });

  test('has every variable that the service reads from the environment by its name', () => {
    const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !OF_TESTS.test(file));
    for (const file of files) {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const reads = source.matchAll(/\benv(?:\.|\[')([A-Z][A-Z\d_]*)\b/g);
      for (const [, name = ''] of reads) assert.ok(rows.has(name), `${file} reads ${name}`);
      assert.ok(!source.includes('process.env') || file === 'src/platform/config/env.ts', file);
    }
    const variables = readFileSync(join(ROOT, 'src/cli/operation-fields.ts'), 'utf8').matchAll(
      /'x-[\w-]+': '([A-Z_]+)'/g,
    );
    assert.deepEqual(
      [...OF_COMMANDS, ...Array.from(variables, ([, name]) => name)],
      OTHER_VARIABLES.map(([name]) => name),
    );
  });

  test('marks as required what production refuses to start without, and nothing else', () => {
    for (const { name } of SETTINGS) {
      const isMarked = /^\*\*required\*\*(?:, not with free)?$/.test(rows.get(name)?.[2] ?? '');
      const faults = faultsOf({ ...PRODUCTION, [name]: undefined });
      const isRefused = faults.some((fault) => fault.startsWith(name)) && !rows.get(name)?.[2]?.includes(' if ');
      assert.equal(isMarked, isRefused, `${name}: ${faults.join()}`);
    }
  });

  test('gives the condition under which production requires a setting', () => {
    for (const { name, requiredWith, register } of SETTINGS) {
      const given = requiredWith ?? (register === undefined ? undefined : (['AVOUCH_REGISTERS', register] as const));
      if (given === undefined) continue;
      const [other, value] = given;
      const faults = faultsOf({ ...PRODUCTION, [name]: undefined, [other]: value });
      assert.ok(
        faults.some((fault) => new RegExp(`\\b${name}\\b`).test(fault)),
        `${name} with ${other}=${value}: ${faults.join()}`,
      );
      assert.ok(rows.get(name)?.[2]?.includes(value), name);
    }
  });

  test('gives ranges whose ends are accepted and whose neighbours are refused', () => {
    for (const { name, range } of SETTINGS) {
      if (range === undefined) continue;
      const [min, max] = range;
      const isRefused = (value: number) => inspectConfig({ [name]: String(value) }).faults.length > 0;
      assert.deepEqual([min - 1, min, max, max + 1].map(isRefused), [true, false, false, true], name);
      assert.ok(rows.get(name)?.[0]?.includes(`${min} to ${max}`), name);
    }
  });

  test('lists choices that are accepted, and no other value is', () => {
    for (const { name, choices } of SETTINGS) {
      if (choices === undefined) continue;
      const isRefused = (value: string) =>
        faultsOf({ [name]: value }).some((fault) => new RegExp(`^${name} must be (?:one of|yes or no)`).test(fault));
      for (const value of choices) assert.ok(!isRefused(value), `${name}=${value}`);
      assert.ok(isRefused('anything-else'), name);
    }
  });

  test('names the file that each secret can come from', () => {
    for (const { name, secret } of SETTINGS) {
      assert.equal(rows.get(name)?.[0]?.includes(`\`${name}_FILE\``), secret === true, name);
    }
  });

  test('explains each setting in sentences', () => {
    for (const { name, help } of all) assert.match(help, /^(?:[A-Z\d]|on:|off:|yes:|auto:).*[.…]$/, name);
  });
});
