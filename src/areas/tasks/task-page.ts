import { z } from 'zod';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import {
  button,
  card,
  code,
  hash,
  heading,
  keyValues,
  light,
  linkTo,
  notice,
  timeElement,
  timeline,
  type Tone,
} from '#web/components.ts';
import { field } from '#web/form-field.ts';
import { page } from '#web/layout.ts';
import { untrusted, visible } from '#web/untrusted.ts';
import { Evidence, TaskStatus } from './fields.ts';

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

const TONES: Readonly<Record<string, Tone>> = {
  completed: 'good',
  failed: 'bad',
  rejected: 'bad',
  canceled: 'neutral',
  expired: 'neutral',
};

export function taskHtml(view: TaskPageAnswer, site: Site): string {
  const { ref, status, evidence } = view;
  const path = `/tasks/${ref}`;
  const isOwner = view.why !== null;
  const state = card({
    title: 'State',
    aside: light(status.state, TONES[status.state] ?? 'info'),
    body: stateBody(view),
  });
  const result = card({ title: 'Result', body: resultBody(view, path) });
  const body = html`${heading('Task', hash(ref))}
${isOwner ? html`${state}${result}` : html`<div class="grid">${state}${result}</div>`}
${card({
  title: 'Evidence',
  aside: light(evidence.chain_ok ? 'Chain intact' : 'Chain broken', evidence.chain_ok ? 'good' : 'bad'),
  body: evidenceBody(view),
})}
${card({ title: 'Use the API', body: code(`curl '${site.baseUrl()}/api/tasks/${ref}'\ncurl '${site.baseUrl()}/api/tasks/${status.task_id}/evidence'`, 'curl') })}`;
  return page({ title: 'Task', path, body, isPrivate: true }, site);
}

function stateBody({ status, why, alternatives }: TaskPageAnswer): Html {
  const { error, questions } = status;
  return html`${keyValues([
    ['Task', hash(status.task_id)],
    ['Route', status.route ?? 'Not decided yet'],
    ['Why', why === null ? 'Visible with the receipt key' : untrusted(why.join(', '))],
    ...(alternatives === null ? [] : [['Alternatives', alternatives.join(', ') || '–'] as const]),
    ['Created', timeElement(status.created_at)],
    ['Updated', timeElement(status.updated_at)],
    ...(status.expires_at === null ? [] : [['Expires', timeElement(status.expires_at)] as const]),
  ])}
${error === null ? NOTHING : notice('bad', html`<p><code>${error.code}</code> ${untrusted(error.detail)}</p>`)}
${questions.length === 0 ? NOTHING : html`<h3>Questions</h3><ul>${questions.map(({ id, text }) => html`<li><code>${id}</code> ${text}</li>`)}</ul>`}`;
}

function resultBody({ status, why }: TaskPageAnswer, path: string): Html {
  const digest =
    status.result_sha256 === null
      ? NOTHING
      : html`<p class="muted">SHA-256 of the result: ${hash(status.result_sha256)}</p>`;
  if (why === null) {
    const schema = {
      type: 'string',
      format: 'password',
      maxLength: 200,
      description: 'Shown once, when the task was created.',
    };
    return html`${digest}<form method="post" action="${path}" autocomplete="off">${field({ name: 'receipt_key', label: 'Receipt key', schema, isRequired: true })}${button('Show request and result')}</form>`;
  }
  return html`<h3>Request</h3><p>${untrusted(status.need)}</p><h3>Result</h3>${
    status.result === null
      ? html`<p class="empty-line">None yet.</p>`
      : code(visible(JSON.stringify(status.result, null, 2)), 'Result')
  }${digest}`;
}

function evidenceBody({ evidence }: TaskPageAnswer): Html {
  const { steps, root, attestation_id: id } = evidence;
  return html`${timeline(
    steps.map((step) => ({
      at: step.at,
      title: `${step.n} ${step.name}`,
      tone: step.name === 'seal' ? ('good' as const) : ('neutral' as const),
      body: html`<details><summary>Digests</summary>${keyValues([
        ['Input', hash(step.input_sha256)],
        ['Output', step.output_sha256 === null ? '–' : hash(step.output_sha256)],
        ['Previous', hash(step.prev)],
        ['Chain hash', step.hash === null ? '–' : hash(step.hash)],
      ])}</details>`,
    })),
  )}${keyValues([
    ['Root', hash(root)],
    ['Sealed', id === null ? 'Not yet' : html`${hash(id, `/log/${id}`)} ${linkTo(`/log/${id}`, 'Verify in the log')}`],
  ])}`;
}
