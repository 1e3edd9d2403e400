import type { z } from 'zod';
import { documentMarkdown, type Json } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import {
  badge,
  button,
  card,
  code,
  dataTable,
  hash,
  heading,
  keyValues,
  linkTo,
  notice,
  pager,
  timeElement,
  timeline,
  type Tone,
} from '#web/components.ts';
import { valueHtml } from '#web/document.ts';
import { field } from '#web/form-field.ts';
import { agentChoices, agentName, dashboardPage, hidden, postForm, select } from '../frame.ts';
import type * as shapes from '../shapes.ts';

type Of<S extends z.ZodType> = z.output<S>;

const markdownOf = (title: string) => (output: { readonly csrf: string }) => {
  const { csrf: _, ...rest } = output;
  return documentMarkdown(rest, title);
};

const TONES: Readonly<Record<string, Tone>> = {
  completed: 'good',
  delivered: 'good',
  confirmed: 'good',
  active: 'good',
  shipped: 'good',
  failed: 'bad',
  rejected: 'bad',
  refused: 'bad',
  revoked: 'bad',
  input_required: 'warn',
  payment_required: 'warn',
  working: 'info',
  submitted: 'info',
  placed: 'info',
};

function state(word: string): Html {
  return badge(word.replaceAll('_', ' '), TONES[word] ?? 'neutral');
}

function seal(attestationId: string | null): Html {
  return attestationId === null ? html`not sealed yet` : hash(attestationId, `/log/${attestationId}`);
}

export const tasksDocument = {
  markdown: markdownOf('Tasks'),
  html(output: Of<typeof shapes.CabinetTasks>, site: Site): string {
    const { agents, tasks: list, task, csrf } = output;
    const rows = list.map((one) => [
      hash(one.task_id, `/cabinet/tasks?task_id=${one.task_id}`),
      state(one.state),
      agentName(agents, one.agent_id),
      html`<bdi>${shortened(one.untrusted_need)}</bdi>`,
      one.route ?? '',
      timeElement(one.created_at),
    ]);
    const body = html`${heading('Tasks', 'What your agents asked for, with the evidence of every step.')}
${task === null ? NOTHING : taskCard(task, csrf)}
${card({
  title: 'All tasks',
  body: dataTable({
    caption: 'Tasks, newest first',
    hidesCaption: true,
    rows,
    empty: 'No task yet.',
    columns: ['Task', 'State', 'Agent', 'Need', 'Route', 'Made'],
  }),
})}`;
    const query = task === null ? '' : `?task_id=${task.task_id}`;
    return dashboardPage(output, { title: 'Tasks', path: '/cabinet/tasks', query, body }, site);
  },
};

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}

function taskCard(task: NonNullable<Of<typeof shapes.CabinetTasks>['task']>, csrf: string): Html {
  const { evidence } = task;
  const cancel = task.cancellable
    ? postForm(
        '/cabinet/tasks',
        csrf,
        html`${hidden('task_id', task.task_id)}${button('Cancel the task', { kind: 'danger' })}`,
      )
    : NOTHING;
  return card({
    title: 'Task',
    aside: state(task.state),
    body: html`${keyValues([
      ['Id', hash(task.task_id)],
      ['Need', html`<bdi>${task.untrusted_need}</bdi>`],
      ['Route', task.route ?? 'none yet'],
      ['Price', task.price_eur === null ? 'none' : `${task.price_eur} EUR`],
      ['Receipt', hash(task.receipt_id)],
      ['Seal', seal(task.attestation_id)],
      ...(task.error === null ? [] : [['Error', task.error] as const]),
      ...task.questions.map((question) => ['It asks', question] as const),
    ])}<h3>Evidence</h3><p>${evidence.chain_ok ? badge('chain holds', 'good') : badge('chain is broken', 'bad')} root ${hash(evidence.root)}</p>${timeline(
      evidence.steps.map(({ name, at, hash: digest }) => ({
        at,
        title: name,
        body: digest === null ? html`<p>under way</p>` : html`<p>${hash(digest)}</p>`,
      })),
    )}${task.result === null ? NOTHING : html`<h3>Result</h3>${code(JSON.stringify(task.result, null, 2), 'Result')}`}${cancel}`,
  });
}

export const ordersDocument = {
  markdown: markdownOf('Orders'),
  html(output: Of<typeof shapes.CabinetOrders>, site: Site): string {
    const { agents, orders: list, order, csrf } = output;
    const rows = list.map((one) => [
      hash(one.order_id, `/cabinet/orders?order_id=${one.order_id}`),
      state(one.state),
      agentName(agents, one.agent_id),
      html`<bdi>${one.untrusted_supplier}</bdi>`,
      one.goods_total_eur,
      `${one.fee_eur} ${one.fee_state}`,
    ]);
    const body = html`${heading('Orders', 'Every state an order went through, each with its seal in the public log.')}
${order === null ? NOTHING : orderCard(order, csrf)}
${card({
  title: 'All orders',
  body: dataTable({
    caption: 'Orders, newest first',
    hidesCaption: true,
    rows,
    empty: 'No order yet.',
    columns: ['Order', 'State', 'Agent', 'Supplier', { label: 'Goods, EUR', align: 'number' }, 'Fee, EUR'],
  }),
})}`;
    const query = order === null ? '' : `?order_id=${order.order_id}`;
    return dashboardPage(output, { title: 'Orders', path: '/cabinet/orders', query, body }, site);
  },
};

