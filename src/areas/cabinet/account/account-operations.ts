import { z } from 'zod';
import { registrationsExceeded, tooManyKeys } from '#kernel/api-key.ts';
import { keyIdField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { cleanedText } from '#kernel/text-field.ts';
import { ruleRefused } from '#platform/usage-rules/problems.ts';
import examples from '../examples.json' with { type: 'json' };
import { accountDocument, deletedDocument } from './account-pages.ts';
import { keysDocument } from './key-pages.ts';
import { sessionsDocument } from './session-pages.ts';
import * as fields from '../fields.ts';
import { accountInUse, notOfAccount } from '../problems.ts';
import { CabinetAccount, CabinetDeleted, CabinetExport, CabinetKeys, CabinetSessions } from '../shapes.ts';

const { cabinetRead: read, cabinetWrite: write, PAGE_FIELDS } = fields;

export const keysPage = defineOperation({
  ...read,
  operationId: 'cabinet_keys',
  path: '/cabinet/keys',
  summary: 'List keys',
  description: 'Lists the id, scopes and last use of every key. A key itself is shown once, when it is created.',
  input: z.strictObject({}),
  pageFields: [...PAGE_FIELDS, 'key_id'],
  output: CabinetKeys,
  problems: fields.READ_PROBLEMS,
  pages: keysDocument,
  examples: recorded(examples.cabinet_keys),
});

export const changeKey = defineOperation({
  ...write,
  operationId: 'cabinet_key',
  path: '/cabinet/keys',
  summary: 'Create, rotate or revoke a key',
  description:
    'Action create adds a second active key. Action rotate revokes one key and creates another in one step. Action revoke revokes one key, even the last. An agent can have two active keys.',
  input: z
    .strictObject({
      csrf: fields.csrfField,
      agent_id: fields.agentIdField,
      action: z.enum(['create', 'rotate', 'revoke']).meta({ description: 'The action.' }),
      key_id: keyIdField.optional().meta({ description: 'The key to rotate or revoke. Leave it out with create.' }),
    })
    .refine(({ action, key_id }) => (action === 'create') === (key_id === undefined), {
      path: ['key_id'],
      message: 'Give key_id with rotate and revoke. Leave it out with create.',
      params: { code: 'not_allowed' },
    }),
  pageFields: [...PAGE_FIELDS, 'old_key'],
  output: CabinetKeys,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount, tooManyKeys],
  pages: keysDocument,
  examples: recorded(examples.cabinet_key),
});

export const newAgent = defineOperation({
  ...write,
  operationId: 'cabinet_agent_new',
  path: '/cabinet/keys/agent',
  summary: 'Create an agent',
  description:
    'Creates an agent with an empty wallet in your account, and shows its key once. It needs no acceptance, because you are signed in.',
  input: z.strictObject({
    csrf: fields.csrfField,
    name: cleanedText({ min: 2, max: 80, description: 'The agent name. Names are not unique.' }),
  }),
  output: CabinetKeys,
  problems: [...fields.WRITE_PROBLEMS, ruleRefused, registrationsExceeded],
  pages: keysDocument,
  examples: recorded(examples.cabinet_agent_new),
});

export const sessionsPage = defineOperation({
  ...read,
  operationId: 'cabinet_sessions',
  path: '/cabinet/sessions',
  summary: 'List sessions',
  description: 'Lists active sessions, with the last use to the minute.',
  input: z.strictObject({}),
  output: CabinetSessions,
  problems: fields.READ_PROBLEMS,
  pages: sessionsDocument,
  examples: recorded(examples.cabinet_sessions),
});

export const endSession = defineOperation({
  ...write,
  operationId: 'cabinet_session_end',
  path: '/cabinet/sessions',
  summary: 'Sign out',
  description: 'Ends this session, another one or all of them, immediately and on every device.',
  input: z.strictObject({
    csrf: fields.csrfField,
    session_id: z
      .string()
      .regex(/^(?:this|all|ses_[0-9a-f]{20})$/, 'Must be this, all or a session id.')
      .meta({ description: 'One of this, all or a session id.' }),
  }),
  output: CabinetSessions,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount],
  pages: sessionsDocument,
  examples: recorded(examples.cabinet_session_end),
});

export const accountPage = defineOperation({
  ...read,
  operationId: 'cabinet_account',
  path: '/cabinet/account',
  summary: 'Get account deletion details',
  description: 'Returns what a deletion removes, what we keep and why, and what currently blocks it.',
  input: z.strictObject({}),
  output: CabinetAccount,
  problems: fields.READ_PROBLEMS,
  pages: accountDocument,
  examples: recorded(examples.cabinet_account),
});

export const deleteAccount = defineOperation({
  ...write,
  operationId: 'cabinet_account_delete',
  path: '/cabinet/account',
  summary: 'Delete the account',
  description:
    'Closes every agent, revokes every key and erases personal data. Refused while money is on hold or a task, order or card top-up is open. You must explicitly forfeit any remaining credit.',
  input: z.strictObject({
    csrf: fields.csrfField,
    confirm: fields.emailField.meta({ description: 'Email address of the account, typed again.' }),
    give_up_credit: z
      .literal('yes')
      .optional()
      .meta({ description: 'Required if a wallet has credit. The credit is lost.' }),
  }),
  output: CabinetDeleted,
  problems: [...fields.WRITE_PROBLEMS, accountInUse],
  pages: deletedDocument,
  examples: recorded(examples.cabinet_account_delete),
});

export const exportAccount = defineOperation({
  ...read,
  operationId: 'cabinet_export',
  path: '/cabinet/export',
  summary: 'Export account data',
  description:
    'Returns one JSON document with agents, key ids, wallets, ledger entries, top-ups, tasks, orders, mandates and calls.',
  input: z.strictObject({}),
  output: CabinetExport,
  streams: { 'application/json': 'ends' },
  problems: fields.READ_PROBLEMS,
  examples: recorded(examples.cabinet_export),
});
