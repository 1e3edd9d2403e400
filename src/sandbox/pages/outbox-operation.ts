import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { documentMarkdown } from '#kernel/document.ts';
import { timeField } from '#kernel/fields.ts';
import { html } from '#kernel/html.ts';
import { defineOperation, recorded, type Site } from '#kernel/operation.ts';
import { card, emptyState, heading, linkTo, notice } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { when } from '#web/times.ts';
import examples from './examples.json' with { type: 'json' };

const Mails = z
  .array(
    z.strictObject({
      id: z.string(),
      to: z.string(),
      subject: z.string(),
      text: z.string(),
      links: z.array(z.string()),
      created_at: timeField,
    }),
  )
  .meta({ id: 'SandboxOutbox' });
type Shown = z.output<typeof Mails>;

interface Stored {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly body: string | null;
  readonly createdAtMs: number;
}

const ADDRESS = /https?:\/\/[^\s<>"']+/g;

export function shownMail({ id, to, subject, body, createdAtMs }: Stored): Shown[number] {
  const text = body ?? '';
  return { id, to, subject, text, links: text.match(ADDRESS) ?? [], created_at: isoTime(createdAtMs) };
}

const TITLE = 'Sandbox outbox';

function outboxHtml(mails: Shown, site: Site): string {
  const cards = mails.map(({ to, subject, text, links, created_at }) =>
    card({
      title: subject,
      aside: when(created_at, site),
      body: html`<p>To <bdi>${to}</bdi></p><pre class="mail">${text}</pre>${links.map((one) => html`<p>${linkTo(one, 'Open the link')}</p>`)}`,
    }),
  );
  const empty = emptyState('No emails yet', html`Request one on the ${linkTo('/dashboard/login', 'sign-in page')}.`);
  const body = html`${heading(TITLE, 'The newest 100 emails of this installation.')}${notice(
    'info',
    'The sandbox sends no real email. A sign-in link works only in the browser that requested it.',
  )}${cards.length === 0 ? empty : cards}`;
  return page({ title: TITLE, path: '/sandbox/outbox', section: 'dashboard', isPrivate: true, body }, site);
}

export const outboxPage = defineOperation({
  tag: 'sandbox',
  sandboxOnly: true,
  ownPagesOnly: true,
  access: 'none',
  price: null,
  rate: 'tasks',
  cache: 'no-store',
  operationId: 'sandbox_outbox',
  method: 'get',
  path: '/sandbox/outbox',
  effects: false,
  reads: 'store',
  summary: 'List sandbox emails',
  description:
    'Lists the newest 100 emails that the sandbox would have sent, with their links: sign-in links and requests to suppliers. Only in the sandbox.',
  input: z.strictObject({}),
  output: Mails,
  problems: [],
  pages: { html: outboxHtml, markdown: (mails) => documentMarkdown({ mails }, TITLE) },
  examples: recorded(examples.sandbox_outbox),
});
