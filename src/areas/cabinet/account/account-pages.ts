import type { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { eur } from '#web/amounts.ts';
import { button, card, heading, keyValues, notice } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { dashboardPage, markdownOf, postForm } from '../frame.ts';
import type * as shapes from '../shapes.ts';

type Output = z.output<typeof shapes.CabinetAccount>;

const PATH = '/dashboard/account';

/** Something that blocks the deletion, with where to end it. */
export interface OpenThing {
  readonly text: Html;
  readonly href: string;
  /** Whose it is. */
  readonly agent: string;
}

/** What the page of the account shows beyond its JSON. */
export interface AccountView {
  readonly open?: readonly OpenThing[];
  /** What was wrong with the form that came back. */
  readonly error?: { readonly field: 'confirm' | 'give_up_credit' | null; readonly message: string };
  readonly typed?: string;
}

export const accountDocument = {
  markdown: markdownOf('Account'),
  html(output: Output, site: Site, view: AccountView = {}): string {
    const { email, agents, total_available_eur } = output;
    const body = html`${heading('Account')}
${card({
  title: 'Your account',
  body: keyValues([
    ['Email', email],
    ['Agents', html`<a href="/dashboard/keys">${agents}</a>`],
    ['Balance', html`<a href="/dashboard/ledger">${eur(total_available_eur)}</a>`],
  ]),
})}
${card({
  title: 'Export your data',
  body: html`<p>One JSON file with everything we store about this account. Keys and tokens are not in it, because we do not store them.</p>${button('Export my data (JSON)', { href: '/cabinet/export', kind: 'plain' })}`,
})}
${dangerZone(output, view)}`;
    return dashboardPage(output, { title: 'Account', path: PATH, body }, site);
  },
};

function listOf(title: string, list: readonly string[]): Html {
  return html`<h3>${title}</h3><ul>${list.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function dangerZone(output: Output, view: AccountView): Html {
  const { deletes, keeps, in_use } = output;
  const { open = [], error } = view;
  const items = open.map(({ text, href, agent }) => html`<li><a href="${href}">${text}</a> · <bdi>${agent}</bdi></li>`);
  const blocked = notice(
    'warn',
    html`<p>You cannot delete the account yet. Finish, cancel or pay this first:</p><ul>${items.length > 0 ? items : in_use.map((item) => html`<li>${item}</li>`)}</ul>`,
  );
  const refused = error?.field === null ? notice('bad', error.message) : NOTHING;
  return html`<section class="card danger-zone" id="delete"><div class="card-head"><h2>Delete account</h2></div><div class="card-body">${refused}${in_use.length > 0 ? blocked : NOTHING}${listOf('What is deleted', deletes)}${listOf('What we keep, and why', keeps)}${in_use.length > 0 ? NOTHING : deleteForm(output, view)}</div></section>`;
}

function deleteForm({ email, csrf, total_available_eur }: Output, { error, typed = '' }: AccountView): Html {
  const errorOf = (name: string) =>
    error?.field === name ? html`<p class="field-error" id="${name}-error">${error.message}</p>` : NOTHING;
  const marks = (name: string) =>
    error?.field === name ? html` aria-invalid="true" aria-describedby="${name}-error"` : NOTHING;
  const credit =
    total_available_eur === '0.00'
      ? NOTHING
      : html`<p class="check"><label><input type="checkbox" name="give_up_credit" value="yes"${marks('give_up_credit')}> I forfeit the remaining ${eur(total_available_eur)}</label></p>${errorOf('give_up_credit')}`;
  return postForm(
    PATH,
    csrf,
    html`<div class="field"><label for="confirm-email">Type your email address to confirm</label><input id="confirm-email" name="confirm" type="email" required autocomplete="off" value="${typed}"${marks('confirm')}><p class="hint">${email}</p>${errorOf('confirm')}</div>${credit}${button('Delete account permanently', { kind: 'danger' })}`,
    'stacked',
  );
}

export const deletedDocument = {
  markdown: (output: object) => documentMarkdown(output, 'Account deleted'),
  html({ agents, keeps }: z.output<typeof shapes.CabinetDeleted>, site: Site): string {
    const lead = agents === 1 ? '1 agent was closed.' : `${agents} agents were closed.`;
    const body = html`${heading('Account deleted', `${lead} All keys are revoked.`)}${card({
      title: 'What we keep, and why',
      body: html`<ul>${keeps.map((item) => html`<li>${item}</li>`)}</ul>`,
    })}`;
    const view = {
      title: 'Account deleted',
      path: PATH,
      section: 'dashboard',
      isPrivate: true,
      hasForms: false,
    } as const;
    return page({ ...view, section: 'dashboard', body }, site);
  },
};
