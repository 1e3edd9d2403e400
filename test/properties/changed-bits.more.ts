import { testChangedProofBits } from '#protocol/_proven-entries.ts';
import { testChangedBits } from '#protocol/attestation/_changed-bits.ts';

testChangedProofBits(1);
testChangedBits(1);
