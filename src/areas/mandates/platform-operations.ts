import { z } from 'zod';
import { keyIdField, timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { cleanedText, plainText } from '#kernel/text-field.ts';
import { apiKeyField, BY_KEY, mandateWrite, NO_CUSTODY } from './fields.ts';
import { ruleRefused } from '#platform/usage-rules/problems.ts';
import examples from './examples.json' with { type: 'json' };
import * as problems from './problems.ts';

export const registerPlatform = defineOperation({
  ...mandateWrite,
  operationId: 'amh_register',
  path: '/api/amh/register',
  rate: 'login',
  summary: 'Register a platform',
  description: `Gives a platform an id and a key, which is shown once. The address is stored and never fetched. ${NO_CUSTODY}`,
  input: z.strictObject({
    name: cleanedText({ min: 2, max: 120, description: 'Name of the platform. Names are not unique.' }),
    mcp_url: plainText(1, 2_048).meta({ description: 'The https address of its MCP server.' }),
    contact: plainText(1, 200).meta({ description: 'Email address or https address.' }),
  }),
  output: z
    .strictObject({ platform_id: z.string(), api_key: z.string(), key_id: z.string(), created_at: timeField })
    .meta({ id: 'Platform' }),
  successStatus: 201,
  problems: [ruleRefused, problems.registrationsExceeded],
  examples: recorded(examples.amh_register),
});

export const addPlatformKey = defineOperation({
  ...mandateWrite,
  operationId: 'amh_key_create',
  access: 'platform',
  path: '/api/amh/keys',
  summary: 'Create a second key',
  description: 'Gives the platform a second active key. The old one works until it is revoked.',
  input: z.strictObject({ api_key: apiKeyField }),
  headerOnly: BY_KEY,
  output: z
    .strictObject({ key_id: z.string(), api_key: z.string(), created_at: timeField })
    .meta({ id: 'PlatformKey' }),
  successStatus: 201,
  problems: [problems.keyMissing, problems.keyMalformed, problems.keyInvalid, problems.suspended, problems.tooManyKeys],
  examples: recorded(examples.amh_key_create),
});

export const revokePlatformKey = defineOperation({
  ...mandateWrite,
  operationId: 'amh_key_revoke',
  access: 'platform',
  path: '/api/amh/keys/{key_id}/revoke',
  summary: 'Revoke a key',
  description: "Revokes one of the platform's keys. Revoking twice is harmless.",
  input: z.strictObject({ api_key: apiKeyField, key_id: keyIdField }),
  headerOnly: BY_KEY,
  output: z.strictObject({ key_id: z.string(), revoked_at: timeField }).meta({ id: 'RevokedKey' }),
  problems: [
    problems.keyMissing,
    problems.keyMalformed,
    problems.keyInvalid,
    problems.suspended,
    problems.keyNotFound,
    problems.lastKey,
  ],
  examples: recorded(examples.amh_key_revoke),
});
