// fast-check with one seed for every run of the tests; `PROPERTY_SEED=random npm test` looks further.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';

const given = process.env['PROPERTY_SEED'] ?? '20261115';
export const seed = given === 'random' ? randomInt(2 ** 31) : Number(given);
fc.configureGlobal({ seed, ...(given !== 'random' && { numRuns: 50 }) });

export default fc;
