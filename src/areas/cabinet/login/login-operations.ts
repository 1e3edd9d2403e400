import { z } from 'zod';
import { defineOperation, recorded, type SentInput } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { documentPages } from '#web/document.ts';
import examples from '../examples.json' with { type: 'json' };
import { changes, emailField, people } from '../fields.ts';
import { askHtml, codeHtml, loginPages, requestedPages } from './login-page.ts';
import { foreignOrigin, linkInvalid, mailNotConfigured } from '../problems.ts';

const shared = { tag: 'cabinet', access: 'none', price: null, cache: 'no-store' } as const;
const write = { ...shared, ...changes, rate: 'login' } as const;

/** Pages that a person who signs in can be sent on to. */
const NEXT = /^\/(?:dashboard|cabinet|start)(?:[/?][\w./?=&%-]*)?$/;
const nextField = z
  .string()
  .max(500)
  .regex(NEXT, 'Must be the path of a page of the dashboard or /start.')
  .optional()
  .meta({ description: 'For pages: where to go after signing in.' });

/** What the form held, so that it can be shown again. */
function sentForm({ email, next }: SentInput): { readonly email: string; readonly next: string | undefined } {
  return {
    email: typeof email === 'string' ? email : '',
    next: typeof next === 'string' && NEXT.test(next) ? next : undefined,
  };
}

function fieldError({ details }: Refusal, name: string): string | undefined {
  return details.errors?.find(({ pointer }) => pointer === `#/${name}`)?.detail;
}

export const requestLink = defineOperation({
  ...write,
  operationId: 'request_login_link',
  path: '/api/cabinet/request-link',
  summary: 'Request a sign-in email',
  description:
    'Emails a link and a code to an owner of agents. They work once, within 15 minutes, in the browser that requested them. The response is the same for known and unknown addresses. One address receives at most 3 emails in 15 minutes and 20 a day.',
  input: z.strictObject({
    email: emailField.meta({ description: 'Email address that your agents were registered with.' }),
    next: nextField,
  }),
  output: z
    .strictObject({ status: z.literal('sent_if_known'), expires_in_s: z.int() })
    .meta({ id: 'LoginLinkRequested' }),
  successStatus: 202,
  problems: [foreignOrigin, mailNotConfigured],
  pages: requestedPages,
  refusalPage(refusal, sent, site) {
    const message = fieldError(refusal, 'email');
    const { email: value, next } = sentForm(sent);
    return message === undefined ? undefined : askHtml({ next, refusedEmail: { value, message } }, site);
  },
  examples: recorded(examples.request_login_link),
});

export const loginPage = defineOperation({
  ...shared,
  ...people,
  operationId: 'cabinet_login_page',
  method: 'get',
  path: '/cabinet/login',
  effects: false,
  rate: 'none',
  summary: 'Sign-in page',
  description:
    'Asks for the email address and accepts the code or link from the email. The token in the link comes after the #, so no server sees it. Opening the link changes nothing until you click the button.',
  input: z.strictObject({ next: nextField }),
  output: z
    .strictObject({
      request: z.string(),
      login: z.string(),
      mail: z.enum(['smtp', 'outbox', 'off']),
      outbox: z.string().nullable().meta({ description: 'Where to read the emails of a sandbox.' }),
      next: z.string().optional(),
      code_sent: z.literal(true).optional().meta({
        description: 'An email was requested in this browser within 15 minutes, so the page has a field for its code.',
      }),
    })
    .meta({ id: 'LoginPage' }),
  problems: [],
  pages: loginPages,
  examples: recorded(examples.cabinet_login_page),
});

export const login = defineOperation({
  ...write,
  ...people,
  operationId: 'cabinet_login',
  path: '/cabinet/login',
  redirectsAfterPost: true,
  summary: 'Sign in',
  description:
    'Signs in with the link or code from the email, which then no longer works. The session lasts at most 7 days, 12 hours without use. This works only with the cookie of the browser that requested the email. A call without that cookie does not use up the link. A link allows five code attempts.',
  input: z
    .strictObject({
      t: z
        .string()
        .regex(/^[A-Za-z0-9_-]{43}$/, 'Must be the 43 characters after the # in the link.')
        .optional()
        .meta({ description: 'Token from the link.' }),
      code: z
        .string()
        .regex(/^\d{6}$/, 'Must be the six digits from the email.')
        .optional()
        .meta({ description: 'Code from the email, if you opened the email on another device.' }),
      email: z
        .string()
        .max(320)
        .optional()
        .meta({ description: 'For pages: the address to show again after a wrong code.' }),
      next: nextField,
    })
    .refine(({ t, code }) => (t === undefined) !== (code === undefined), {
      message: 'Send either t or code.',
      params: { code: 'one_of' },
    }),
  output: z.strictObject({ status: z.literal('logged_in'), next: z.string() }).meta({ id: 'LoggedIn' }),
  problems: [linkInvalid, foreignOrigin],
  pages: documentPages(
    () => 'Signed in',
    () => '/dashboard',
  ),
  refusalPage: (refusal, sent, site) =>
    fieldError(refusal, 'code') === undefined ? undefined : codeHtml({ ...sentForm(sent), refused: 'malformed' }, site),
  examples: recorded(examples.cabinet_login),
});
