import type { z } from 'zod';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { eur } from '#web/amounts.ts';
import {
  button,
  card,
  code,
  confirmLink,
  dataTable,
  dialogLink,
  emptyState,
  heading,
  notice,
  pill,
} from '#web/components.ts';
import { shortId } from '#web/short-id.ts';
import { when } from '#web/times.ts';
import { QUESTION_FORM, questionField, questionPage } from '../confirmation.ts';
import { dashboardPage, hidden, markdownOf, postForm } from '../frame.ts';
import type * as shapes from '../shapes.ts';

type Output = z.output<typeof shapes.CabinetKeys>;
type KeyOwner = Output['agents'][number];
type Key = KeyOwner['keys'][number];

const PATH = '/dashboard/keys';
const MAX_ACTIVE = 2;

export interface AgentFacts {
  readonly status: 'active' | 'suspended';
  readonly isAccepted: boolean;
  readonly availableEur: string;
}

export type KeyQuestion =
  | { readonly about: 'revoke' | 'rotate'; readonly agent: KeyOwner; readonly key: Key }
  | { readonly about: 'refuse'; readonly agent: KeyOwner }
  | { readonly about: 'new_agent'; readonly error?: string; readonly name?: string };

/** What the page of agents and keys shows beyond its JSON. */
export interface KeysView {
  readonly toast?: Html;
  readonly question?: KeyQuestion;
  /** By agent id. */
  readonly facts?: ReadonlyMap<string, AgentFacts>;
  readonly agentId?: string | undefined;
}

export const keysDocument = {
  markdown: markdownOf('Keys'),
  html(output: Output, site: Site, view: KeysView = {}): string {
    const { toast = NOTHING, question } = view;
    const body =
      output.new_key !== null
        ? newKey(output)
        : question === undefined
          ? agentList(output, view, site)
          : questionOf(output, question, view, site);
    return dashboardPage(output, { title: 'Agents & keys', path: PATH, body: html`${toast}${body}` }, site);
  },
};

function agentList({ agents, csrf }: Output, { facts, agentId }: KeysView, site: Site): Html {
  const newAgent = dialogLink('New agent', `${PATH}?confirm=new_agent`, 'primary');
  const shown = agents.filter(({ agent_id }) => !agentId || agent_id === agentId);
  return html`${heading('Agents & keys', 'An agent can have two active keys. A key is shown once, when it is created.', [newAgent])}
${
  shown.length === 0
    ? emptyState(
        'No agents yet',
        'An agent has a key and a prepaid wallet. You can also register one with the API.',
        newAgent,
      )
    : shown.map((agent) => agentCard(agent, facts?.get(agent.agent_id), csrf, site))
}`;
}

function isActive({ revoked_at }: Key): boolean {
  return revoked_at === null;
}

function agentCard(agent: KeyOwner, facts: AgentFacts | undefined, csrf: string, site: Site): Html {
  const { agent_id, untrusted_name, keys } = agent;
  const active = keys.filter(isActive);
  const revoked = keys.filter((key) => !isActive(key));
  const create =
    active.length >= MAX_ACTIVE
      ? html`<span class="hint" id="full-${agent_id}">Two of two keys are active. Revoke one to create another.</span><button class="button button-plain" disabled aria-describedby="full-${agent_id}">Create key</button>`
      : postForm(
          PATH,
          csrf,
          html`${hidden('agent_id', agent_id)}${hidden('action', 'create')}${button('Create key', { kind: 'plain' })}`,
        );
  const state =
    facts === undefined
      ? NOTHING
      : html`${pill(facts.isAccepted ? facts.status : 'not_accepted', facts.isAccepted ? {} : { label: 'Not accepted yet', tone: 'warn' })}<a href="/dashboard/ledger?agent_id=${agent_id}">${eur(facts.availableEur)}</a>`;
  return html`<section class="card agent-card"><div class="card-head"><h2><bdi>${untrusted_name}</bdi></h2><div class="actions">${create}</div></div><div class="card-body"><div class="thing-head">${shortId(agent_id)}${state}</div>${activeKeys(untrusted_name, active, site)}${revokedKeys(revoked, site)}</div></section>`;
}

function activeKeys(agentName: string, keys: readonly Key[], site: Site): Html {
  const address = (about: string, { key_id }: Key) => `${PATH}?confirm=${about}&key_id=${key_id}`;
  const rows = keys.map((key) => [
    shortId(key.key_id),
    pill('active'),
    key.scopes.join(', '),
    when(key.created_at, site),
    key.last_used_at === null ? 'Never' : when(key.last_used_at, site),
    html`${dialogLink('Rotate…', address('rotate', key))}${confirmLink('Revoke…', address('revoke', key))}`,
  ]);
  return dataTable({
    caption: `Active keys: ${agentName}`,
    hidesCaption: true,
    rows,
    empty: 'No active key. Create one so that this agent can call.',
    columns: ['Key', 'State', 'Scopes', 'Created', 'Last used', { label: 'Change', kind: 'actions' }],
  });
}

function revokedKeys(keys: readonly Key[], site: Site): Html {
  if (keys.length === 0) return NOTHING;
  const items = keys.map(
    ({ key_id, revoked_at }) => html`<li>${shortId(key_id)} revoked ${when(revoked_at ?? '', site)}</li>`,
  );
  const label = keys.length === 1 ? '1 revoked key' : `${keys.length} revoked keys`;
  return html`<details class="revoked"><summary>${label}</summary><ul>${items}</ul></details>`;
}

