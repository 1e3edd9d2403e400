import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { button, card, grid, heading, linkTo, notice } from '#web/components.ts';
import { field } from '#web/form-field.ts';
import { page } from '#web/layout.ts';

const LOGIN_PAGE = '/dashboard/login';
const TITLE = 'Sign in';
const SCRIPTS = ['cabinet-login.js'] as const;

interface LoginView {
  readonly request: string;
  readonly mail: 'smtp' | 'outbox' | 'off';
  readonly outbox: string | null;
}

export const loginPages = { html: loginHtml, markdown: (output: object) => documentMarkdown(output, TITLE) };

function loginHtml({ request, mail, outbox }: LoginView, site: Site): string {
  const ask = html`<form method="post" action="${request}">${field({
    name: 'email',
    label: 'Email',
    isRequired: true,
    schema: {
      type: 'string',
      format: 'email',
      description: 'The email address that your agents were registered with.',
    },
  })}${button('Email me a sign-in link')}</form>`;
  const body = html`${heading(TITLE, 'For people who own agents. No password: we email you a link and a code.')}
${mail === 'off' ? notice('warn', 'Email is off on this installation, so nobody can sign in.') : NOTHING}
<div id="by-link" hidden>${card({
    title: 'Complete sign-in',
    body: html`<p>Click to sign in. The link works once.</p>
<form method="post" action="${LOGIN_PAGE}"><input type="hidden" name="t" value="">${button('Sign in')}</form>`,
  })}</div>
${grid([card({ title: '1. Request a link', body: ask }), card({ title: '2. Enter the code', body: codeForm(LOGIN_PAGE) })])}
${outboxNote(outbox)}`;
  return page({ title: TITLE, path: LOGIN_PAGE, section: 'dashboard', isPrivate: true, scripts: SCRIPTS, body }, site);
}

function codeForm(action: string): Html {
  return html`<form method="post" action="${action}">${field({
    name: 'code',
    label: 'Code',
    isRequired: true,
    schema: {
      type: 'string',
      pattern: '[0-9]{6}',
      maxLength: 6,
      description: 'The six digits from the email. Or open the link from the email in this browser.',
    },
  })}${button('Sign in with the code', { kind: 'plain' })}</form>`;
}

function outboxNote(outbox: string | null): Html {
  if (outbox === null) return NOTHING;
  return notice('info', html`<p>The sandbox sends no real email. Read it in the ${linkTo(outbox, 'outbox')}.</p>`);
}

const REQUESTED = 'Check your email';

export const requestedPages = {
  html(_output: object, site: Site): string {
    const body = html`${heading(REQUESTED, 'If agents are registered with this address, an email is on its way.')}
${card({
  title: 'Enter the code',
  body: html`<p>Open the link from the email in this browser, or enter the code here. Use either one, once, within 15 minutes.</p>${codeForm(LOGIN_PAGE)}`,
})}
${site.sandbox ? outboxNote('/sandbox/outbox') : NOTHING}`;
    return page(
      { title: REQUESTED, path: LOGIN_PAGE, section: 'dashboard', isPrivate: true, hasForms: false, body },
      site,
    );
  },
  markdown: (output: object) => documentMarkdown(output, REQUESTED),
};
