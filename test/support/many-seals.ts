// Many entries of the public log in one commit, through the real sequencer.
import { isoTime } from '#kernel/clock.ts';
import { newCommandId, newToken } from '#kernel/ids.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Store, Unit } from '#storage/store.ts';

const manySeals: Unit<readonly SealDraft[], null, null> = {
  name: 'many_seals',
  reads: () => [],
  load: () => null,
  decide: (state, nowMs, _next, drafts) => ({
    state,
    result: null,
    entries: drafts.map((draft) => sealEntry(draft, { sandbox: true, sealedAt: isoTime(nowMs) })),
  }),
  writes: () => [],
};

export async function sealMany(store: Store, count: number): Promise<void> {
  await store.run(
    manySeals,
    Array.from({ length: count }, (_, number) => draftOf(`delivery ${number}`)),
  );
}

function draftOf(statement: string): SealDraft {
  const schema = schemaById('record.integrity.v1');
  if (schema === undefined) throw new Error('the schema is missing');
  const claim = { statement };
  const seed = newToken();
  const prepared = prepareSeal({ schema, claim, observations: [], seed: Buffer.from(seed, 'base64url') });
  return { prepared, claim, observations: [], seed, disclosure: 'holder', nonce: newCommandId() };
}
