import { isoTime } from '#kernel/clock.ts';
import { sealEntry } from '#protocol/attestation/seal-entry.ts';
import { voidUse } from './booking.ts';
import { answered, type MandateDecision, type MandateMoment, refused, standing } from './decision.ts';
import { booksOf, withBooks } from './decide-handshake.ts';
import { mayAct, withNonce } from './decide-mandate.ts';
import { VOIDABLE } from './handshake.ts';
import type { Mandate, NarrowCommand, Narrowing, State, Verification, VoidCommand } from './state.ts';
import { openTo } from './views.ts';

/** Takes platforms away and never adds one. The list that is in force already gives the answer of its time. */
export function narrow(given: State, { nowMs, next }: MandateMoment, command: NarrowCommand): MandateDecision {
  const { mandateId, authority, nonceKey, platforms, draft } = command;
  const mandate = standing(given, mandateId);
  if (mandate === undefined) return refused(given, 'mandate_not_found');
  if (!mayAct(mandate, authority)) return refused(given, 'control_invalid');
  const last = mandate.narrowings.at(-1);
  if (last?.platforms.join() === platforms.join()) return answered(given, narrowingAnswer(mandate, last));
  if (platforms.some((id) => mandate.terms.platforms?.includes(id) === false)) return refused(given, 'not_narrower');
  const taken = withNonce(given, nonceKey);
  if (taken === undefined) return refused(given, 'nonce_reused');
  const entry = sealEntry(draft, { sandbox: command.sandbox, sealedAt: isoTime(nowMs) });
  const narrowing: Narrowing = {
    platforms,
    narrowed_at: isoTime(nowMs),
    attestation_id: entry.leaf.id,
    log_seq: next.seq,
  };
  const narrowed: Mandate = {
    ...mandate,
    terms: { ...mandate.terms, platforms },
    narrowings: [...mandate.narrowings, narrowing],
  };
  const after = { ...taken, mandates: taken.mandates.with(mandateId, narrowed) };
  return { ...answered(after, narrowingAnswer(narrowed, narrowing)), entries: [entry] };
}

function narrowingAnswer(mandate: Mandate, narrowing: Narrowing) {
  return { mandate_id: mandate.id, open_to: openTo(mandate), ...narrowing };
}

/** Gives back what a platform that the principal never named holds or has committed, and what it could still seal late. */
export function voidUses(given: State, { nowMs, next }: MandateMoment, command: VoidCommand): MandateDecision {
  const { mandateId, platformId, authority, nonceKey, draft, refs, isMore } = command;
  const mandate = standing(given, mandateId);
  if (mandate === undefined) return refused(given, 'mandate_not_found');
  if (!mayAct(mandate, authority)) return refused(given, 'control_invalid');
  if (!isStranger(mandate, platformId)) return refused(given, 'platform_known');
  const taken = withNonce(given, nonceKey);
  if (taken === undefined) return refused(given, 'nonce_reused');
  const isMeant = (use: Verification) =>
    use.mandateId === mandateId && use.platformId === platformId && VOIDABLE.has(use.state);
  const uses = refs.flatMap((ref) => taken.verifications.get(ref) ?? []).filter(isMeant);
  const shown = uses.map(({ ref, state, reserved, committed }) => ({
    verify_ref: ref,
    state,
    returned_cents: reserved + committed,
  }));
  const answer = {
    mandate_id: mandateId,
    platform_id: platformId,
    voided: shown,
    returned_cents: shown.reduce((sum, { returned_cents }) => sum + returned_cents, 0),
    more: isMore,
  };
  if (uses.length === 0) return answered(taken, { ...answer, voided_at: null, attestation_id: null, log_seq: null });
  const entry = sealEntry(draft, { sandbox: command.sandbox, sealedAt: isoTime(nowMs) });
  const record = { voided_at: isoTime(nowMs), attestation_id: entry.leaf.id, log_seq: next.seq };
  const after = uses.reduce((state, use) => withBooks(state, voidUse(booksOf(state, use), record)), taken);
  return { ...answered(after, { ...answer, ...record }), entries: [entry] };
}

/** Whether the principal has said whom it knows, and this platform was never among them. */
function isStranger({ body, narrowings }: Mandate, platformId: string): boolean {
  const known = body.platforms ?? narrowings[0]?.platforms;
  return known?.includes(platformId) === false;
}
