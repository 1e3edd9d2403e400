import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AreaSettings, inspectAreaSettings } from './area-settings.ts';

const upTo = (name: string, max: number): AreaSettings => ({
  settings: [{ name, fallback: '5', help: 'a number' }],
  read(text, refuse) {
    const value = Number(text(name));
    if (value > max) refuse(`${name} must be at most ${max}`);
    return value;
  },
});
const AREAS = [
  ['toy', upTo('AVOUCH_AREA_TOY_SIZE', 9)],
  ['far-off', upTo('AVOUCH_AREA_FAR_OFF_SIZE', 9)],
] as const;

test('each area gets its values, or the defaults', () => {
  const ofAreas = { AVOUCH_AREA_TOY_SIZE: '7' };
  const { values, faults, warnings } = inspectAreaSettings(AREAS, { profile: 'production', ofAreas });
  assert.deepEqual(
    [...values],
    [
      ['toy', 7],
      ['far-off', 5],
    ],
  );
  assert.deepEqual([faults, warnings], [[], []]);
});

test('all that is wrong is said at once; a name that no area has only warns in the sandbox', () => {
  const ofAreas = {
    AVOUCH_AREA_TOY_SIZE: '10',
    AVOUCH_AREA_FAR_OFF_SIZE: '11',
    AVOUCH_AREA_TOY_COLOUR: 'red',
    AVOUCH_AREA_NOBODY_SIZE: '1',
  };
  const wrong = ['AVOUCH_AREA_TOY_SIZE must be at most 9', 'AVOUCH_AREA_FAR_OFF_SIZE must be at most 9'];
  const unknown = /^AVOUCH_AREA_(?:TOY_COLOUR|NOBODY_SIZE) is not a setting of this release/;
  const sandbox = inspectAreaSettings(AREAS, { profile: 'sandbox', ofAreas });
  assert.deepEqual(sandbox.faults, wrong);
  assert.deepEqual(
    sandbox.warnings.map((text) => unknown.test(text)),
    [true, true],
  );
  const production = inspectAreaSettings(AREAS, { profile: 'production', ofAreas });
  assert.deepEqual(production.warnings, []);
  assert.deepEqual(
    production.faults.filter((text) => !unknown.test(text)),
    wrong,
  );
  assert.equal(production.faults.length, 4);
});

test('a setting that does not begin with its area is refused', () => {
  const { faults } = inspectAreaSettings([['toy', upTo('AVOUCH_AREA_DOLL_SIZE', 9)]], {
    profile: 'sandbox',
    ofAreas: {},
  });
  assert.deepEqual(faults, ['AVOUCH_AREA_DOLL_SIZE must begin with AVOUCH_AREA_TOY_']);
});
