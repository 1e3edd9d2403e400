import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import { handshakeStatus, sealOutcome, verifyAction } from './handshake-operations.ts';
import { approveAction, createMandate, revokeMandate, viewMandate } from './mandate-operations.ts';
import { narrowMandate, voidPlatform } from './narrowing-operations.ts';
import { addKey, register, revokeKey } from './platform-operations.ts';
import type { MandateReadings } from './readings.ts';
import type { Mandates } from './service.ts';

/** The rows of this area, in the order in which documents show them. */
export const MANDATE_OPERATIONS = [
  register,
  createMandate,
  verifyAction,
  sealOutcome,
  handshakeStatus,
  viewMandate,
  revokeMandate,
  narrowMandate,
  voidPlatform,
  approveAction,
  addKey,
  revokeKey,
];

export function bindMandates(mandates: Mandates, readings: MandateReadings): BoundOperation[] {
  return [
    bind(register, (input, call) => mandates.register(input, call)),
    bind(createMandate, (input, call) => mandates.create(input, call)),
    bind(verifyAction, (input) => mandates.verify(input)),
    bind(sealOutcome, (input) => mandates.seal(input)),
    bind(handshakeStatus, (input) => readings.status(input)),
    bind(viewMandate, (input) => readings.mandate(input)),
    bind(revokeMandate, (input) => mandates.revoke(input)),
    bind(narrowMandate, (input) => mandates.narrow(input)),
    bind(voidPlatform, (input) => mandates.voidUses(input)),
    bind(approveAction, (input) => mandates.approve(input)),
    bind(addKey, ({ api_key }) => mandates.addKey(api_key)),
    bind(revokeKey, ({ api_key, key_id }) => mandates.revokeKey(api_key, key_id)),
  ];
}
