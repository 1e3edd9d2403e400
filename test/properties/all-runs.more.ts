// Properties of single parts with all their runs; `npm test` makes a fifth of them.
import { makeAllRuns } from '#properties';
import '../../src/areas/crossing/key.test.ts';
import '../../src/areas/crossing/light.test.ts';
import '../../src/areas/orders/bom-properties.test.ts';
import '../../src/config/wrong-values.test.ts';
import '../../src/kernel/foreign-text.test.ts';
import '../../src/log/witness-client.test.ts';
import '../../src/payments/payment-unit.test.ts';
import '../../src/protocol/attestation/leaf.test.ts';
import '../../src/protocol/attestation/schemas.test.ts';
import '../../src/protocol/merkle-tree.test.ts';
import '../../src/protocol/note.test.ts';
import '../../src/protocol/tile.test.ts';
import '../../src/protocol/tlog-proof.test.ts';
import '../../src/protocol/witness-policy.test.ts';
import '../../src/protocol/witness-request.test.ts';
import '../../src/screening/screening-list.test.ts';
import '../../src/witness/decide.test.ts';
import '../../src/witness/witness.test.ts';

makeAllRuns();