/** Shown by the answer of the form alone: no address leads here again. */
function newKey({ agents, new_key, ended_key }: Output): Html {
  if (new_key === null) return NOTHING;
  const { agent_id, agent_key, key_id } = new_key;
  const name = agents.find((one) => one.agent_id === agent_id)?.untrusted_name ?? '';
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`AGENT_KEY=${agent_key}\n`)}`;
  return html`${heading('Your new key')}${
    ended_key === null
      ? NOTHING
      : notice('good', html`<p>Key ${shortId(ended_key)} is revoked. Calls with it fail from now on.</p>`)
  }${card({
    title: 'Shown once',
    body: html`<p>Key ${shortId(key_id)} of <bdi>${name}</bdi>. Copy it now: we store only a hash and cannot show it again.</p>${code(agent_key, 'New key')}<div class="actions"><a class="button button-plain" download="avouch.env" href="${file}">Download .env</a>${button('I have stored it', { href: PATH })}</div>`,
  })}`;
}

function questionOf(output: Output, question: KeyQuestion, view: KeysView, site: Site): Html {
  if (question.about === 'new_agent') return newAgentForm(output, question);
  if (question.about === 'refuse') return refuseQuestion(output, question);
  return question.about === 'revoke'
    ? revokeQuestion(output, question, view, site)
    : rotateQuestion(output, question, site);
}

const PAGE = { title: 'Agents & keys', href: PATH };

function subject({ untrusted_name }: KeyOwner, { key_id, last_used_at }: Key, site: Site): Html {
  const used = last_used_at === null ? html`never used` : html`last used ${when(last_used_at, site)}`;
  return html`<p><bdi>${untrusted_name}</bdi> · ${shortId(key_id)} · ${used}</p>`;
}

function revokeQuestion(
  { csrf }: Output,
  { agent, key }: Extract<KeyQuestion, { key: Key }>,
  { facts }: KeysView,
  site: Site,
): Html {
  const isOnly = agent.keys.filter(isActive).length === 1;
  const balance = facts?.get(agent.agent_id)?.availableEur ?? '0.00';
  const means = isOnly
    ? html`<p>This is the agent’s only active key: its calls fail at once with 401. ${eur(balance)} stays in its wallet.</p>`
    : html`<p>Calls with this key fail at once with 401. The agent’s other key keeps working.</p>`;
  return questionPage({
    page: PAGE,
    title: 'Revoke this key?',
    body: html`${subject(agent, key, site)}${means}<p>This cannot be undone.</p>`,
    action: PATH,
    csrf,
    fields: { agent_id: agent.agent_id, action: 'revoke', key_id: key.key_id },
    label: 'Revoke key',
  });
}

function rotateQuestion({ csrf }: Output, { agent, key }: Extract<KeyQuestion, { key: Key }>, site: Site): Html {
  const hasRoom = agent.keys.filter(isActive).length < MAX_ACTIVE;
  const later = html`<p class="check"><label><input type="radio" form="${QUESTION_FORM}" name="old_key" value="later"${hasRoom ? html` checked` : html` disabled`}> when I revoke it${hasRoom ? NOTHING : html` <span class="hint">Not possible: two keys are active.</span>`}</label></p>`;
  const now = html`<p class="check"><label><input type="radio" form="${QUESTION_FORM}" name="old_key" value="now"${hasRoom ? NOTHING : html` checked`}> now</label></p>`;
  return questionPage({
    page: PAGE,
    title: 'Rotate this key?',
    body: html`${subject(agent, key, site)}<p>The new key is shown once.</p><fieldset class="choices"><legend>The old key stops</legend>${later}${now}</fieldset>`,
    action: PATH,
    csrf,
    fields: { agent_id: agent.agent_id, action: 'rotate', key_id: key.key_id },
    label: 'Create new key',
    kind: 'primary',
  });
}

function newAgentForm({ csrf }: Output, { error, name = '' }: Extract<KeyQuestion, { about: 'new_agent' }>): Html {
  const field = questionField({
    id: 'agent-name',
    label: 'Name',
    hint: 'For example buyer-7. Two agents can have the same name.',
    error,
    attributes: html` name="name" minlength="2" maxlength="80" autocomplete="off" value="${name}"`,
  });
  return questionPage({
    page: PAGE,
    title: 'New agent',
    body: html`<p>It gets an empty wallet and a key, which is shown once.</p>${field}`,
    action: `${PATH}/agent`,
    csrf,
    fields: {},
    label: 'Create agent',
    kind: 'primary',
  });
}

function refuseQuestion({ csrf }: Output, { agent }: { readonly agent: KeyOwner }): Html {
  return questionPage({
    page: PAGE,
    title: 'Remove this agent?',
    body: html`<p><bdi>${agent.untrusted_name}</bdi> · ${shortId(agent.agent_id)}</p><p>Somebody registered it with your email address. It leaves your account, and you no longer see what it does. Its keys keep working. This cannot be undone.</p>`,
    action: '/dashboard/agents',
    csrf,
    fields: { agent_id: agent.agent_id, answer: 'refuse' },
    label: 'Remove agent',
  });
}
