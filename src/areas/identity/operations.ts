import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { IDENTITY_REASONS, IDENTITY_STATES, IDENTITY_STRENGTHS } from '#kernel/identity.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { sha256Field } from '#kernel/tool.ts';
import { DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH } from '#protocol/http-signature/web-bot-auth.ts';
import examples from './examples.json' with { type: 'json' };

const IdentityAnswer = z
  .strictObject({
    state: z.enum(IDENTITY_STATES),
    reasons: z.array(z.enum(IDENTITY_REASONS)).meta({ description: 'Why the signature is not verified.' }),
    agent_url: z.string().nullable().meta({ description: 'Directory that the signature names.' }),
    keyid: z.string().nullable(),
    strength: z.enum(IDENTITY_STRENGTHS).nullable().meta({
      description: 'request: covers method, path, query and body. origin: works for any request until it expires.',
    }),
    covered: z.array(z.string()).meta({ description: 'Components of the signature, as received.' }),
    signature_base_sha256: sha256Field
      .nullable()
      .meta({ description: 'Of the signature base that we computed. Compare it with yours.' }),
    directory: z.strictObject({ fetched_at: timeField, keys: z.int() }).nullable(),
    at: timeField,
  })
  .meta({ id: 'IdentityCheck' });
export type IdentityAnswer = z.output<typeof IdentityAnswer>;

const shared = {
  tag: 'identity',
  method: 'get',
  input: z.strictObject({}),
  effects: false,
  reads: 'nothing',
  access: 'none',
  price: null,
  problems: [],
} as const;

export const identity = defineOperation({
  ...shared,
  operationId: 'identity',
  path: '/v1/identity',
  summary: 'Check your request signature',
  description:
    'Says who signed this request (Web Bot Auth, RFC 9421), or why the signature is not verified. Waits up to 5 seconds for the key directory. Stores nothing. A signature identifies you and authorises nothing.',
  output: IdentityAnswer,
  rate: 'crossing-read',
  cache: 'no-store',
  examples: recorded(examples.identity),
});

export const signatureDirectory = defineOperation({
  ...shared,
  operationId: 'signature_directory',
  path: DIRECTORY_PATH,
  summary: 'Get our request signing keys',
  description:
    'The public keys of this service for requests that it signs (Web Bot Auth), as a JSON Web Key Set. Each key signs the response.',
  output: z
    .strictObject({
      keys: z.array(
        z.strictObject({
          kty: z.literal('OKP'),
          crv: z.literal('Ed25519'),
          kid: z.string().meta({ description: 'JWK thumbprint (RFC 7638).' }),
          x: z.string(),
          use: z.literal('sig'),
        }),
      ),
    })
    .meta({ id: 'SignatureDirectory' }),
  jsonMediaType: DIRECTORY_MEDIA_TYPE,
  isRawFile: true,
  rate: 'none',
  cache: { maxAgeSeconds: 3_600 },
  examples: recorded(examples.signature_directory),
});
