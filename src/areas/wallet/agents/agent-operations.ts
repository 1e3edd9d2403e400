import { z } from 'zod';
import { keyNotFound, lastKey, registrationsExceeded, tooManyKeys } from '#kernel/api-key.ts';
import { keyIdField, timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { cleanedText, plainText } from '#kernel/text-field.ts';
import { BY_IDEMPOTENCY_KEY, IDEMPOTENCY_PROBLEMS, idempotencyKeyField } from '#platform/ledger/answers.ts';
import { agentKeyField, BY_AGENT_KEY, KEY_PROBLEMS, READ_KEY_PROBLEMS } from '#platform/ledger/caller.ts';
import { ruleRefused } from '#platform/usage-rules/problems.ts';
import { standingFields } from '#platform/usage-rules/standing.ts';
import examples from '../examples.json' with { type: 'json' };
import { SCOPES } from './agent.ts';
import { scopeRestricted } from '../problems.ts';

const shared = { tag: 'wallet', access: 'none', price: null, cache: 'no-store', rate: 'wallet' } as const;
const write = { ...shared, method: 'post', effects: true } as const;
const shownKey = z
  .string()
  .nullable()
  .meta({ description: 'Shown once. Null in a repeated response if the server secret has changed since.' });

export const registerAgent = defineOperation({
  ...write,
  operationId: 'register_agent',
  path: '/api/agents/register',
  rate: 'login',
  summary: 'Register an agent',
  description:
    'Creates an agent with an id, a key that is shown once and an empty prepaid wallet. Names are not unique. The owner of the email address can later see and revoke every agent registered with it.',
  input: z.strictObject({
    name: cleanedText({ min: 2, max: 80, description: 'The agent name. Names are not unique.' }),
    owner_email: z
      .string()
      .max(320)
      .trim()
      .toLowerCase()
      .max(254)
      .regex(
        /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
        'Must be an email address, for example ops@example.org.',
      )
      .meta({ description: 'Email address of the owner.' }),
    scopes: z
      .array(z.enum(SCOPES))
      .max(SCOPES.length)
      .optional()
      .meta({ description: 'Every key has wallet:spend and tasks:write. Only the operator grants the other scopes.' }),
    idempotency_key: plainText(16, 255).optional().meta({
      description:
        'A secret that you choose. For ten minutes, a repeated call from the same address returns the same agent, with its key until the key is first used.',
    }),
  }),
  headerOnly: BY_IDEMPOTENCY_KEY,
  output: z
    .strictObject({
      agent_id: z.string(),
      name: z.string(),
      agent_key: shownKey,
      key_id: z.string(),
      owner_verified: z.boolean(),
      scopes: z.array(z.string()),
      wallet: z.strictObject({ currency: z.literal('EUR'), available_eur: z.string() }),
      created_at: timeField,
      next: z.strictObject({ topup: z.string(), capabilities: z.string(), cabinet: z.string() }),
    })
    .meta({ id: 'Agent' }),
  successStatus: 201,
  problems: [scopeRestricted, ruleRefused, registrationsExceeded, ...IDEMPOTENCY_PROBLEMS],
  examples: recorded(examples.register_agent),
});

const KeyView = z
  .strictObject({
    key_id: z.string(),
    scopes: z.array(z.string()),
    created_at: timeField,
    last_used_at: timeField.nullable().meta({ description: 'Accurate to the minute.' }),
    revoked_at: timeField.nullable(),
  })
  .meta({ id: 'AgentKeyView' });

export const getAgent = defineOperation({
  ...shared,
  method: 'get',
  effects: false,
  reads: 'store',
  operationId: 'get_agent',
  access: 'agent',
  path: '/api/agents/me',
  summary: 'Get the current agent',
  description:
    'Returns the agent that the key belongs to, any suspension and flags, and each of its keys with the time of last use.',
  input: z.strictObject({ agent_key: agentKeyField }),
  headerOnly: BY_AGENT_KEY,
  output: z
    .strictObject({
      agent_id: z.string(),
      name: z.string(),
      status: z.enum(['active', 'suspended']),
      ...standingFields,
      owner_verified: z.boolean(),
      founder: z.boolean(),
      key_id: z.string().meta({ description: 'The key of this call.' }),
      keys: z.array(KeyView),
      created_at: timeField,
    })
    .meta({ id: 'AgentView' }),
  problems: READ_KEY_PROBLEMS,
  examples: recorded(examples.get_agent),
});

export const rotateAgentKey = defineOperation({
  ...write,
  operationId: 'rotate_key',
  access: 'agent',
  path: '/api/agents/keys',
  summary: 'Create a second key',
  description: 'Creates a second active key and shows it once. The old key works until you revoke it.',
  input: z.strictObject({ agent_key: agentKeyField, idempotency_key: idempotencyKeyField }),
  headerOnly: { ...BY_AGENT_KEY, ...BY_IDEMPOTENCY_KEY },
  output: z
    .strictObject({ key_id: z.string(), agent_key: shownKey, scopes: z.array(z.string()), created_at: timeField })
    .meta({ id: 'AgentKey' }),
  successStatus: 201,
  problems: [...KEY_PROBLEMS, tooManyKeys, ...IDEMPOTENCY_PROBLEMS],
  examples: recorded(examples.rotate_key),
});

export const revokeAgentKey = defineOperation({
  ...write,
  operationId: 'revoke_key',
  access: 'agent',
  path: '/api/agents/keys/{key_id}/revoke',
  summary: 'Revoke a key',
  description: "Revokes one of the agent's keys. Revoking a key twice is safe.",
  input: z.strictObject({
    agent_key: agentKeyField,
    key_id: keyIdField,
  }),
  headerOnly: BY_AGENT_KEY,
  output: z
    .strictObject({ key_id: z.string(), revoked_at: timeField, last_used_at: timeField.nullable() })
    .meta({ id: 'RevokedAgentKey' }),
  problems: [...KEY_PROBLEMS, keyNotFound, lastKey],
  examples: recorded(examples.revoke_key),
});
