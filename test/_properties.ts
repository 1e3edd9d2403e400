// fast-check with one seed for every run of the tests; `PROPERTY_SEED=random npm test` looks further.
import fc from 'fast-check';

const given = process.env['PROPERTY_SEED'] ?? '20261115';
if (given !== 'random') fc.configureGlobal({ seed: Number(given) });

export default fc;
