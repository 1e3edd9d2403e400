import { z } from 'zod';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Json } from '#kernel/document.ts';
import type { Site } from '#kernel/operation.ts';
import {
  button,
  card,
  code,
  heading,
  keyValues,
  linkTo,
  notice,
  pill,
  timeline,
  type TimelineEntry,
} from '#web/components.ts';
import { valueHtml } from '#web/document.ts';
import { field } from '#web/form-field.ts';
import { page } from '#web/layout.ts';
import { fullId, shortId } from '#web/short-id.ts';
import { when } from '#web/times.ts';
import { quoted, untrusted, untrustedNote, visible } from '#web/untrusted.ts';
import { STEP_NAMES, type StepName } from './evidence.ts';
import { Evidence, TaskStatus } from './fields.ts';
import { isInFlight, isOver, type TaskState } from './task.ts';

export const TaskPage = z
  .strictObject({
    ref: z.string(),
    status: TaskStatus,
    why: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Why the request got this route. Shown to the owner only, because it quotes the request.' }),
    alternatives: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Other possible routes. Shown to the owner only.' }),
    evidence: Evidence,
  })
  .meta({ id: 'TaskPage' });

export type TaskPageAnswer = z.output<typeof TaskPage>;

/** What a person reads first: the state, and what it means for them. */
const HEADLINES: Readonly<Record<string, readonly [title: string, text: string]>> = {
  submitted: ['Submitted', 'Avouch has the request and is finding a route for it.'],
  input_required: ['Needs an answer', 'Avouch asked a question. The agent that created this task answers it.'],
  quoted: ['Quoted', 'There is a price. Nothing is done until the owner accepts it.'],
  payment_required: ['Needs payment', 'The work is ready to start and has not been paid for.'],
  working: ['Working', 'The work is under way. This page updates automatically.'],
  completed: ['Completed', 'The work is done, and its result is sealed in the public log.'],
  failed: ['Failed', 'The work could not be done. Nothing was charged.'],
  rejected: ['Rejected', 'Avouch does not do this task. Nothing was charged.'],
  canceled: ['Cancelled', 'The owner cancelled this task. Nothing was charged.'],
  expired: ['Expired', 'Nobody answered in time. Nothing was charged.'],
};
const STEP_LABELS: Readonly<Record<StepName, readonly [label: string, what: string]>> = {
  route: ['Routed', 'Avouch chose who does the work.'],
  quote: ['Quoted', 'The price was fixed.'],
  reserve: ['Reserved', 'The money was put on hold.'],
  execute: ['Executed', 'The work was done.'],
  seal: ['Sealed', 'The evidence went into the public log.'],
  settle: ['Settled', 'The money was charged.'],
};
const REFRESH_S = 3;

export function taskHtml(view: TaskPageAnswer, site: Site): string {
  const { ref, status, evidence, why } = view;
  const path = `/tasks/${ref}`;
  const [title, text] = HEADLINES[status.state] ?? [status.state, ''];
  const isMoving = why === null && isInFlight(status.state as TaskState);
  const sealed = evidence.attestation_id;
  // Whoever was sent the link can check it, and has no key.
  const actions = sealed === null ? [] : [button('Verify it in the public log', { href: `/log/${sealed}` })];
  const body = html`${heading(title, text, actions)}
<div class="task">${card({ title: why === null ? 'See the result' : 'Result', body: resultBody(view, path) })}
${card({ title: 'Task', aside: pill(status.state), body: stateBody(view, site) })}
${card({
  title: 'Evidence',
  aside: pill(
    evidence.chain_ok ? 'intact' : 'broken',
    evidence.chain_ok ? { tone: 'good', label: 'Chain intact' } : { tone: 'bad', label: 'Chain broken' },
  ),
  body: evidenceBody(view, site),
})}
<details><summary>Use the API</summary>${code(`curl '${site.baseUrl()}/api/tasks/${ref}'\ncurl '${site.baseUrl()}/api/tasks/${status.task_id}/evidence'`, 'curl')}</details></div>`;
  return page(
    { title: `Task: ${title}`, path, body, isPrivate: true, ...(isMoving && { refreshSeconds: REFRESH_S }) },
    site,
  );
}

