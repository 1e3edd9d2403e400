import type { z } from 'zod';
import type { Json } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { eur } from '#web/amounts.ts';
import { callSnippets } from '#web/call-code.ts';
import {
  button,
  card,
  code,
  codeTabs,
  confirmLink,
  crumbs,
  dataTable,
  emptyState,
  hash,
  heading,
  keyValues,
  linkTo,
  notice,
  pill,
  segmented,
  steps,
  tabs,
} from '#web/components.ts';
import { fullId, shortId, shortText } from '#web/short-id.ts';
import { when } from '#web/times.ts';
import { quoted, untrustedNote, visible } from '#web/untrusted.ts';
import { valueHtml } from '#web/document.ts';
import { questionPage } from '../confirmation.ts';
import { agentName, dashboardPage, hidden, markdownOf, otherPages, postForm } from '../frame.ts';
import type * as shapes from '../shapes.ts';
import { MOVING_TASKS, TASK_FILTERS } from './filters.ts';
import { priceOf, type TaskQuestion, type TaskRow, type TasksSeen } from './owner-tasks.ts';

type Output = z.output<typeof shapes.CabinetTasks>;
type Task = NonNullable<Output['task']>;

const PATH = '/dashboard/tasks';
const POLL_S = 5;

/** What a page of tasks shows beyond its JSON. */
export interface TasksView extends Partial<Omit<TasksSeen, 'output'>> {
  readonly toast?: Html;
  readonly show?: keyof typeof TASK_FILTERS | undefined;
  readonly before?: string | undefined;
  readonly agentId?: string | undefined;
  /** The question before the task that is shown is cancelled. */
  readonly asksToCancel?: boolean;
  /** What each route does, by its id. */
  readonly routeNames?: Readonly<Record<string, string>>;
  /** What the agent's wallet has left. */
  readonly availableEur?: string;
}

export const tasksDocument = {
  markdown: markdownOf('Tasks'),
  html(output: Output, site: Site, view: TasksView = {}): string {
    const { task } = output;
    const { toast = NOTHING, asksToCancel = false } = view;
    const query = queryOf(view, task);
    const body =
      task === null
        ? taskList(output, view, site)
        : asksToCancel
          ? cancelQuestion(output, task)
          : taskDetail(output, task, view, site);
    return dashboardPage(
      output,
      { title: 'Tasks', path: PATH, query, scripts: ['htmx.js'], body: html`${toast}${body}` },
      site,
    );
  },
};

function queryOf({ show, agentId, before }: TasksView, task: Task | null): string {
  const query = new URLSearchParams({
    ...(task !== null && { task_id: task.task_id }),
    ...(show !== undefined && { show }),
    ...(agentId && { agent_id: agentId }),
    ...(before !== undefined && { before }),
  }).toString();
  return query === '' ? '' : `?${query}`;
}

/** Asks for the page again while the service still works on something that it shows. */
function polled(id: string, address: string, isMoving: boolean, body: Html): Html {
  const attributes = isMoving
    ? html` hx-get="${address}" hx-trigger="every ${POLL_S}s" hx-select="#${id}" hx-swap="outerHTML"`
    : NOTHING;
  return html`<div id="${id}"${attributes}>${body}</div>`;
}

function taskList(output: Output, view: TasksView, site: Site): Html {
  const { agents, tasks, next_before: older } = output;
  const { show, agentId, before, rows = [] } = view;
  const at = (place?: string) => `${PATH}${queryOf({ show, agentId, before: place }, null)}`;
  const filter = (name?: keyof typeof TASK_FILTERS) => ({
    label: name === undefined ? 'All' : TASK_FILTERS[name].label,
    href: `${PATH}${queryOf({ show: name, agentId }, null)}`,
    isCurrent: name === show,
  });
  const names = Object.keys(TASK_FILTERS) as (keyof typeof TASK_FILTERS)[];
  const lines = tasks.map((one) => [
    html`<a class="row-link" href="${PATH}?task_id=${one.task_id}">${quotedLine(one.untrusted_need)}</a>`,
    pill(one.state),
    agentName(agents, one.agent_id),
    outcome(rows.find(({ id }) => id === one.task_id)),
    when(one.created_at, site),
  ]);
  const isFiltered = show !== undefined || before !== undefined || Boolean(agentId);
  const pages = otherPages({ next: older === null ? undefined : at(older), first: before && at() });
  const list = dataTable({
    caption: 'Tasks, newest first',
    hidesCaption: true,
    rows: lines,
    columns: ['Request', 'State', 'Agent', 'Outcome', 'Created'],
  });
  const isMoving = tasks.some(({ state }) => MOVING_TASKS.has(state));
  const shown =
    tasks.length > 0
      ? html`${card({ body: list })}${untrustedNote()}`
      : isFiltered
        ? emptyState('No tasks match this filter', 'Choose another filter to see more.', linkTo(PATH, 'Show all tasks'))
        : noTasks(output, site);
  return html`${heading('Tasks', 'What your agents asked for, with the evidence of every step.')}
${segmented('Show', [filter(), ...names.map((name) => filter(name))])}
${polled('tasks', at(before), isMoving, html`${shown}${pages}`)}`;
}

