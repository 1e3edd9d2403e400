import { type Html, html } from '#kernel/html.ts';
import { type Call, Redirect } from '#kernel/operation.ts';
import { button, confirmCard, crumbs, heading } from '#web/components.ts';
import { hidden, postForm } from './frame.ts';

/** A form may not skip its question. Programs that send JSON ask their own. */
export function unlessConfirmed(call: Call, question: string | undefined): Redirect | undefined {
  const isAsked = question !== undefined && call.pageInput !== undefined && call.pageInput['confirmed'] !== 'yes';
  return isAsked ? new Redirect(question) : undefined;
}

export interface Question {
  /** The page that the question is about, which Cancel leads back to. */
  readonly page: { readonly title: string; readonly href: string };
  readonly title: string;
  readonly body: Html;
  readonly action: string;
  readonly csrf: string;
  /** What the form sends, csrf and the answer apart. */
  readonly fields: Html;
  readonly label: string;
  readonly kind?: 'danger' | 'primary';
  readonly back?: string;
}

/** The page of a question; with script its card is shown in a dialog. */
export function questionPage(question: Question): Html {
  const { page, title, body, action, csrf, fields, label, kind = 'danger' } = question;
  const form = postForm(
    action,
    csrf,
    html`${hidden('confirmed', 'yes')}${fields}${button(label, { kind })}`,
    'stacked',
  );
  const card = confirmCard({ title, body, form, cancel: question.back ?? page.href });
  return html`${crumbs([{ href: page.href, label: page.title }], title)}${heading(page.title)}${card}`;
}
