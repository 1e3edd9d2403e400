import { type Html, html, NOTHING } from '#kernel/html.ts';
import { type Call, Redirect } from '#kernel/operation.ts';
import { button, confirmCard, crumbs, heading } from '#web/components.ts';
import { hidden } from './frame.ts';

/** A form may not skip its question. Programs that send JSON ask their own. */
export function unlessConfirmed(call: Call, question: string | undefined): Redirect | undefined {
  const isAsked = question !== undefined && call.pageInput !== undefined && call.pageInput['confirmed'] !== 'yes';
  return isAsked ? new Redirect(question) : undefined;
}

/** Fields that a person fills in stand in the text of the question, apart from the form that sends them. */
export const QUESTION_FORM = 'confirm-form';

export interface Question {
  /** The page that the question is about. */
  readonly page: { readonly title: string; readonly href: string };
  /** Where Cancel leads, if not to that page. */
  readonly back?: string;
  readonly title: string;
  readonly body: Html;
  /** Where the form goes, and what it sends in addition to the answer. */
  readonly action: string;
  readonly csrf: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly label: string;
  readonly kind?: 'danger' | 'primary';
  readonly cancelLabel?: string;
}

/** The page of a question; with script its card is shown in a dialog. */
export function questionPage(question: Question): Html {
  const { page, title, body, action, csrf, fields, label, kind = 'danger', cancelLabel } = question;
  const sent = Object.entries({ csrf, confirmed: 'yes', ...fields }).map(([name, value]) => hidden(name, value));
  const form = html`<form method="post" action="${action}" id="${QUESTION_FORM}">${sent}${button(label, { kind })}</form>`;
  const card = confirmCard({ title, body, form, cancel: question.back ?? page.href, cancelLabel });
  return html`${crumbs([{ href: page.href, label: page.title }], title)}${heading(page.title)}${card}`;
}

/** A labelled field of a question, with its hint and what was wrong with it. */
export function questionField(given: {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly error?: string | undefined;
  /** The attributes of the control. */
  readonly attributes: Html;
}): Html {
  const { id, label, hint, error, attributes } = given;
  const described = error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`;
  const wrong = error === undefined ? NOTHING : html` aria-invalid="true"`;
  return html`<div class="field"><label for="${id}">${label}</label><input id="${id}" form="${QUESTION_FORM}" required aria-describedby="${described}"${wrong}${attributes}><p class="hint" id="${id}-hint">${hint}</p>${
    error === undefined ? NOTHING : html`<p class="field-error" id="${id}-error">${error}</p>`
  }</div>`;
}
