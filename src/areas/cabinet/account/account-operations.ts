import { z } from 'zod';
import { tooManyKeys } from '#kernel/api-key.ts';
import { keyIdField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import examples from '../examples.json' with { type: 'json' };
import * as pages from './account-pages.ts';
import * as fields from '../fields.ts';
import { accountInUse, notOfAccount } from '../problems.ts';
import { CabinetAccount, CabinetDeleted, CabinetExport, CabinetKeys, CabinetSessions } from '../shapes.ts';

const { cabinetRead: read, cabinetWrite: write } = fields;

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
  examples: recorded(examples.cabinet_keys),
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
  examples: recorded(examples.cabinet_key),
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
  examples: recorded(examples.cabinet_sessions),
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
  examples: recorded(examples.cabinet_session_end),
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
  examples: recorded(examples.cabinet_account),
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
  examples: recorded(examples.cabinet_account_delete),
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
  examples: recorded(examples.cabinet_export),
});
