import { z } from 'zod';
import { tooManyKeys } from '#kernel/api-key.ts';
import { keyIdField } from '#kernel/fields.ts';
import { defineOperation } from '#kernel/operation.ts';
import * as pages from './account-pages.ts';
import { DELETES, KEEPS } from './erasure.ts';
import * as fields from '../fields.ts';
import { AGENT_ID, EXAMPLE_AT, EXAMPLE_HEAD } from '../fields.ts';
import { accountInUse, notOfAccount } from '../problems.ts';
import { CabinetAccount, CabinetDeleted, CabinetExport, CabinetKeys, CabinetSessions } from '../shapes.ts';

const { cabinetRead: read, cabinetWrite: write } = fields;
const KEY_ID = 'key_0123456789abcdefghjkmnpqrs';
const AGENT_KEY = 'agk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8PtEd2o';

export const keysPage = defineOperation({
  ...read,
  operationId: 'cabinet_keys',
  path: '/cabinet/keys',
  summary: 'Keys of all agents',
  description: 'Ids, scopes and last use of every key. A key itself is shown once, when it is made.',
  input: z.strictObject({}),
  output: CabinetKeys,
  problems: fields.READ_PROBLEMS,
  pages: pages.keysDocument,
  examples: [{ name: 'no agent', input: {}, output: { ...EXAMPLE_HEAD, agents: [], new_key: null, ended_key: null } }],
});

export const changeKey = defineOperation({
  ...write,
  operationId: 'cabinet_key',
  path: '/cabinet/keys',
  summary: 'Make, rotate or revoke a key',
  description:
    'create makes a second live key, rotate ends one and makes another in one step, revoke ends one, the last included. Two keys of an agent may be live.',
  input: z
    .strictObject({
      csrf: fields.csrfField,
      agent_id: fields.agentIdField,
      action: z.enum(['create', 'rotate', 'revoke']).meta({ description: 'What to do' }),
      key_id: keyIdField.optional().meta({ description: 'The key that ends; not with create' }),
    })
    .refine(({ action, key_id }) => (action === 'create') === (key_id === undefined), {
      path: ['key_id'],
      message: 'names the key that ends: with rotate and revoke, not with create',
      params: { code: 'not_allowed' },
    }),
  output: CabinetKeys,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount, tooManyKeys],
  pages: pages.keysDocument,
  examples: [
    {
      name: 'a new key',
      input: { agent_id: AGENT_ID, action: 'create' },
      output: {
        ...EXAMPLE_HEAD,
        agents: [],
        new_key: { agent_id: AGENT_ID, key_id: KEY_ID, agent_key: AGENT_KEY },
        ended_key: null,
      },
    },
  ],
});

export const sessionsPage = defineOperation({
  ...read,
  operationId: 'cabinet_sessions',
  path: '/cabinet/sessions',
  summary: 'Where the account is logged in',
  description: 'Every session that lives, with its last use to the minute.',
  input: z.strictObject({}),
  output: CabinetSessions,
  problems: fields.READ_PROBLEMS,
  pages: pages.sessionsDocument,
  examples: [{ name: 'none', input: {}, output: { ...EXAMPLE_HEAD, sessions: [] } }],
});

export const endSession = defineOperation({
  ...write,
  operationId: 'cabinet_session_end',
  path: '/cabinet/sessions',
  summary: 'Log out: this session, another one or all',
  description: 'Ends sessions at once, wherever they are open.',
  input: z.strictObject({
    csrf: fields.csrfField,
    session_id: z
      .string()
      .regex(/^(?:this|all|ses_[0-9a-f]{20})$/, 'must be this, all or a session id')
      .meta({ description: 'this, all, or the id of a session' }),
  }),
  output: CabinetSessions,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount],
  pages: pages.sessionsDocument,
  examples: [{ name: 'this one', input: { session_id: 'this' }, output: { ...EXAMPLE_HEAD, sessions: [] } }],
});

export const accountPage = defineOperation({
  ...read,
  operationId: 'cabinet_account',
  path: '/cabinet/account',
  summary: 'Export and deletion of the account',
  description: 'What a deletion takes away, what stays and why, and what stands in its way.',
  input: z.strictObject({}),
  output: CabinetAccount,
  problems: fields.READ_PROBLEMS,
  pages: pages.accountDocument,
  examples: [
    {
      name: 'one agent',
      input: {},
      output: {
        ...EXAMPLE_HEAD,
        agents: 1,
        total_available_eur: '9.94',
        in_use: [],
        deletes: [...DELETES],
        keeps: [...KEEPS],
        export: '/cabinet/export',
      },
    },
  ],
});

export const deleteAccount = defineOperation({
  ...write,
  operationId: 'cabinet_account_delete',
  path: '/cabinet/account',
  summary: 'Delete the account',
  description:
    'Closes every agent, revokes every key and erases personal data. Refused while money is held, a task or an order is open; credit that is left must be given up in so many words.',
  input: z.strictObject({
    csrf: fields.csrfField,
    confirm: fields.emailField.meta({ description: 'The mail address of the account, typed again' }),
    give_up_credit: z.literal('yes').optional().meta({ description: 'Where a wallet has credit: it is lost' }),
  }),
  output: CabinetDeleted,
  problems: [...fields.WRITE_PROBLEMS, accountInUse],
  pages: pages.deletedDocument,
  examples: [
    {
      name: 'deleted',
      input: { confirm: 'ops@example.org' },
      output: { status: 'deleted', agents: 1, keeps: [...KEEPS] },
    },
  ],
});

export const exportAccount = defineOperation({
  ...read,
  operationId: 'cabinet_export',
  path: '/cabinet/export',
  summary: 'Everything that is stored of the account',
  description: 'One JSON document: agents, keys by id, wallets, movements, top-ups, tasks, orders, mandates, calls.',
  input: z.strictObject({}),
  output: CabinetExport,
  problems: fields.READ_PROBLEMS,
  examples: [
    {
      name: 'no agents',
      input: {},
      output: { email: EXAMPLE_HEAD.email, exported_at: EXAMPLE_AT, agents: [], sessions: [] },
    },
  ],
});
