import type { paidFees } from './unit.ts';

/** A step of the transaction that charges an agent for the fees of seals. */
export type PaidFees = typeof paidFees;
