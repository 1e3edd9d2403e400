import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { page } from '#web/layout.ts';

const NAV_ITEMS = [
  ['/dashboard', 'Overview'],
  ['/dashboard/ledger', 'Ledger'],
  ['/dashboard/spend', 'Spend'],
  ['/dashboard/topup', 'Top up'],
  ['/dashboard/tasks', 'Tasks'],
  ['/dashboard/orders', 'Orders'],
  ['/dashboard/calls', 'Calls'],
  ['/dashboard/mandates', 'Mandates'],
  ['/dashboard/keys', 'Keys'],
  ['/dashboard/sessions', 'Sessions'],
  ['/dashboard/account', 'Account'],
] as const;

interface DashboardView {
  readonly title: string;
  readonly path: (typeof NAV_ITEMS)[number][0];
  readonly query?: string;
  readonly body: Html;
  readonly charts?: true;
  readonly scripts?: readonly 'htmx.js'[];
}

/** A page of the cabinet: who is logged in, where one can go, and the way out. */
export function dashboardPage(
  { email, csrf }: { email: string; csrf: string },
  view: DashboardView,
  site: Site,
): string {
  const { title, path, query = '', body, charts, scripts } = view;
  const places = NAV_ITEMS.map(([place, label]) =>
    place === path
      ? html`<li><a href="${place}" aria-current="page">${label}</a></li>`
      : html`<li><a href="${place}">${label}</a></li>`,
  );
  const top = html`<div class="cabinet-bar"><p>Signed in as <strong>${email}</strong></p>${postForm(
    '/dashboard/sessions',
    csrf,
    html`${hidden('session_id', 'this')}<button class="button button-plain">Sign out</button>`,
  )}</div><nav class="subnav" aria-label="Dashboard"><ul>${places}</ul></nav>`;
  return page(
    {
      title,
      path: `${path}${query}`,
      section: 'dashboard',
      isPrivate: true,
      ...(charts && { charts }),
      ...(scripts !== undefined && { scripts }),
      body: html`${top}${body}`,
    },
    site,
  );
}

/** A form that changes something; it carries what proves that it comes from here. */
export function postForm(action: string, csrf: string, fields: Html, shape: 'inline' | 'stacked' = 'inline'): Html {
  return html`<form method="post" action="${action}" class="${shape}-form">${hidden('csrf', csrf)}${fields}</form>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

export function select(name: string, label: string, choices: readonly Choice[], chosen: string | null = null): Html {
  const options = choices.map(
    ({ value, label: shown }) =>
      html`<option value="${value}"${value === chosen ? html` selected` : NOTHING}>${shown}</option>`,
  );
  return html`<p class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${options}</select></p>`;
}

export function agentChoices(
  agents: readonly { readonly agent_id: string; readonly untrusted_name: string }[],
): Choice[] {
  return agents.map(({ agent_id, untrusted_name }) => ({
    value: agent_id,
    label: `${untrusted_name} (…${agent_id.slice(-6)})`,
  }));
}

/** The name of an agent; somebody else may have chosen it. */
export function agentName(
  agents: readonly { readonly agent_id: string; readonly untrusted_name: string }[],
  agentId: string,
): Html {
  const name = agents.find(({ agent_id }) => agent_id === agentId)?.untrusted_name ?? agentId;
  return html`<bdi title="${agentId}">${name}</bdi>`;
}
