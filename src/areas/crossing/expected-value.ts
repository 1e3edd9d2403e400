import { mulDiv } from '#kernel/money.ts';
import type { LightAnswer } from './look-operations.ts';

const MILLION = 1_000_000;
const BY_CROWD = 'reward*p-effort; p=1/(1+holding+looking/2)*(1-unpaid)';
const BY_CALLER = 'reward*p-effort; p=p_success';

export interface Stakes {
  readonly rewardMicro: number | undefined;
  readonly effortMicro: number | undefined;
  readonly successPpm: number | undefined;
  readonly holding: number;
  readonly looking: number;
  /** How much earlier agents say that the work is not paid, 0 to 1. */
  readonly unpaid: number;
}

/** What the work is worth to one more agent; null where reward or effort is not said. */
export function expectedValue(stakes: Stakes): LightAnswer['expected_value'] {
  const { rewardMicro, effortMicro, successPpm, holding, looking, unpaid } = stakes;
  if (rewardMicro === undefined || effortMicro === undefined) return null;
  const ppm = successPpm ?? Math.round((MILLION / (1 + holding + looking / 2)) * (1 - unpaid));
  const micro = mulDiv(rewardMicro, ppm, MILLION, 'half_even') - effortMicro;
  return {
    usd: micro / MILLION,
    p: ppm / MILLION,
    reward_usd: rewardMicro / MILLION,
    effort_usd: effortMicro / MILLION,
    formula: successPpm === undefined ? BY_CROWD : BY_CALLER,
  };
}
