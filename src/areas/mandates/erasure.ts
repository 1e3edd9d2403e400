import { isoTime } from '#kernel/clock.ts';
import type { EntriesErasure } from '#platform/log/erasure.ts';
import { decideByType, step, type Store, type Unit } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import { statementDraft } from '#protocol/attestation/statement.ts';
import { erasedBody } from './mandate-body.ts';
import * as sql from './sql.ts';
import type { Mandate, MandateErasure, Verification } from './state.ts';

/** So many entries are erased in one transaction. */
const PORTION = 200;

interface EraseMandateCommand {
  readonly type: 'mandate';
  readonly mandateId: string;
  /** The statement that is sealed about the erasure. */
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

interface EraseUsesCommand {
  readonly type: 'uses';
  readonly refs: readonly string[];
}

type Erased = MandateErasure & { readonly again: boolean };

type ErasureDeed = [EraseMandateCommand, Erased] | [EraseUsesCommand, null];

interface ErasureState {
  readonly mandates: ReadonlyMap<string, Mandate>;
  readonly verifications: ReadonlyMap<string, Verification>;
}

const reads = (commands: readonly ErasureDeed[0][]) => ({
  mandates: listed(
    sql.MANDATES_OF_IDS,
    commands.flatMap((command) => (command.type === 'mandate' ? [command.mandateId] : [])),
  ),
  verifications: listed(
    sql.VERIFICATIONS_OF_REFS,
    commands.flatMap((command) => (command.type === 'uses' ? command.refs : [])),
  ),
});

/** The operator's: a mandate loses its body, and what was asked of it its counterparties. Counters, ids and digests stay. */
const mandateErasureUnit: Unit<ErasureDeed, ErasureState, typeof reads> = {
  name: 'mandate_erasure',
  reads,
  load: ({ mandates, verifications }) => ({
    mandates: new Map(mandates.map((mandate) => [mandate.id, mandate])),
    verifications: new Map(verifications.map((verification) => [verification.ref, verification])),
  }),
  decide: decideByType<ErasureDeed, ErasureState>({
    mandate(state, nowMs, _next, { mandateId, draft, sandbox }) {
      const mandate = state.mandates.get(mandateId);
      if (mandate === undefined) throw new Error(`the mandate ${mandateId} was not read`);
      if (mandate.erased !== null) return { state, result: { ...mandate.erased, again: true } };
      const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
      const erased: MandateErasure = { erased_at: isoTime(nowMs), attestation_id: entry.leaf.id };
      const mandates = new Map(state.mandates).set(mandateId, { ...mandate, body: erasedBody(mandate.body), erased });
      return { state: { ...state, mandates }, result: { ...erased, again: false }, entries: [entry] };
    },
    uses(state, _nowMs, _next, { refs }) {
      const verifications = new Map(state.verifications);
      for (const ref of refs) {
        const verification = verifications.get(ref);
        if (verification === undefined || verification.request.counterparty === null) continue;
        verifications.set(ref, { ...verification, request: { ...verification.request, counterparty: null } });
      }
      return { state: { ...state, verifications }, result: null };
    },
  }),
  writes(before, after) {
    const mandates = [...after.mandates.values()].filter((mandate) => before.mandates.get(mandate.id) !== mandate);
    const asked = [...after.verifications.values()].filter((one) => before.verifications.get(one.ref) !== one);
    return [
      {
        sql: sql.MANDATE_ERASE,
        rows: mandates.map(({ id, body, erased }) => [id, JSON.stringify(body), JSON.stringify(erased)]),
      },
      { sql: sql.REQUEST_FORGET, rows: asked.map(({ ref, request }) => [ref, JSON.stringify(request)]) },
    ];
  },
};

interface MandateToErase {
  readonly mandateId: string;
  /** Of the mandate: what is sealed about an erasure names nothing else. */
  readonly sha256: string;
  /** One of a closed set. */
  readonly reason: string;
  readonly sandbox: boolean;
  readonly eraseEntries: EntriesErasure;
}

/** Undefined where there is no such mandate. */
export async function digestOfMandate(store: Pick<Store, 'read'>, mandateId: string): Promise<string | undefined> {
  return (await store.read(sql.MANDATE_OF_ID, [mandateId]))[0]?.sha256;
}

/**
 * Erases a mandate: its body, the counterparties, and the claims, seeds and references of all its entries. A call that was
 * stopped is made again; one more also erases what was sealed since.
 */
export async function eraseMandate(store: Store, { mandateId, sha256, reason, sandbox, eraseEntries }: MandateToErase) {
  const draft = statementDraft(`amh.mandate.erased sha256:${sha256} by operator: ${reason}`);
  const erased = await store.run(mandateErasureUnit, { type: 'mandate', mandateId, draft, sandbox });
  const found = await store.read(sql.ENTRIES_OF_MANDATE, [mandateId]);
  let count = 0;
  for (let from = 0; from < found.length; from += PORTION) {
    const entries = found.slice(from, from + PORTION);
    const refs = entries.map(({ ref }) => ref);
    const [, more = 0] = await store.runAll([
      step(mandateErasureUnit, { type: 'uses', refs }),
      step(eraseEntries, { entries, statement: erased.attestation_id }),
    ]);
    count += more;
  }
  return { ...erased, entries: count };
}