const MAX_LINE = 60;

function quotedLine(text: string): Html {
  const line = visible(text).replaceAll(/\s+/g, ' ');
  return html`<bdi>“${line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line}”</bdi>`;
}

function outcome(row: TaskRow | undefined): Html | string {
  if (row === undefined) return '';
  const { state, questions } = row;
  const price = priceOf(row);
  if (state === 'input_required')
    return questions.length === 1 ? '1\u00a0question' : `${questions.length}\u00a0questions`;
  if (state === 'quoted' || state === 'payment_required')
    return price === null ? 'No price yet' : html`${eur(price)} to approve`;
  if (state === 'completed') return price === null || Number(price) === 0 ? 'Free' : eur(price);
  return MOVING_TASKS.has(state) ? 'In progress' : 'Not charged';
}

const CREATE = {
  operationId: 'create_task',
  method: 'post',
  path: '/api/tasks',
  access: 'agent',
  headerOnly: { 'x-agent-key': 'agent_key' },
} as const;

function noTasks({ agents: [agent] }: Output, site: Site): Html {
  const input = { agent_id: agent?.agent_id ?? 'agt_…', need: 'Check the VAT number NL000099998B57' };
  return emptyState(
    'No tasks yet',
    html`Agents create them with <code>POST /do</code> or <code>create_task</code>.`,
    codeTabs('first-task', callSnippets(CREATE, input, site)),
  );
}

const STEP_LABELS: Readonly<Record<string, string>> = {
  route: 'Routed',
  quote: 'Quoted',
  reserve: 'Reserved',
  execute: 'Executed',
  seal: 'Sealed',
  settle: 'Settled',
};

function taskDetail(output: Output, task: Task, view: TasksView, site: Site): Html {
  const { agents, csrf } = output;
  const address = `${PATH}?task_id=${task.task_id}`;
  const isMoving = MOVING_TASKS.has(task.state);
  const cancel = task.cancellable ? [confirmLink('Cancel task…', `${address}&confirm=cancel`)] : [];
  const about = html`<p class="about">${agentName(agents, task.agent_id)} · created ${when(task.created_at, site)} · ${priceText(task)} · ${linkTo(`/tasks/${task.receipt_id}`, 'public page')}</p>`;
  const body = html`<div class="thing-head">${pill(task.state)}${fullId(task.task_id)}</div>
<p class="request">${quoted(task.untrusted_need)}</p>${about}
${track(task)}
${task.error === null ? NOTHING : notice(task.state === 'payment_required' ? 'warn' : 'bad', task.error)}
${needsYou(task, view, csrf)}
<div class="split">${resultCard(task)}${evidenceCard(task, view)}</div>
${untrustedNote()}`;
  return html`${crumbs([{ href: PATH, label: 'Tasks' }], shortText(task.task_id))}${heading('Task', undefined, cancel)}${polled('task', address, isMoving, body)}`;
}

function priceText({ state, price_eur }: Task): Html | string {
  if (price_eur === null) return 'no price';
  if (Number(price_eur) === 0) return 'free';
  if (state === 'completed') return html`${eur(price_eur)} charged`;
  return ['working', 'quoted', 'payment_required', 'submitted'].includes(state)
    ? html`${eur(price_eur)} quoted`
    : 'not charged';
}

/** Steps may repeat where a question was asked: each counts once, by its last end. */
function track({ evidence, state }: Task): Html {
  const done = new Set(evidence.steps.filter(({ hash: digest }) => digest !== null).map(({ name }) => name));
  const names = Object.keys(STEP_LABELS);
  const next = MOVING_TASKS.has(state) ? names.find((name) => !done.has(name)) : undefined;
  return html`<div class="track">${steps(
    names.map((name) => ({
      label: STEP_LABELS[name] as string,
      state: done.has(name) ? ('done' as const) : name === next ? ('current' as const) : ('todo' as const),
    })),
    'Steps of the task',
  )}${pill(evidence.chain_ok ? 'chain_intact' : 'chain_broken', evidence.chain_ok ? { label: 'Chain intact', tone: 'good' } : { label: 'Chain broken', tone: 'bad' })}</div>`;
}

