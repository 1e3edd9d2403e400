import { isHoldOver } from './booking.ts';
import { expireHold, sealHandshake, verify } from './decide-handshake.ts';
import { approve, create, revoke } from './decide-mandate.ts';
import { narrow, voidUses } from './decide-narrowing.ts';
import { addKey, register, revokeKey } from './decide-platform.ts';
import type { Decided, Moment } from './decision.ts';
import type { MandateCommand, State } from './state.ts';

export function decide(state: State, moment: Moment, command: MandateCommand): Decided {
  switch (command.type) {
    case 'verify':
      return verify(state, moment, command);
    case 'seal':
      return sealHandshake(state, moment, command);
    case 'create':
      return create(state, moment, command);
    case 'revoke':
      return revoke(state, moment, command);
    case 'narrow':
      return narrow(state, moment, command);
    case 'void':
      return voidUses(state, moment, command);
    case 'approve':
      return approve(state, moment, command);
    case 'register':
      return register(state, moment, command);
    case 'add_key':
      return addKey(state, moment, command);
    case 'revoke_key':
      return revokeKey(state, moment, command);
    case 'sweep':
      return sweep(state, moment);
  }
}

/** Gives back what nobody sealed in time, and forgets answers past their day. */
function sweep(state: State, { nowMs }: Moment): Decided {
  let after = state;
  let removed = 0;
  for (const ref of state.dueHolds) {
    const verification = after.verifications.get(ref);
    if (verification === undefined || !isHoldOver(verification, nowMs)) continue;
    after = expireHold(after, verification);
    removed += 1;
  }
  for (const key of state.dueAnswers) {
    if ((after.answers.get(key)?.expiresAtMs ?? nowMs + 1) > nowMs) continue;
    after = { ...after, answers: after.answers.without(key) };
    removed += 1;
  }
  return { state: after, result: { outcome: 'swept', removed } };
}
