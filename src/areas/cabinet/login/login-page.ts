import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { button, card, grid, heading, linkTo, notice } from '#web/components.ts';
import { field } from '#web/form-field.ts';
import { page } from '#web/layout.ts';

const TITLE = 'Log in';
const SCRIPTS = ['cabinet-login.js'] as const;

interface LoginView {
  readonly request: string;
  readonly login: string;
  readonly mail: 'smtp' | 'outbox' | 'off';
  readonly outbox: string | null;
}

export const loginPages = { html: loginHtml, markdown: (output: object) => documentMarkdown(output, TITLE) };

function loginHtml({ request, login, mail, outbox }: LoginView, site: Site): string {
  const ask = html`<form method="post" action="${request}">${field({
    name: 'email',
    label: 'Mail address',
    isRequired: true,
    schema: { type: 'string', format: 'email', description: 'The one under which your agents were registered.' },
  })}${button('Send me a link')}</form>`;
  const body = html`${heading(TITLE, 'For owners of agents. No password: a mail with a link and a code logs you in.')}
${mail === 'off' ? notice('warn', 'This installation sends no mail, so that nobody can log in.') : NOTHING}
<div id="by-link" hidden>${card({
    title: 'Your link is here',
    body: html`<p>Nothing has happened yet. The button logs this browser in and uses the link up.</p>
<form method="post" action="${login}"><input type="hidden" name="t" value="">${button('Log in')}</form>`,
  })}</div>
${grid([card({ title: '1. Ask for a mail', body: ask }), card({ title: '2. Enter the code', body: codeForm(login) })])}
${outboxNote(outbox)}`;
  return page(
    { title: TITLE, path: '/cabinet/login', section: 'cabinet', isPrivate: true, scripts: SCRIPTS, body },
    site,
  );
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
      description: 'Six digits of the mail, in the browser that asked for it. Or open the link of the mail here.',
    },
  })}${button('Log in with the code', { kind: 'plain' })}</form>`;
}

function outboxNote(outbox: string | null): Html {
  if (outbox === null) return NOTHING;
  return notice(
    'info',
    html`<p>In the sandbox no mail leaves this machine: read it in the ${linkTo(outbox, 'outbox')}.</p>`,
  );
}

const REQUESTED = 'Look into your mail';

export const requestedPages = {
  html(_output: object, site: Site): string {
    const body = html`${heading(REQUESTED, 'If agents were registered under this address, a mail is on its way.')}
${card({
  title: 'What now',
  body: html`<p>Open its link in this browser, or type its code here. Both work once, for 15 minutes.</p>${codeForm('/cabinet/login')}`,
})}
${site.sandbox ? outboxNote('/sandbox/outbox') : NOTHING}`;
    return page(
      { title: REQUESTED, path: '/cabinet/login', section: 'cabinet', isPrivate: true, hasForms: false, body },
      site,
    );
  },
  markdown: (output: object) => documentMarkdown(output, REQUESTED),
};
