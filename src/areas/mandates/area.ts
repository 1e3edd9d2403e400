import { PLATFORM_KEY_HEADER } from '#kernel/api-key.ts';
import { on, type OpenArea } from '#kernel/area.ts';
import { idForm } from '#kernel/ids.ts';
import { type Job, sweepJob } from '#kernel/job.ts';
import { Refusal } from '#kernel/problem.ts';
import type { ReferenceForm } from '#kernel/reference-form.ts';
import type { PlatformArea } from '#platform/platform.ts';
import { readAp2Roots } from '#platform/config/ap2-roots.ts';
import { expiryJob } from '#platform/storage/expiry.ts';
import { forgetSeals } from './forget.ts';
import { handshakeStatus, sealOutcome, verifyAction } from './handshake-operations.ts';
import { approveAction, createMandate, revokeMandate, viewMandate } from './mandate-operations.ts';
import { narrowMandate, voidPlatform } from './narrowing-operations.ts';
import { addPlatformKey, registerPlatform, revokePlatformKey } from './platform-operations.ts';
import { HANDSHAKE_DOCUMENT } from './protocol-document.ts';
import { HANDSHAKE_WORDING } from './protocol-wording.ts';
import { MandateQueries } from './queries.ts';
import { hashOfKey, mandateRefusal } from './refusals.ts';
import { Mandates } from './service.ts';
import { ANSWER_EXPIRY } from './sql.ts';

export interface OpenMandates extends OpenArea {
  readonly mandates: Mandates;
  readonly readings: MandateQueries;
  readonly jobs: readonly Job[];
}

export const mandatesArea = {
  name: 'mandates',
  forget: forgetSeals,
  open({ config, store, clock, sandbox, rules, ruleFlags, receipts, serverSecret, log }) {
    const mandates = new Mandates({
      store,
      clock,
      sandbox,
      receipts,
      seedOf: (attestationId) => log.log.seedOf(attestationId),
      rules,
      keyHash: serverSecret.hasher('amh-idempotency'),
      controlSecret: serverSecret.hasher('amh-control'),
      contact: config.operator.contact,
      ap2Roots: readAp2Roots(config),
    });
    const readings = new MandateQueries(store, clock, (id) => ruleFlags.standing(id));
    return {
      mandates,
      readings,
      references: referenceForms(readings),
      keyJudge: {
        access: 'platform',
        header: PLATFORM_KEY_HEADER,
        refuseForm(key) {
          const hash = hashOfKey(key);
          return hash instanceof Refusal ? hash : undefined;
        },
        async refuse(key) {
          return (await mandates.platformOfKey(key)) === undefined ? mandateRefusal('key_invalid') : undefined;
        },
      },
      jobs: [
        sweepJob('mandate-sweep', () => mandates.sweep()),
        expiryJob('mandate-answer-sweep', { store, clock }, ANSWER_EXPIRY),
      ],
    };
  },
  operations: [
    on(registerPlatform, ({ mandates }, input, call) => mandates.register(input, call)),
    on(createMandate, ({ mandates }, input, call) => mandates.create(input, call)),
    on(verifyAction, ({ mandates }, input) => mandates.verify(input)),
    on(sealOutcome, ({ mandates }, input, call) => mandates.seal(input, call)),
    on(handshakeStatus, ({ readings }, input) => readings.status(input)),
    on(viewMandate, ({ readings }, input) => readings.mandate(input)),
    on(revokeMandate, ({ mandates }, input) => mandates.revoke(input)),
    on(narrowMandate, ({ mandates }, input) => mandates.narrow(input)),
    on(voidPlatform, ({ mandates }, input) => mandates.voidUses(input)),
    on(approveAction, ({ mandates }, input) => mandates.approve(input)),
    on(addPlatformKey, ({ mandates }, { api_key }) => mandates.addKey(api_key)),
    on(revokePlatformKey, ({ mandates }, { api_key, key_id }) => mandates.revokeKey(api_key, key_id)),
  ],
  published: {
    terms: () => ({ fee: '0', custody: 'none' }),
    protocols: [
      {
        id: 'amh-0',
        title: 'Mandate handshake',
        version: `AMH ${HANDSHAKE_DOCUMENT.version}`,
        what: 'The checks of an action against a mandate, and the order of states.',
        document: HANDSHAKE_DOCUMENT,
        wording: HANDSHAKE_WORDING,
      },
    ],
  },
} satisfies PlatformArea<OpenMandates>;

function referenceForms(readings: MandateQueries): ReferenceForm[] {
  return [
    {
      pattern: /^AMH-[0-9A-HJKMNP-TV-Z]{26}$/,
      kind: 'handshake',
      async find(ref) {
        const status = await readings.status({ verify_ref: ref });
        if (status instanceof Refusal) return undefined;
        return { entry: status.seals.at(-1)?.attestation_id ?? status.attestation_id, url: `/api/amh/status/${ref}` };
      },
    },
    {
      pattern: idForm('mnd_'),
      kind: 'mandate',
      async find(ref) {
        const entry = await readings.entryOf(ref);
        return entry === undefined ? undefined : { entry, url: `/api/amh/mandate/${ref}` };
      },
    },
  ];
}
