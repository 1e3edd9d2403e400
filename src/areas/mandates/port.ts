import type { Mandates } from './service.ts';

/** What orders ask of mandates. */
export type MandatesPort = Pick<Mandates, 'ownPlatform' | 'verify' | 'seal'>;
