import { testCuts } from '#trail/_cuts.ts';
import { testTampering } from '#trail/_tampering.ts';

testCuts(1);
testTampering({ runs: 60, step: 1 });
