import { mulDiv } from '#kernel/money.ts';
import type { LightAnswer } from './look-operations.ts';

const MILLION = 1_000_000;
const BY_CROWD = 'reward*p-effort; p=1/(1+holding+looking/2)*(1-unpaid)';
const BY_VENUE_CROWD =
  'reward*p-effort; p=1/(1+max(holding,venue.claiming_people,venue.open_prs,venue.marketplace.claiming_people)+looking/2)*(1-unpaid)';
const BY_CALLER = 'reward*p-effort; p=p_success';

export interface Stakes {
  readonly rewardMicro: number | undefined;
  readonly effortMicro: number | undefined;
  readonly successPpm: number | undefined;
  readonly holding: number;
  readonly looking: number;
  /** How much earlier agents say that the work is not paid, 0 to 1. */
  readonly unpaid: number;
  readonly venue: LightAnswer['venue'];
  /** The reason why nothing is left to be earned, or why nobody can say how much. */
  readonly against: { readonly code: string; readonly odds: Odds } | undefined;
}

/** What a reason leaves of the chance: nothing, or nobody can say. */
export type Odds = 'none' | 'unknown';

interface Chance {
  readonly ppm: number;
  readonly formula: string;
}

/** What the work is worth to one more agent; null where reward or effort is not said, or nobody can say the chance. */
export function expectedValue(stakes: Stakes): LightAnswer['expected_value'] {
  const { rewardMicro, effortMicro } = stakes;
  const chance = chanceOf(stakes);
  if (rewardMicro === undefined || effortMicro === undefined || chance === null) return null;
  const { ppm, formula } = chance;
  const micro = mulDiv(rewardMicro, ppm, MILLION, 'half_even') - effortMicro;
  return {
    usd: micro / MILLION,
    p: ppm / MILLION,
    reward_usd: rewardMicro / MILLION,
    effort_usd: effortMicro / MILLION,
    formula,
  };
}

function chanceOf({ successPpm, against, holding, looking, unpaid, venue }: Stakes): Chance | null {
  if (successPpm !== undefined) return { ppm: successPpm, formula: BY_CALLER };
  if (against?.odds === 'none') return { ppm: 0, formula: `reward*p-effort; p=0 with ${against.code}` };
  if (against?.odds === 'unknown') return null;
  const crowd = Math.max(holding, venueCrowd(venue));
  const ppm = Math.round((MILLION / (1 + crowd + looking / 2)) * (1 - unpaid));
  return { ppm, formula: venue === null ? BY_CROWD : BY_VENUE_CROWD };
}

/** The largest count, not the sum: who claims the work at its venue opens the pull request, and may hold the key here. */
function venueCrowd(venue: LightAnswer['venue']): number {
  return Math.max(venue?.claiming_people ?? 0, venue?.open_prs ?? 0, venue?.marketplace?.claiming_people ?? 0);
}
