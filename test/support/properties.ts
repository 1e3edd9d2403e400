// fast-check with one seed for every run of the tests; `PROPERTY_SEED=random npm test` looks further.
import { randomInt } from 'node:crypto';
import { after, before } from 'node:test';
import fc from 'fast-check';

const given = process.env['PROPERTY_SEED'] ?? '20261115';
export const seed = given === 'random' ? randomInt(2 ** 31) : Number(given);
fc.configureGlobal({ seed, ...(given !== 'random' && { numRuns: 50 }) });

/** One in so many is done by `npm test`, all by `npm run test:more`. */
const SHARE = 5;
let doesAll = false;

/** How many of so many runs are made now; to be asked while a test runs. */
export function runs(all: number): number {
  return doesAll ? all : Math.ceil(all / SHARE);
}

/** Lets the tests of this file, and of the files that it imports, make all their runs. */
export function makeAllRuns(): void {
  before(() => (doesAll = true));
  after(() => (doesAll = false));
}

const SURROGATES = 0x800;
const FIRST_SURROGATE = 0xd800;

/** Any character, as a unit of strings: fast-check's own 'binary' unit takes more than a second to make. */
export const anyCharacter = fc.nat(0x10ffff - SURROGATES).map(
  (n) => String.fromCodePoint(n < FIRST_SURROGATE ? n : n + SURROGATES),
  (text) => {
    if (typeof text !== 'string' || Array.from(text).length !== 1) throw new Error('not one character');
    const codePoint = text.codePointAt(0) as number;
    return codePoint < FIRST_SURROGATE ? codePoint : codePoint - SURROGATES;
  },
);

export default fc;
