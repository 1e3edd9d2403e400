import { isHoldOver } from './booking.ts';
import { decideVerify, expireHold, sealHandshake } from './decide-handshake.ts';
import { approve, create, revoke } from './decide-mandate.ts';
import { narrow, voidUses } from './decide-narrowing.ts';
import { decideAddKey, decideRegister, decideRevokeKey } from './decide-platform.ts';
import { decideByType, type Decision, type NextNumbers } from '#platform/storage/store.ts';
import type { MandateMoment } from './decision.ts';
import type { MandateDeed, State, Swept } from './state.ts';

/** A judge that needs the time and the numbers together. */
function at<C, R>(judge: (state: State, moment: MandateMoment, command: C) => R) {
  return (state: State, nowMs: number, next: NextNumbers, command: C) => judge(state, { nowMs, next }, command);
}

export const decide = decideByType<MandateDeed, State>({
  verify: at(decideVerify),
  seal: at(sealHandshake),
  create: at(create),
  revoke: at(revoke),
  narrow: at(narrow),
  void: at(voidUses),
  approve: at(approve),
  register: at(decideRegister),
  add_key: at(decideAddKey),
  revoke_key: at(decideRevokeKey),
  sweep,
});

/** Gives back what nobody sealed in time. */
function sweep(state: State, nowMs: number): Decision<State, Swept> {
  let after = state;
  let removed = 0;
  for (const ref of state.dueHolds) {
    const verification = after.verifications.get(ref);
    if (verification === undefined || !isHoldOver(verification, nowMs)) continue;
    after = expireHold(after, verification);
    removed += 1;
  }
  return { state: after, result: { outcome: 'swept', removed } };
}
