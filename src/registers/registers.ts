import type { Observation, RegisterQuery } from '#protocol/attestation/observation.ts';

/** Asks one register one question. Whatever is not an answer of the register is status `error` with a code, never a "no". */
export interface Registers {
  observe(query: RegisterQuery): Promise<Observation>;
}

/** No register is switched on: every question ends in an error, and nothing is ever reported as clean. */
export const noRegisters: Registers = {
  observe: ({ source }) => Promise.resolve({ source, status: 'error', code: 'NOT_CONFIGURED' }),
};
