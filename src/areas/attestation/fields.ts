import { z } from 'zod';
import { ATTESTATION_ID_PATTERN } from '#protocol/attestation/attestation-id.ts';

/** Of calls that carry a claim. */
export const BODY_LIMIT_BYTES = 262_144;

export const hex = z.string().regex(/^[0-9a-f]{64}$/);
export const base64 = z.base64();
export const seqField = z.int().min(0);
export const idField = z
  .string()
  .regex(new RegExp(ATTESTATION_ID_PATTERN), 'Must be ATT- and 52 characters of base32.')
  .meta({ description: 'Attestation id of a log entry.' });

export const logRow = { tag: 'attestation', access: 'none', price: null } as const;
export const logRead = { ...logRow, method: 'get', effects: false, reads: 'log', rate: 'attest-read' } as const;

export const Inclusion = z
  .strictObject({ tree_size: z.int(), index: seqField, hashes: z.array(base64) })
  .meta({ id: 'Inclusion' });