/** What the task waits for, as a form. */
function needsYou(task: Task, { detail, availableEur = '0.00', routeNames = {} }: TasksView, csrf: string): Html {
  const { state, task_id, price_eur } = task;
  if (state === 'input_required' && detail != null) {
    const fields = detail.row.questions.map((question, index) =>
      answerField(question, index + 1, { need: detail.row.need, routeNames }),
    );
    return card({
      title: fields.length === 1 ? 'This task has a question' : `This task has ${fields.length} questions`,
      body: postForm(
        `${PATH}/answer`,
        csrf,
        html`${hidden('task_id', task_id)}<p>Your agent asked for: ${quoted(task.untrusted_need)}</p>${fields}${button('Send answers')}`,
        'stacked',
      ),
    });
  }
  if ((state !== 'quoted' && state !== 'payment_required') || price_eur === null) return NOTHING;
  const isEnough = Number(availableEur) >= Number(price_eur);
  const topUp = button('Top up', { href: `/dashboard/topup?agent_id=${task.agent_id}` });
  return card({
    title: `This task costs ${eur(price_eur)}`,
    body: html`<p>${eur(availableEur)} is available in the agent’s wallet. The price is charged only if the task succeeds.</p>${
      isEnough
        ? postForm(`${PATH}/accept`, csrf, html`${hidden('task_id', task_id)}${button('Accept the price')}`)
        : html`<div class="actions">${topUp}</div>`
    }`,
  });
}

function answerField(
  { id, text, choices }: TaskQuestion,
  place: number,
  { need, routeNames }: { readonly need: string; readonly routeNames: Readonly<Record<string, string>> },
): Html {
  const name = `answer_${place}`;
  const options = choices?.map((choice) => html`<option value="${choice}">${routeNames[choice] ?? choice}</option>`);
  // A question about the request itself is answered by its new wording.
  const control =
    options !== undefined && id !== 'need'
      ? html`<select id="${name}" name="${name}"><option value="">Choose…</option>${options}</select>`
      : html`<textarea id="${name}" name="${name}" rows="3" maxlength="4000" aria-describedby="${name}-hint">${id === 'need' ? need : ''}</textarea>`;
  const hint =
    id === 'need'
      ? html`<p class="hint" id="${name}-hint">Change the request so that it answers this.${choices === undefined ? NOTHING : html` For example: ${choices.join(', ')}.`}</p>`
      : id === 'route'
        ? NOTHING
        : html`<p class="hint" id="${name}-hint">Input <code>${id}</code>. Write lists and objects as JSON.</p>`;
  return html`<div class="field"><label for="${name}">${visible(text)}</label>${control}${hint}</div>`;
}

function resultCard({ result, state }: Task): Html {
  const text = state === 'completed' ? 'No result was stored.' : 'The result appears here when the task is completed.';
  const body =
    result === null || result === undefined
      ? html`<p class="empty-line">${text}</p>`
      : tabs('result', [
          { label: 'Summary', body: valueHtml(result as Json) },
          { label: 'JSON', body: code(visible(JSON.stringify(result, null, 2)), 'Result') },
        ]);
  return card({ title: 'Result', body });
}

function evidenceCard({ evidence, attestation_id }: Task, { detail }: TasksView): Html {
  const digests = (n: number) => {
    const step = detail?.evidence.steps.find((one) => one.n === n);
    return step === undefined
      ? []
      : [
          ['Input', hash(step.input_sha256)] as const,
          ['Output', step.output_sha256 === null ? 'Not yet' : hash(step.output_sha256)] as const,
        ];
  };
  const list = evidence.steps.map(
    ({ n, name, at, hash: digest }) =>
      html`<li><details><summary>${STEP_LABELS[name] ?? name} <span class="muted">${at.slice(11, 19)}</span></summary>${keyValues(
        [...digests(n), ['Chain hash', digest === null ? 'In progress' : hash(digest)]],
      )}</details></li>`,
  );
  const sealed =
    attestation_id === null
      ? html`<p class="muted">Not sealed yet.</p>`
      : html`<p>Sealed in <a href="/log/${attestation_id}"><code title="${attestation_id}">${shortText(attestation_id)}</code></a>. Open it to verify the seal in your browser.</p>`;
  return card({
    title: 'Evidence',
    body: html`<ol class="evidence">${list}</ol>${sealed}<details><summary>Root hash</summary><p>${hash(evidence.root)}</p></details>`,
  });
}

function cancelQuestion({ csrf, agents }: Output, task: Task): Html {
  const { task_id, price_eur, state } = task;
  const money =
    state === 'working' && price_eur !== null && Number(price_eur) > 0
      ? html`<p>The hold of ${eur(price_eur)} is released. Nothing is charged.</p>`
      : html`<p>Nothing is charged.</p>`;
  return questionPage({
    page: { title: 'Tasks', href: PATH },
    back: `${PATH}?task_id=${task_id}`,
    title: 'Cancel this task?',
    body: html`<p>${agentName(agents, task.agent_id)} · ${shortId(task_id)}</p><p>${quotedLine(task.untrusted_need)}</p>${money}<p>The work stops and no result is shown. This cannot be undone.</p>`,
    action: PATH,
    csrf,
    fields: { task_id },
    label: 'Cancel task',
    cancelLabel: 'Keep task',
  });
}
