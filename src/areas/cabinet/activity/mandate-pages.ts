import type { z } from 'zod';
import type { Json } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { eur } from '#web/amounts.ts';
import { button, card, dialogLink, confirmLink, emptyState, heading, linkTo, notice, pill } from '#web/components.ts';
import { shortId } from '#web/short-id.ts';
import { when } from '#web/times.ts';
import { valueHtml } from '#web/document.ts';
import { questionField, questionPage } from '../confirmation.ts';
import { agentName, dashboardPage, markdownOf, otherPages } from '../frame.ts';
import { placeOf } from '../money/names.ts';
import type * as shapes from '../shapes.ts';

type Output = z.output<typeof shapes.CabinetMandates>;
type Mandate = Output['mandates'][number];

const PATH = '/dashboard/mandates';

/** What a page of mandates shows beyond its JSON. */
export interface MandatesView {
  readonly toast?: Html;
  readonly agentId?: string | undefined;
  readonly before?: string | undefined;
  /** The one mandate that a link named. */
  readonly mandateId?: string | undefined;
  readonly question?: { readonly mandate: Mandate; readonly action: MandateAction; readonly error?: string };
}

export type MandateAction = 'view' | 'revoke';

export const mandatesDocument = {
  markdown: markdownOf('Mandates'),
  html(output: Output, site: Site, view: MandatesView = {}): string {
    const { toast = NOTHING, question } = view;
    const body = question === undefined ? mandateList(output, view, site) : tokenQuestion(output, question);
    return dashboardPage(output, { title: 'Mandates', path: PATH, body: html`${toast}${body}` }, site);
  },
};

function mandateList(output: Output, { mandateId, agentId, before }: MandatesView, site: Site): Html {
  const { opened, mandates: list, next_before: older } = output;
  const at = (place?: string) => placeOf(PATH, { agent_id: agentId, before: place });
  const pages = otherPages({ next: older === null ? undefined : at(older), first: before && at() });
  const guide = button('How mandates work', { href: '/docs/mandates', kind: 'plain' });
  const isFiltered = mandateId !== undefined || before !== undefined || Boolean(agentId);
  const shown =
    list.length > 0
      ? list.map((one) => mandateCard(output, one, site))
      : isFiltered
        ? emptyState(
            'No mandates match',
            'No mandate of this agent or with this id.',
            linkTo(PATH, 'Show all mandates'),
          )
        : emptyState(
            'No mandates yet',
            'A mandate says what an agent may commit for its principal. Those that name one of your agents appear here.',
            button('How mandates work', { href: '/docs/mandates' }),
          );
  return html`${heading('Mandates', 'What your agents may commit, and for whom.', [guide])}
${opened === null ? NOTHING : openedCard(opened)}${shown}${pages}`;
}

const SHOWN_ACTIONS = 3;

function codes(list: readonly string[]): Html {
  return html`${list.map((one, index) => html`${index === 0 ? '' : ', '}<code>${one}</code>`)}`;
}

function mandateCard({ agents }: Output, one: Mandate, site: Site): Html {
  const { mandate_id, status, assurance, actions, valid_from, valid_until, attestation_id } = one;
  const isSigned = assurance !== 'unsigned';
  const address = `${PATH}?mandate_id=${mandate_id}`;
  const until = status === 'scheduled' ? html`from ${when(valid_from, site)}` : html`until ${when(valid_until, site)}`;
  const signed = isSigned
    ? pill('principal_signed', { label: 'Signed by principal', tone: 'good' })
    : pill('unsigned', { label: 'Unsigned', tone: 'warn' });
  const isOver = status === 'revoked' || status === 'expired';
  return card({
    body: html`<div class="thing-head">${pill(status)}<strong>${agentName(agents, one.agent_id)}</strong>${shortId(mandate_id)}${signed}</div>
<p>${codes(actions.slice(0, SHOWN_ACTIONS))}${actions.length > SHOWN_ACTIONS ? html` and ${actions.length - SHOWN_ACTIONS} more` : NOTHING} · ${one.currency} · ${until} · ${linkTo(`/log/${attestation_id}`, 'log entry')}</p>
${isSigned ? NOTHING : notice('warn', 'Unsigned: anyone could have created this mandate. Platforms may refuse it.')}
${actions.length > SHOWN_ACTIONS ? html`<details><summary>All ${actions.length} actions</summary><p>${codes(actions)}</p></details>` : NOTHING}
<div class="actions">${dialogLink('Details…', `${address}&confirm=view`)}${isOver ? NOTHING : confirmLink('Revoke…', `${address}&confirm=revoke`)}</div>`,
  });
}

/** What only the control token shows: limits, what is committed, and open holds. */
function openedCard(opened: Readonly<Record<string, unknown>>): Html {
  const { max_commit_cents: cap, remaining } = opened as {
    max_commit_cents?: number;
    remaining?: { commit_cents?: number };
  };
  const left = remaining?.commit_cents;
  const bar =
    typeof cap === 'number' && typeof left === 'number' && cap > 0
      ? html`<p class="committed"><meter min="0" max="${cap}" value="${cap - left}">${cap - left} of ${cap}</meter> ${cents(cap - left)} of ${cents(cap)} committed</p>`
      : NOTHING;
  return card({ title: 'Mandate details', body: html`${bar}${valueHtml(opened as unknown as Json)}` });
}

function cents(amount: number): string {
  return eur((amount / 100).toFixed(2));
}

function tokenQuestion({ agents, csrf }: Output, question: NonNullable<MandatesView['question']>): Html {
  const { mandate, action, error } = question;
  const { mandate_id } = mandate;
  const revokes = action === 'revoke';
  const token = questionField({
    id: 'control-token',
    label: 'Control token',
    hint: 'It begins with amhm_. Used for this call and not stored.',
    error,
    attributes: html` name="control_token" type="password" autocomplete="off" maxlength="200"`,
  });
  const means = revokes
    ? html`<p>Platforms refuse every new action under it at once. Actions that are already sealed stay valid. This cannot be undone.</p>`
    : html`<p>Shows limits, what is committed and open holds.</p>`;
  return questionPage({
    page: { title: 'Mandates', href: PATH },
    title: revokes ? 'Revoke this mandate?' : 'Show mandate details',
    body: html`<p>${agentName(agents, mandate.agent_id)} · ${shortId(mandate_id)}</p>${means}${token}`,
    action: PATH,
    csrf,
    fields: { mandate_id, action },
    label: revokes ? 'Revoke mandate' : 'Show details',
    kind: revokes ? 'danger' : 'primary',
  });
}