function orderCard(order: NonNullable<Of<typeof shapes.CabinetOrders>['order']>, csrf: string): Html {
  const cancel = order.cancellable
    ? postForm(
        '/cabinet/orders',
        csrf,
        html`${hidden('order_id', order.order_id)}${button('Cancel the order', { kind: 'danger' })}`,
      )
    : NOTHING;
  return card({
    title: 'Order',
    aside: state(order.state),
    body: html`${keyValues([
      ['Id', hash(order.order_id)],
      ['Supplier', html`<bdi>${order.untrusted_supplier}</bdi> (${order.channel})`],
      ['Goods', `${order.goods_total_eur} EUR, paid to the supplier`],
      ['Fee', `${order.fee_eur} EUR, ${order.fee_state}`],
      ['Mandate', order.mandate_id ?? 'none'],
    ])}${dataTable({
      caption: 'Lines',
      columns: ['Part', { label: 'Quantity', align: 'number' }, { label: 'EUR', align: 'number' }],
      rows: order.lines.map(({ sku, qty, total_eur }) => [html`<bdi>${sku}</bdi>`, qty, total_eur]),
    })}<h3>History</h3>${timeline(
      order.history.map(({ state: reached, at, attestation_id }) => ({
        at,
        title: state(reached),
        tone: TONES[reached] ?? 'neutral',
        body: html`<p>${seal(attestation_id)}</p>`,
      })),
    )}${cancel}`,
  });
}

export const callsDocument = {
  markdown: markdownOf('Calls'),
  html(output: Of<typeof shapes.CabinetCalls>, site: Site): string {
    const { agents, agent_id, items, next_before } = output;
    const filter = html`<form method="get" action="/cabinet/calls" class="inline-form filter">${select(
      'agent_id',
      'Agent',
      agentChoices(agents),
      agent_id,
    )}${button('Show', { kind: 'plain' })}</form>`;
    const rows = items.map((one) => [
      timeElement(one.at),
      one.operation,
      one.status === null ? badge('money', 'info') : badge(String(one.status), one.status < 400 ? 'good' : 'warn'),
      one.code ?? '',
      one.ms ?? '',
      one.price_eur ?? '',
      html`<bdi>${one.receipt ?? ''}</bdi>`,
    ]);
    const list = dataTable({
      caption: 'Calls and movements, newest first',
      rows,
      empty: 'No call under a key of this agent in 30 days.',
      columns: [
        ...['Time', 'Operation', 'Status', 'Code'],
        ...[{ label: 'ms', align: 'number' as const }, { label: 'EUR', align: 'number' as const }, 'Reference'],
      ],
    });
    const next = next_before === null ? undefined : `/cabinet/calls?agent_id=${agent_id ?? ''}&before=${next_before}`;
    const lead = 'The last 30 days, with what the wallet paid between them. Bodies, keys and tokens are not kept.';
    const body = html`${heading('Calls', lead)}${agents.length === 0 ? NOTHING : filter}${list}${next === undefined ? NOTHING : pager({ next })}`;
    const query = agent_id === null ? '' : `?agent_id=${agent_id}`;
    return dashboardPage(output, { title: 'Calls', path: '/cabinet/calls', query, body }, site);
  },
};

export const mandatesDocument = {
  markdown: markdownOf('Mandates'),
  html(output: Of<typeof shapes.CabinetMandates>, site: Site): string {
    const { agents, mandates: list, opened, csrf } = output;
    const rows = list.map((one) => [
      hash(one.mandate_id),
      state(one.status),
      agentName(agents, one.agent_id),
      one.assurance,
      html`<span class="roomy">${one.actions.join(', ')}</span>`,
      timeElement(one.valid_until),
      seal(one.attestation_id),
    ]);
    const choices = list.map(({ mandate_id }) => ({ value: mandate_id, label: mandate_id }));
    const form = postForm(
      '/cabinet/mandates',
      csrf,
      html`${select('mandate_id', 'Mandate', choices)}${field({
        name: 'control_token',
        label: 'Control token',
        isRequired: true,
        schema: { type: 'string', format: 'password', description: 'amhm_…, used for this one call and not kept.' },
      })}${select('action', 'What to do', [
        { value: 'view', label: 'Show all of it' },
        { value: 'revoke', label: 'Revoke it for good' },
      ])}${button('Go on')}`,
      'stacked',
    );
    const body = html`${heading('Mandates', 'Mandates that name one of your agents. Anyone may give one; only their public view is shown.')}
${
  opened === null
    ? NOTHING
    : card({
        title: opened['status'] === 'revoked' ? 'Revoked' : 'The whole mandate',
        body: valueHtml(opened as unknown as Json),
      })
}
${card({
  title: 'All mandates',
  body: dataTable({
    caption: 'Mandates',
    hidesCaption: true,
    rows,
    empty: 'No mandate names one of your agents.',
    columns: ['Mandate', 'Status', 'Agent', 'Assurance', 'Actions', 'Until', 'Seal'],
  }),
})}
${list.length === 0 ? NOTHING : card({ title: 'With the control token', body: form })}
${list.length === 0 ? notice('info', html`<p>How mandates work: ${linkTo('/docs/mandates', 'documentation')}.</p>`) : NOTHING}`;
    return dashboardPage(output, { title: 'Mandates', path: '/cabinet/mandates', body }, site);
  },
};
