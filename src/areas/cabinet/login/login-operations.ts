import { z } from 'zod';
import { defineOperation, recorded } from '#kernel/operation.ts';
import type { Refusal } from '#kernel/problem.ts';
import { slowDown } from '#kernel/general-problems.ts';
import { documentPages } from '#web/document.ts';
import examples from '../examples.json' with { type: 'json' };
import { changes, emailField, people } from '../fields.ts';
import { askHtml, codeHtml, loginPages, requestedPages } from './login-page.ts';
import { formOf } from './next-page.ts';
import { foreignOrigin, linkInvalid, mailNotConfigured } from '../problems.ts';

const shared = { tag: 'cabinet', access: 'none', price: null, cache: 'no-store' } as const;
const write = { ...shared, ...changes, rate: 'login' } as const;

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
  }),
  output: z
    .strictObject({ status: z.literal('sent_if_known'), expires_in_s: z.int() })
    .meta({ id: 'LoginLinkRequested' }),
  successStatus: 202,
  problems: [foreignOrigin, mailNotConfigured],
  pages: requestedPages,
  pageFields: ['next'],
  refusalPage(refusal, sent, site) {
    const message = fieldError(refusal, 'email');
    const { email: value, next } = formOf(sent);
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
  input: z.strictObject({}),
  output: z
    .strictObject({
      request: z.string(),
      login: z.string(),
      mail: z.enum(['smtp', 'outbox', 'off']),
      outbox: z.string().nullable().meta({ description: 'Where to read the emails of a sandbox.' }),
    })
    .meta({ id: 'LoginPage' }),
  problems: [],
  pages: loginPages,
  pageFields: ['next'],
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
    })
    .refine(({ t, code }) => (t === undefined) !== (code === undefined), {
      message: 'Send either t or code.',
      params: { code: 'one_of' },
    }),
  output: z.strictObject({ status: z.literal('logged_in'), next: z.string() }).meta({ id: 'LoggedIn' }),
  problems: [linkInvalid, foreignOrigin],
  pageFields: ['email', 'next'],
  pages: documentPages(
    () => 'Signed in',
    () => '/dashboard',
  ),
  refusalPage(refusal, sent, site) {
    // Counted before the form is read, so nothing of it is known.
    if (refusal.type === slowDown) return codeHtml({ email: '', refused: 'slow' }, site);
    if (fieldError(refusal, 'code') === undefined) return undefined;
    return codeHtml({ ...formOf(sent), refused: 'malformed' }, site);
  },
  examples: recorded(examples.cabinet_login),
});
