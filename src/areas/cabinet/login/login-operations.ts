import { z } from 'zod';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { documentPages } from '#web/document.ts';
import examples from '../examples.json' with { type: 'json' };
import { changes, emailField } from '../fields.ts';
import { loginPages, requestedPages } from './login-page.ts';
import { foreignOrigin, linkInvalid, mailNotConfigured } from '../problems.ts';

const shared = { tag: 'cabinet', access: 'none', price: null, cache: 'no-store' } as const;
const write = { ...shared, ...changes, rate: 'login' } as const;

export const requestLink = defineOperation({
  ...write,
  operationId: 'request_login_link',
  path: '/api/cabinet/request-link',
  summary: 'Ask for a login mail',
  description:
    'Mails a link and a code that log the owner of agents in, once and within 15 minutes, in the browser that asked. The answer is the same whether the address is known or not. At most 3 mails in 15 minutes and 20 a day go to one address.',
  input: z.strictObject({
    email: emailField.meta({ description: 'Mail address under which agents were registered' }),
  }),
  output: z
    .strictObject({ status: z.literal('sent_if_known'), expires_in_s: z.int() })
    .meta({ id: 'LoginLinkRequested' }),
  successStatus: 202,
  problems: [foreignOrigin, mailNotConfigured],
  pages: requestedPages,
  examples: recorded(examples.request_login_link),
});

export const loginPage = defineOperation({
  ...shared,
  operationId: 'cabinet_login_page',
  method: 'get',
  path: '/cabinet/login',
  effects: false,
  rate: 'none',
  summary: 'Where an owner logs in',
  description:
    'Asks for the mail address, and takes the code or the link of the mail. The link carries its token behind the #, which no server sees; opening it changes nothing, only the button does.',
  input: z.strictObject({}),
  output: z
    .strictObject({
      request: z.string(),
      login: z.string(),
      mail: z.enum(['smtp', 'outbox', 'off']),
      outbox: z.string().nullable().meta({ description: 'Where the mails of a sandbox are read' }),
    })
    .meta({ id: 'LoginPage' }),
  problems: [],
  pages: loginPages,
  examples: recorded(examples.cabinet_login_page),
});

export const login = defineOperation({
  ...write,
  operationId: 'cabinet_login',
  path: '/cabinet/login',
  redirectsAfterPost: true,
  summary: 'Log in with the link or the code of a mail',
  description:
    'Uses the link up and opens a session of at most 7 days, 12 hours without use. Works only with the cookie of the browser that asked for the mail: a call without it uses nothing up. Five codes may be tried for a link.',
  input: z
    .strictObject({
      t: z
        .string()
        .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the 43 characters behind the # of the link')
        .optional()
        .meta({ description: 'Token of the link' }),
      code: z
        .string()
        .regex(/^\d{6}$/, 'must be the six digits of the mail')
        .optional()
        .meta({ description: 'Code of the mail, where the link was opened elsewhere' }),
    })
    .refine(({ t, code }) => (t === undefined) !== (code === undefined), {
      message: 'send either t or code',
      params: { code: 'one_of' },
    }),
  output: z.strictObject({ status: z.literal('logged_in'), next: z.string() }).meta({ id: 'LoggedIn' }),
  problems: [linkInvalid, foreignOrigin],
  pages: documentPages(
    () => 'Logged in',
    () => '/cabinet',
  ),
  examples: recorded(examples.cabinet_login),
});
