import { type OpenArea, on } from '#kernel/area.ts';
import { type Job, sweepJob } from '#kernel/job.ts';
import type { PlatformArea } from '#platform/platform.ts';
import { handshakeStatus, sealOutcome, verifyAction } from './handshake-operations.ts';
import { approveAction, createMandate, revokeMandate, viewMandate } from './mandate-operations.ts';
import { narrowMandate, voidPlatform } from './narrowing-operations.ts';
import { addKey, register, revokeKey } from './platform-operations.ts';
import { MandateReadings, type PlatformStanding } from './readings.ts';
import { Mandates, type MandatesOptions } from './service.ts';

export interface MandateNeeds {
  readonly receipt: MandatesOptions['notary']['receipt'];
  readonly standing: PlatformStanding;
}

export interface OpenMandates extends OpenArea {
  readonly mandates: Mandates;
  readonly readings: MandateReadings;
  readonly jobs: readonly Job[];
}

export const mandatesArea = {
  name: 'mandates',
  open({ config, store, clock, sandbox, rules, serverSecret }, { receipt, standing }) {
    const mandates = new Mandates({
      store,
      clock,
      notary: { sandbox, receipt },
      rules,
      keyHash: serverSecret.hasher('amh-idempotency'),
      controlSecret: serverSecret.hasher('amh-control'),
      contact: config.operator.contact,
    });
    return {
      mandates,
      readings: new MandateReadings(store, clock, standing),
      jobs: [sweepJob('mandate-sweep', () => mandates.sweep())],
    };
  },
  operations: [
    on(register, ({ mandates }, input, call) => mandates.register(input, call)),
    on(createMandate, ({ mandates }, input, call) => mandates.create(input, call)),
    on(verifyAction, ({ mandates }, input) => mandates.verify(input)),
    on(sealOutcome, ({ mandates }, input) => mandates.seal(input)),
    on(handshakeStatus, ({ readings }, input) => readings.status(input)),
    on(viewMandate, ({ readings }, input) => readings.mandate(input)),
    on(revokeMandate, ({ mandates }, input) => mandates.revoke(input)),
    on(narrowMandate, ({ mandates }, input) => mandates.narrow(input)),
    on(voidPlatform, ({ mandates }, input) => mandates.voidUses(input)),
    on(approveAction, ({ mandates }, input) => mandates.approve(input)),
    on(addKey, ({ mandates }, { api_key }) => mandates.addKey(api_key)),
    on(revokeKey, ({ mandates }, { api_key, key_id }) => mandates.revokeKey(api_key, key_id)),
  ],
} satisfies PlatformArea<OpenMandates, MandateNeeds>;
