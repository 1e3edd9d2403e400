// More kills than `npm test` has.
import { witnessKills } from './witness-process.ts';

witnessKills(8);
