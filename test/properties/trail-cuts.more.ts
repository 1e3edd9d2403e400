import { testCuts } from '#platform/trail/_cuts.ts';
import { testTampering } from '#platform/trail/_tampering.ts';

testCuts(1);
testTampering({ runs: 60, step: 1 });
