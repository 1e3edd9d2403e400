import { refuseFields } from '#kernel/general-problems.ts';
import type { Clock } from '#kernel/clock.ts';
import { Refusal } from '#kernel/problem.ts';
import type { RegisterSet } from '#platform/registers/register-set.ts';
import type { RegisterOutcome, Unavailable } from '#platform/registers/outcome.ts';
import type { SanctionsRegister } from '#platform/registers/sanctions-list.ts';
import { noAnswer, SWITCHED_OFF } from './no-answer.ts';
import { registerNotConfigured, registerUnavailable } from './problems.ts';
import type { Judged, RegisterFinding } from './verdict.ts';

/** The registers as the verdicts ask them; null is switched off. */
type AskedRegisters = Pick<RegisterSet, 'vies' | 'kvk' | 'cir' | 'rdw' | 'companiesHouse' | 'dvsaMot'> & {
  readonly sanctions: Pick<SanctionsRegister, 'screen'> | null;
};

export interface VerdictDeps {
  readonly registers: AskedRegisters;
  readonly clock: Clock;
  readonly sandbox: boolean;
}

/** A verdict is given once its registers have answered. */
export function judgedNow({ clock, sandbox }: Pick<VerdictDeps, 'clock' | 'sandbox'>): Judged {
  return { nowMs: clock.now(), isSandbox: sandbox };
}

/** Whose register did not answer, and which field it takes the fault of. */
interface Asked {
  readonly register: string;
  readonly pointer: string;
}

/** Why there is no verdict. The gate charges nothing for a refusal. */
export function noVerdictRefusal(outcome: Unavailable, { register, pointer }: Asked): Refusal {
  const { code, retryAfterSeconds } = outcome;
  const { what, advice } = noAnswer(register, outcome);
  if (outcome.class === 'invalid_input') {
    return refuseFields([{ pointer, code: 'refused_by_register', detail: `${what} ${advice}` }]);
  }
  const detail = `${what} Nothing was charged.`;
  // Waiting does not switch a register on.
  if (outcome === SWITCHED_OFF) return new Refusal(registerNotConfigured, { detail, members: { register } });
  return new Refusal(registerUnavailable, {
    detail,
    retryAfterSeconds,
    members: { register, register_code: code },
  });
}

/** Asks the one register of a verdict: its answer, or the refusal that takes the place of the verdict. */
export async function answerFrom<T>(
  asking: Promise<RegisterOutcome<T>> | RegisterOutcome<T> | undefined,
  asked: Asked,
): Promise<RegisterFinding<T> | Refusal> {
  const outcome = (await asking) ?? SWITCHED_OFF;
  return outcome.kind === 'unavailable' ? noVerdictRefusal(outcome, asked) : outcome;
}
