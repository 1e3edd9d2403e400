import type { BriefId } from './brief.ts';

/** What others are told of a brief that names a key. Its goal is text of a caller. */
export interface BriefOfKey {
  readonly brief: BriefId;
  readonly link: string;
  readonly clarity: 'CLEAR' | 'WORKABLE' | 'UNCLEAR';
  readonly slots: number;
  readonly state: 'open' | 'closed' | 'expired';
  readonly rewardUsd: number | null;
  readonly untrustedGoal: string | null;
  /** True when the key is the link of this brief itself. */
  readonly isOwnKey: boolean;
}

/** What other areas may ask about briefs. */
export interface BriefsPort {
  briefOf(key: string): Promise<BriefOfKey | null>;
}
