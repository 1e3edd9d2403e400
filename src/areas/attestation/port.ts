import type { Seals } from './seals.ts';

/** What other areas may have sealed. */
export type SealPort = Pick<Seals, 'seal'>;