function stateBody({ ref, status, why, alternatives }: TaskPageAnswer, site: Site): Html {
  const { error } = status;
  return html`${error === null ? NOTHING : notice('bad', html`<p><code>${error.code}</code> ${untrusted(error.detail)}</p>`)}${keyValues(
    [
      ['Receipt', fullId(ref)],
      ['Task id', shortId(status.task_id)],
      ['Route', status.route ?? 'Not decided yet'],
      ...(why === null ? [] : [['Why', untrusted(why.join(', '))] as const]),
      ...(alternatives === null ? [] : [['Alternatives', alternatives.join(', ') || '–'] as const]),
      ['Created', when(status.created_at, site)],
      ['Updated', when(status.updated_at, site)],
      ...(status.expires_at === null ? [] : [['Expires', when(status.expires_at, site)] as const]),
    ],
  )}`;
}

function resultBody({ status, why, evidence: { attestation_id: sealed } }: TaskPageAnswer, path: string): Html {
  if (why === null) {
    const schema = {
      type: 'string',
      format: 'password',
      maxLength: 200,
      description: 'The creator of the task has it. It was shown once.',
    };
    return html`<form method="post" action="${path}" autocomplete="off" class="stacked-form">${field({ name: 'receipt_key', label: 'Receipt key', schema, isRequired: true })}${button('Show request and result', { kind: sealed === null ? 'primary' : 'plain' })}</form>${digest(status.result_sha256)}`;
  }
  return html`<h3>Request</h3><p>${quoted(status.need)}</p>${questionList(status)}<h3>Result</h3>${
    status.result === null
      ? html`<p class="empty-line">None yet.</p>`
      : html`${valueHtml(status.result as Json)}<details><summary>Result as JSON</summary>${code(visible(JSON.stringify(status.result, null, 2)), 'Result')}</details>`
  }${digest(status.result_sha256)}${receiptBody(status)}${untrustedNote()}`;
}

function questionList({ questions }: TaskPageAnswer['status']): Html {
  if (questions.length === 0) return NOTHING;
  return html`<h3>${questions.length === 1 ? 'Question' : 'Questions'}</h3><ul>${questions.map(({ id, text }) => html`<li>${text} <code>${id}</code></li>`)}</ul>`;
}

function digest(sha256: string | null): Html {
  return sha256 === null
    ? NOTHING
    : html`<p class="muted">SHA-256 of the result alone, as canonical JSON: ${shortId(sha256)}. The receipt signs task id and result together, so its <code>result_sha256</code> is another one.</p>`;
}

/** All that the receipt signs, so that it can be verified as it is. */
function receiptBody({ task_id, result, receipt }: TaskPageAnswer['status']): Html {
  if (receipt === null) return NOTHING;
  const signed = visible(JSON.stringify({ task_id, result, receipt }, null, 2));
  return html`<details><summary>Signed receipt</summary>${code(signed, 'Task id, result and receipt')}<p>Paste all of it at ${linkTo('/verify', 'Verify a proof')}.</p></details>`;
}

/** All six steps, those that are still to come too. */
function evidenceBody({ evidence, status }: TaskPageAnswer, site: Site): Html {
  const { steps, root, attestation_id: id } = evidence;
  const done = steps.map((step): TimelineEntry => {
    const [label, what] = STEP_LABELS[step.name];
    return {
      at: null,
      title: html`${label} ${when(step.at, site)}`,
      tone: step.hash === null ? 'info' : 'good',
      body: html`<p class="muted">${what}</p><details><summary>Digests</summary>${keyValues([
        ['Input', shortId(step.input_sha256)],
        ['Output', step.output_sha256 === null ? '–' : shortId(step.output_sha256)],
        ['Previous', shortId(step.prev)],
        ['Chain hash', step.hash === null ? '–' : shortId(step.hash)],
      ])}</details>`,
    };
  });
  const left = isOver(status.state as TaskState)
    ? []
    : STEP_NAMES.filter((name) => !steps.some((step) => step.name === name));
  const todo = left.map(
    (name): TimelineEntry => ({ at: null, title: html`<span class="muted">${STEP_LABELS[name][0]}</span>` }),
  );
  return html`${timeline([...done, ...todo])}${keyValues([
    ['Root', shortId(root)],
    [
      'Seal',
      id === null ? 'Not sealed yet' : html`${shortId(id, `/log/${id}`)} ${linkTo(`/log/${id}`, 'Verify in the log')}`,
    ],
  ])}`;
}
