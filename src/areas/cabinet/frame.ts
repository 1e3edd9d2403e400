import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { pager } from '#web/components.ts';
import { dashboardFrame } from '#web/layout.ts';

interface AgentName {
  readonly agent_id: string;
  readonly untrusted_name: string;
}

interface Owned {
  readonly email: string;
  readonly csrf: string;
  /** The agents to pick from; a page that knows only how many there are has no picker. */
  readonly agents?: readonly AgentName[] | number;
}

interface DashboardView {
  readonly title: string;
  readonly path: `/dashboard${string}`;
  /** What the page shows of its data, such as `?agent_id=agt_…&days=7`. */
  readonly query?: string;
  readonly body: Html;
  readonly scripts?: readonly 'htmx.js'[];
}

/** A page of the dashboard: which agents it is about, where one can go, and the way out. */
export function dashboardPage(owned: Owned, view: DashboardView, site: Site): string {
  const { email, csrf, agents } = owned;
  const { title, path, query = '', body, scripts } = view;
  const shown = new URLSearchParams(query);
  const chosen = shown.get('agent_id') ?? '';
  return dashboardFrame(
    {
      title,
      path: `${path}${query}`,
      query: chosen === '' ? '' : `?agent_id=${chosen}`,
      email,
      picker: html`${SEARCH}${typeof agents === 'object' ? agentPicker(path, agents, shown) : NOTHING}`,
      signOut: postForm(
        '/dashboard/sessions',
        csrf,
        html`${hidden('session_id', 'this')}<button type="submit">Sign out</button>`,
      ),
      ...(scripts !== undefined && { scripts }),
      body,
    },
    site,
  );
}

/** The other pages of a list, of which the first is the way back; nothing where one page has it all. */
export function otherPages({ next, first }: { readonly next: string | undefined; readonly first: string | undefined }) {
  return next === undefined && first === undefined ? NOTHING : pager({ next, previous: first });
}

/** Ids of the account lead to their page, anything else to the public search. */
const SEARCH = html`<form action="/search" class="side-search" role="search"><input name="q" type="search" placeholder="Search" aria-label="Search" maxlength="200"></form>`;

/** Ids and places in a list belong to the agent that was shown before. */
const OF_ONE_AGENT = /_id$|^before/;

/** Gets the same page for another agent; what else was chosen stays. */
function agentPicker(path: string, agents: readonly AgentName[], shown: URLSearchParams): Html {
  if (agents.length === 0) return NOTHING;
  const kept = [...shown].filter(([name]) => !OF_ONE_AGENT.test(name)).map(([name, value]) => hidden(name, value));
  const choices = options([{ value: '', label: 'All agents' }, ...agentChoices(agents)], shown.get('agent_id') ?? '');
  return html`<form method="get" action="${path}" class="side-picker" data-submit-on-change>${kept}<select name="agent_id" aria-label="Agent">${choices}</select><noscript><button class="button button-plain">Apply</button></noscript></form>`;
}

/** Markdown of a dashboard page: its JSON without the token of the session. */
export const markdownOf = (title: string) => (output: { readonly csrf: string }) => {
  const { csrf: _, ...rest } = output;
  return documentMarkdown(rest, title);
};

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
  return html`<p class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${options(choices, chosen)}</select></p>`;
}

function options(choices: readonly Choice[], chosen: string | null): Html[] {
  return choices.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === chosen ? html` selected` : NOTHING}>${label}</option>`,
  );
}

/** Names need not differ: where two agents have the same one, the end of the id tells them apart. */
function agentChoices(agents: readonly AgentName[]): Choice[] {
  const seen = Map.groupBy(agents, ({ untrusted_name }) => untrusted_name);
  return agents.map(({ agent_id, untrusted_name }) => ({
    value: agent_id,
    label: (seen.get(untrusted_name)?.length ?? 0) > 1 ? `${untrusted_name} (…${agent_id.slice(-6)})` : untrusted_name,
  }));
}

/** The name of an agent; somebody else may have chosen it. */
export function agentName(agents: readonly AgentName[], agentId: string): Html {
  const name = agents.find(({ agent_id }) => agent_id === agentId)?.untrusted_name ?? agentId;
  return html`<bdi title="${agentId}">${name}</bdi>`;
}
