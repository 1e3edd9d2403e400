import { z } from 'zod';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { RFC9943_RECEIPT_MEDIA } from '#protocol/cose-receipt.ts';
import examples from '../examples.json' with { type: 'json' };
import { idField, logRead } from '../fields.ts';
import * as problems from '../problems.ts';

export const JSON_MEDIA = 'application/json';
const CBOR_MEDIA = 'application/cbor';
const bytes = z.string().meta({ format: 'binary' });
const coseRead = { ...logRead, output: bytes, cborProblems: true } as const;
const keyRead = { ...coseRead, reads: 'nothing', mediaType: CBOR_MEDIA, cache: { maxAgeSeconds: 300 } } as const;
const receiptRead = { ...coseRead, mediaType: RFC9943_RECEIPT_MEDIA, otherMediaTypes: [JSON_MEDIA] } as const;

export const entryReceipt = defineOperation({
  ...receiptRead,
  operationId: 'attest_receipt',
  path: '/api/attest/receipt/{attestation_id}',
  summary: 'Get a COSE receipt of an entry',
  description:
    'A COSE receipt (RFC 9942) of inclusion at the current size, signed by a key of /.well-known/scitt-keys. Its leaf is the entry, byte for byte. With Accept: application/json you get the entry and the same proof as a tlog-proof.',
  input: z.strictObject({ attestation_id: idField }),
  cache: { maxAgeSeconds: 0 },
  problems: [problems.attestationNotFound, problems.noReceiptYet],
  examples: recorded(examples.attest_receipt),
});

const size = z.int().min(1);

export const consistency = defineOperation({
  ...receiptRead,
  operationId: 'log_consistency',
  path: '/api/astralock/consistency',
  summary: 'Get a COSE receipt that the log only grew',
  description:
    'A COSE receipt (RFC 9942) of consistency: the log of size second starts with the log of size first. The newer root is attached. With Accept: application/json you get sizes, root and hashes.',
  input: z.strictObject({
    first: size.meta({ description: 'A log size that you remember, from 1 on.' }),
    second: size.optional().meta({ description: 'A larger size. Default: the current one.' }),
  }),
  cache: { maxAgeSeconds: 0 },
  problems: [problems.beyondTheLog],
  examples: recorded(examples.log_consistency),
});

export const receiptKeys = defineOperation({
  ...keyRead,
  operationId: 'scitt_keys',
  path: '/.well-known/scitt-keys',
  summary: 'Get the keys of COSE receipts',
  description:
    'A COSE key set in CBOR. Each kid is the RFC 9679 thumbprint of its key. Retired keys stay listed permanently.',
  input: z.strictObject({}),
  problems: [],
  examples: recorded(examples.scitt_keys),
});

export const receiptKey = defineOperation({
  ...keyRead,
  operationId: 'scitt_key',
  path: '/.well-known/scitt-keys/{kid}',
  summary: 'Get one key of COSE receipts',
  description: 'One COSE key in CBOR, by its kid in base64url.',
  input: z.strictObject({
    kid: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}$/, 'Must be 43 characters of base64url.')
      .meta({ description: 'The kid of a receipt, in base64url.' }),
  }),
  problems: [problems.unknownReceiptKey],
  examples: recorded(examples.scitt_key),
});
