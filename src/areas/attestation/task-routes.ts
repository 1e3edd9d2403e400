import { FileResponse } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { type Entities, FREE, type Inputs, type TaskRoute, type TaskRoutes } from '#kernel/task-route.ts';
import { SEAL_FEE_MICRO } from '#platform/ledger/steps.ts';
import { isAttestationId } from '#protocol/attestation/attestation-id.ts';
import type { Seals } from './seals.ts';
import type { Verifications } from './verifications.ts';

/** What seals and their proofs do for tasks. */
export function taskRoutes(seals: Seals, verifications: Verifications): TaskRoutes {
  return { verify_seal: verifyRoute(verifications), record_integrity: sealRoute(seals) };
}

function verifyRoute(verifications: Verifications): TaskRoute {
  const idOf = (entities: Entities, inputs: Inputs) => entities['seal'] ?? inputs['attestation_id'];
  return {
    revenue: 'revenue:capability',
    isSold: false,
    async quote(entities, inputs) {
      const id = idOf(entities, inputs);
      const isKnown = isAttestationId(id);
      const text = "Which attestation_id? A seal's id, ATT-…. Read a handshake, AMH-…, at /api/amh/status.";
      return { ...FREE, questions: isKnown ? [] : [{ id: 'attestation_id', text }] };
    },
    async run(entities, inputs) {
      const verified = await verifications.verify(String(idOf(entities, inputs)));
      if (verified instanceof FileResponse) throw new Error('a verification came as a file');
      return verified instanceof Refusal ? verified : { result: verified };
    },
  };
}

function sealRoute(seals: Seals): TaskRoute {
  return {
    revenue: 'revenue:seal',
    isSold: true,
    async quote(_entities, { statement }) {
      const text = 'Which statement? The exact text to seal.';
      const questions = typeof statement === 'string' && statement !== '' ? [] : [{ id: 'statement', text }];
      return { priceMicro: SEAL_FEE_MICRO, feeMicro: 0, sold: null, questions };
    },
    async run(_entities, { statement }, { key, agentId }) {
      const claim = { schema_id: 'record.integrity.v1', claim: { statement }, disclosure: 'holder' } as const;
      const sealed = await seals.sealPaid({ ...claim, idempotency_key: key }, agentId);
      if (sealed instanceof Refusal) return sealed;
      const { seal, fees } = sealed;
      // A claim that is refused costs nothing.
      return { result: seal, chargeMicro: fees.length * SEAL_FEE_MICRO, sealFees: fees };
    },
  };
}
