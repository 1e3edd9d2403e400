import type { Seals } from './seals.ts';
import type { paidFees } from './unit.ts';

/** What other areas may have sealed, for a wallet that they charge. */
export type SealPort = Pick<Seals, 'sealPaid'>;
/** A step of the transaction that charges an agent for the fees of seals. */
export type PaidFees = typeof paidFees;
