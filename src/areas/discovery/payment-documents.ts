import { z } from 'zod';
import { DOCUMENT_ROW } from '#kernel/document-row.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import examples from './examples.json' with { type: 'json' };

const shared = { ...DOCUMENT_ROW, tag: 'discovery' } as const;

export const X402Discovery = z
  .strictObject({ version: z.literal(1), resources: z.array(z.string()), instructions: z.string() })
  .meta({ id: 'X402Discovery' });

const INSTRUCTIONS = 'Call a resource without payment to get its 402 challenge. Prices are in /economy/manifest.';

export const x402Discovery = defineOperation({
  ...shared,
  operationId: 'x402_discovery',
  services: 'all',
  path: '/.well-known/x402',
  summary: 'List x402 resources',
  description: 'Lists every resource paid with x402. A call without payment and parameters returns the 402 challenge.',
  input: z.strictObject({}),
  output: X402Discovery,
  examples: recorded(examples.x402_discovery),
});

/** The document of `/.well-known/x402`. */
export function x402Document(
  rows: readonly { readonly method: string; readonly path: string; readonly price: object | null }[],
): z.output<typeof X402Discovery> {
  const paid = rows.filter(({ price }) => price !== null);
  const resources = paid.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  return { version: 1, resources, instructions: INSTRUCTIONS };
}

export const DidDocument = z
  .strictObject({
    '@context': z.array(z.string()),
    id: z.string(),
    verificationMethod: z.array(
      z.strictObject({
        id: z.string(),
        type: z.literal('JsonWebKey2020'),
        controller: z.string(),
        publicKeyJwk: z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() }),
      }),
    ),
    assertionMethod: z
      .array(z.string())
      .meta({ description: 'Current keys. The others only verify what they signed in the past.' }),
  })
  .meta({ id: 'DidDocument' });

export const didDocument = defineOperation({
  ...shared,
  operationId: 'did_document',
  path: '/.well-known/did.json',
  summary: 'Get the did:web document',
  description: 'Returns current and past keys of signed offers and receipts as a did:web document.',
  input: z.strictObject({}),
  output: DidDocument,
  examples: recorded(examples.did_document),
});

interface DidKey {
  readonly kid: string;
  /** Raw, base64. */
  readonly publicKey: string;
  /** Null is in force. */
  readonly retiredAt: string | null;
}

export function didDocumentOf(did: string, keys: readonly DidKey[]): z.output<typeof DidDocument> {
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id: did,
    verificationMethod: keys.map(({ kid, publicKey }) => ({
      id: kid,
      type: 'JsonWebKey2020',
      controller: did,
      publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'base64').toString('base64url') },
    })),
    assertionMethod: keys.filter(({ retiredAt }) => retiredAt === null).map(({ kid }) => kid),
  };
}
