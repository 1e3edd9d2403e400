import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { button, card, heading, linkTo, notice } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { hidden } from '../frame.ts';

export const LOGIN_PAGE = '/dashboard/login';
export const OVERVIEW_PAGE = '/dashboard';
const REQUEST = '/api/cabinet/request-link';
const TEST_INBOX = '/sandbox/outbox';
const TITLE = 'Sign in';
const SENT_TITLE = 'Check your email';
const SCRIPTS = ['cabinet-login.js'] as const;
/** A second email is offered after this long. */
const RESEND_AFTER_S = 60;

interface AskView {
  readonly next?: string | undefined;
  /** An email was requested in this browser: its code is accepted here. */
  readonly hasCode?: boolean;
  readonly isOff?: boolean;
  readonly refusedLink?: 'other_browser' | 'invalid';
  readonly refusedEmail?: { readonly value: string; readonly message: string };
}

interface CodeView {
  readonly email: string;
  readonly next?: string | undefined;
  readonly refused?: 'wrong' | 'spent' | 'malformed' | 'slow';
}

const LINK_TEXT = {
  other_browser: 'Open the link in the browser where you asked, or type the code there.',
  invalid: 'This link was used or has expired. Request a new one.',
} as const;
const CODE_TEXT = {
  wrong: 'That code is wrong or expired. Try again.',
  spent: 'Too many tries. Send a new email.',
  malformed: 'Enter the 6 digits from the email.',
  slow: 'Too many tries in a minute. Wait a moment, then try again.',
} as const;

export const loginPages = {
  html: ({ mail }: { readonly mail: string }, site: Site) => askHtml({ isOff: mail === 'off' }, site),
  markdown: (output: object) => documentMarkdown(output, TITLE),
};

export const requestedPages = {
  html: (_output: object, site: Site) => codeHtml({ email: '' }, site),
  markdown: (output: object) => documentMarkdown(output, SENT_TITLE),
};

/** The first page: whom to email. */
export function askHtml(view: AskView, site: Site): string {
  const { next, isOff, hasCode, refusedLink, refusedEmail } = view;
  const body = html`<div class="narrow">${heading(TITLE, 'No password. We email you a link and a code.')}
${isOff ? notice('warn', 'Email is off on this installation, so nobody can sign in.') : NOTHING}
${refusedLink === undefined ? NOTHING : notice('bad', LINK_TEXT[refusedLink])}
<div id="by-link" hidden>${card({
    body: html`<p>Your link is ready. It works once.</p>
<form method="post" action="${LOGIN_PAGE}">${hidden('t', '')}${nextField(next)}${button('Sign in')}</form>`,
  })}</div>
<div id="by-email">${card({
    body: html`<form method="post" action="${REQUEST}" class="stacked-form">${emailField(refusedEmail)}${nextField(next)}${button('Email me a sign-in link')}</form>
<p class="muted">New here? ${linkTo('/start', 'Register your first agent')}</p>`,
  })}
${hasCode ? card({ title: 'Have a code?', body: codeForm({ email: '', next }, 'plain') }) : NOTHING}</div></div>`;
  return page({ title: TITLE, path: LOGIN_PAGE, section: 'dashboard', isPrivate: true, scripts: SCRIPTS, body }, site);
}

/** The second page: the code, again after a wrong one. It says the same of every address. */
export function codeHtml(view: CodeView, site: Site): string {
  const { email, next } = view;
  const to = email === '' ? 'your address' : html`<bdi class="masked">${maskedEmail(email)}</bdi>`;
  const body = html`<div class="narrow">${heading(SENT_TITLE, html`We sent a link and a 6-digit code to ${to} if it owns an agent.`)}
${card({
  body: html`${codeForm(view, 'primary')}
<p class="muted">Or open the link from the email in this browser. Use either one, once, within 15 minutes.</p>
<div class="sign-in-again">${
    email === ''
      ? NOTHING
      : html`<form method="post" action="${REQUEST}" class="inline-form">${hidden('email', email)}${nextField(next)}<button class="button button-plain" data-wait="${RESEND_AFTER_S}">Send a new one</button></form>`
  }${linkTo(next === undefined ? LOGIN_PAGE : `${LOGIN_PAGE}?next=${encodeURIComponent(next)}`, 'Use another email')}</div>`,
})}${site.sandbox ? notice('info', html`<p>The sandbox sends no real email. ${linkTo(TEST_INBOX, 'Open the test inbox')}</p>`) : NOTHING}</div>`;
  return page(
    {
      title: SENT_TITLE,
      path: LOGIN_PAGE,
      section: 'dashboard',
      isPrivate: true,
      hasForms: false,
      scripts: SCRIPTS,
      body,
    },
    site,
  );
}

function codeForm({ email, next, refused }: CodeView, kind: 'primary' | 'plain'): Html {
  return html`<form method="post" action="${LOGIN_PAGE}" class="stacked-form" novalidate>${codeField(refused && CODE_TEXT[refused], kind === 'primary')}${
    email === '' ? NOTHING : hidden('email', email)
  }${nextField(next)}${button('Sign in', { kind })}</form>`;
}

/** The field for the code of an email. */
export function codeField(error: string | undefined, hasFocus: boolean, value = ''): Html {
  const described = error === undefined ? NOTHING : html` aria-invalid="true" aria-describedby="code-error"`;
  return html`<div class="field"><label for="code">6-digit code</label><input id="code" name="code" class="code-input" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required${
    hasFocus ? html` autofocus` : NOTHING
  }${described} value="${value}">${error === undefined ? NOTHING : html`<p class="field-error" id="code-error">${error}</p>`}</div>`;
}

function emailField(refused: AskView['refusedEmail']): Html {
  const described = refused === undefined ? NOTHING : html` aria-invalid="true" aria-describedby="email-error"`;
  return html`<div class="field"><label for="email">Email</label><input id="email" type="email" name="email" autocomplete="email" maxlength="320" required autofocus${described} value="${refused?.value ?? ''}">${
    refused === undefined ? NOTHING : html`<p class="field-error" id="email-error">${refused.message}</p>`
  }</div>`;
}

function nextField(next: string | undefined): Html {
  return next === undefined ? NOTHING : hidden('next', next);
}

/** Enough for its owner to recognise. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const name = email.slice(0, at);
  return `${name.slice(0, 1)}…${name.length > 1 ? name.slice(-1) : ''}${email.slice(at)}`;
}
