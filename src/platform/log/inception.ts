import { isoTime } from '#kernel/clock.ts';
import type { Unit } from '#platform/storage/store.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';

interface Inception {
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

/** Writes entry 0 of an empty log; on any other it does nothing, so that processes may start together. */
export const inceptionUnit: Unit<[Inception, { begun: boolean }], null> = {
  name: 'log_inception',
  reads: () => ({}),
  load: () => null,
  decide(state, nowMs, next, { draft, sandbox }) {
    if (next.seq > 0) return { state, result: { begun: false } };
    const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
    return { state, result: { begun: true }, entries: [entry] };
  },
  writes: () => [],
};
