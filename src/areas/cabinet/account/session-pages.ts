import type { z } from 'zod';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { button, card, confirmLink, dataTable, heading, pill } from '#web/components.ts';
import { when } from '#web/times.ts';
import { visible } from '#web/untrusted.ts';
import { questionPage } from '../confirmation.ts';
import { dashboardPage, hidden, markdownOf, postForm } from '../frame.ts';
import type * as shapes from '../shapes.ts';
import { browserName } from './browser-name.ts';

type Output = z.output<typeof shapes.CabinetSessions>;

const PATH = '/dashboard/sessions';

/** What the page of sessions shows beyond its JSON. */
export interface SessionsView {
  readonly toast?: Html;
  readonly asksToEndAll?: boolean;
}

export const sessionsDocument = {
  markdown: markdownOf('Sessions'),
  html(output: Output, site: Site, { toast = NOTHING, asksToEndAll = false }: SessionsView = {}): string {
    const body = asksToEndAll ? endQuestion(output) : sessionList(output, site);
    return dashboardPage(output, { title: 'Sessions', path: PATH, body: html`${toast}${body}` }, site);
  },
};

function sessionList({ sessions, csrf }: Output, site: Site): Html {
  const rows = sessions.map(({ session_id, untrusted_user_agent, this_one, created_at, last_used_at, ends_at }) => [
    html`<span title="${visible(untrusted_user_agent)}">${browserName(untrusted_user_agent)}</span>${
      this_one ? html` ${pill('this_browser', { label: 'This browser', tone: 'info' })}` : NOTHING
    }`,
    when(created_at, site),
    this_one ? 'Active now' : when(last_used_at, site),
    when(ends_at, site),
    postForm(
      PATH,
      csrf,
      html`${hidden('session_id', this_one ? 'this' : session_id)}${button('Sign out', { kind: 'plain' })}`,
    ),
  ]);
  return html`${heading('Sessions', 'A session ends after 12 hours without use, or after 7 days.', [
    confirmLink('Sign out everywhere…', `${PATH}?confirm=all`),
  ])}${card({
    body: dataTable({
      caption: 'Sessions',
      hidesCaption: true,
      rows,
      columns: ['Browser', 'Signed in', 'Last active', 'Ends', { label: 'Sign out', kind: 'actions' }],
    }),
  })}`;
}

function endQuestion({ sessions, csrf }: Output): Html {
  const count = sessions.length === 1 ? 'This is your only session.' : `All ${sessions.length} sessions end at once.`;
  return questionPage({
    page: { title: 'Sessions', href: PATH },
    title: 'Sign out everywhere?',
    body: html`<p>${count} You sign in again with a link that we email you. Keys of your agents keep working.</p>`,
    action: PATH,
    csrf,
    fields: { session_id: 'all' },
    label: 'Sign out everywhere',
  });
}
