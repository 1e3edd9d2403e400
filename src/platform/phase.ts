import { formatEur } from '#platform/ledger/steps.ts';

/** The most that one task or order may cost in the first phase of the service, and where it takes them on. */
export const PHASE_A_MOST_MICRO = 500_000_000;
export const REGIONS = ['NL', 'BE', 'DE'] as const;

/** The same as documents say it. */
export const PHASE_A_TERMS = {
  phase_a_max_eur: formatEur(PHASE_A_MOST_MICRO),
  above: 'Larger tasks await new insurance.',
  regions: REGIONS,
};
