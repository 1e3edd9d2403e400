// Properties of single parts with all their runs; `npm test` makes a fifth of them.
import { makeAllRuns } from '#properties';

const PARTS = [
  'areas/capabilities/text/redact-spacings',
  'protocol/work-key',
  'areas/crossing/look/light',
  'areas/mandates/ap2/chains',
  'areas/orders/bom/bom-properties',
  'platform/config/wrong-values',
  'kernel/foreign-text',
  'platform/log/witness-client',
  'platform/payments/payment-unit',
  'protocol/attestation/leaf',
  'protocol/attestation/schemas',
  'protocol/merkle-tree',
  'protocol/note',
  'protocol/tile',
  'protocol/tlog-proof',
  'protocol/witness-policy',
  'protocol/witness-request',
  'platform/screening/hostile-names',
  'platform/screening/screening-list',
  'witness/decide',
  'witness/witness',
];

makeAllRuns();
for (const part of PARTS) await import(`../../src/${part}.test.ts`);
