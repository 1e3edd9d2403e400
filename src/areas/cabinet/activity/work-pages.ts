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
  return attestationId === null ? html`Not sealed yet` : hash(attestationId, `/log/${attestationId}`);
}

export const tasksDocument = {
  markdown: markdownOf('Tasks'),
  html(output: Of<typeof shapes.CabinetTasks>, site: Site): string {
    const { agents, tasks: list, task, csrf } = output;
    const rows = list.map((one) => [
      hash(one.task_id, `/dashboard/tasks?task_id=${one.task_id}`),
      state(one.state),
      agentName(agents, one.agent_id),
      html`<bdi>${shortened(one.untrusted_need)}</bdi>`,
      one.route ?? '',
      timeElement(one.created_at),
    ]);
    const body = html`${heading('Tasks', 'Tasks of your agents, with the evidence of every step.')}
${task === null ? NOTHING : taskCard(task, csrf)}
${card({
  title: 'All tasks',
  body: dataTable({
    caption: 'Tasks, newest first',
    hidesCaption: true,
    rows,
    empty: 'No tasks yet.',
    columns: ['Task', 'State', 'Agent', 'Request', 'Route', 'Created'],
  }),
})}`;
    const query = task === null ? '' : `?task_id=${task.task_id}`;
    return dashboardPage(output, { title: 'Tasks', path: '/dashboard/tasks', query, body }, site);
  },
};

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}

function taskCard(task: NonNullable<Of<typeof shapes.CabinetTasks>['task']>, csrf: string): Html {
  const { evidence } = task;
  const cancel = task.cancellable
    ? postForm(
        '/dashboard/tasks',
        csrf,
        html`${hidden('task_id', task.task_id)}${button('Cancel task', { kind: 'danger' })}`,
      )
    : NOTHING;
  return card({
    title: 'Task',
    aside: state(task.state),
    body: html`${keyValues([
      ['Id', hash(task.task_id)],
      ['Request', html`<bdi>${task.untrusted_need}</bdi>`],
      ['Route', task.route ?? 'Not decided yet'],
      ['Price', task.price_eur === null ? 'None' : `€${task.price_eur}`],
      ['Receipt', hash(task.receipt_id)],
      ['Seal', seal(task.attestation_id)],
      ...(task.error === null ? [] : [['Error', task.error] as const]),
      ...task.questions.map((question) => ['Question', question] as const),
    ])}<h3>Evidence</h3><p>${evidence.chain_ok ? badge('Chain intact', 'good') : badge('Chain broken', 'bad')} root ${hash(evidence.root)}</p>${timeline(
      evidence.steps.map(({ name, at, hash: digest }) => ({
        at,
        title: name,
        body: digest === null ? html`<p>In progress</p>` : html`<p>${hash(digest)}</p>`,
      })),
    )}${task.result === null ? NOTHING : html`<h3>Result</h3>${code(JSON.stringify(task.result, null, 2), 'Result')}`}${cancel}`,
  });
}

export const ordersDocument = {
  markdown: markdownOf('Orders'),
  html(output: Of<typeof shapes.CabinetOrders>, site: Site): string {
    const { agents, orders: list, order, csrf } = output;
    const rows = list.map((one) => [
      hash(one.order_id, `/dashboard/orders?order_id=${one.order_id}`),
      state(one.state),
      agentName(agents, one.agent_id),
      html`<bdi>${one.untrusted_supplier}</bdi>`,
      one.goods_total_eur,
      `${one.fee_eur} ${one.fee_state}`,
    ]);
    const body = html`${heading('Orders', 'Every state of an order, each sealed in the public log.')}
${order === null ? NOTHING : orderCard(order, csrf)}
${card({
  title: 'All orders',
  body: dataTable({
    caption: 'Orders, newest first',
    hidesCaption: true,
    rows,
    empty: 'No orders yet.',
    columns: ['Order', 'State', 'Agent', 'Supplier', { label: 'Goods, EUR', align: 'number' }, 'Fee, EUR'],
  }),
})}`;
    const query = order === null ? '' : `?order_id=${order.order_id}`;
    return dashboardPage(output, { title: 'Orders', path: '/dashboard/orders', query, body }, site);
  },
};

function orderCard(order: NonNullable<Of<typeof shapes.CabinetOrders>['order']>, csrf: string): Html {
  const cancel = order.cancellable
    ? postForm(
        '/dashboard/orders',
        csrf,
        html`${hidden('order_id', order.order_id)}${button('Cancel order', { kind: 'danger' })}`,
      )
    : NOTHING;
  return card({
    title: 'Order',
    aside: state(order.state),
    body: html`${keyValues([
      ['Id', hash(order.order_id)],
      ['Supplier', html`<bdi>${order.untrusted_supplier}</bdi> (${order.channel})`],
      ['Goods', `€${order.goods_total_eur}, paid to the supplier`],
      ['Fee', `€${order.fee_eur}, ${order.fee_state}`],
      ['Mandate', order.mandate_id ?? 'None'],
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
    const filter = html`<form method="get" action="/dashboard/calls" class="inline-form filter">${select(
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
      caption: 'Calls and ledger entries, newest first',
      rows,
      empty: 'No calls from this agent in the last 30 days.',
      columns: [
        ...['Time', 'Operation', 'Status', 'Code'],
        ...[{ label: 'ms', align: 'number' as const }, { label: 'EUR', align: 'number' as const }, 'Reference'],
      ],
    });
    const next = next_before === null ? undefined : `/dashboard/calls?agent_id=${agent_id ?? ''}&before=${next_before}`;
    const lead = 'Calls of the last 30 days, together with ledger entries. We do not store bodies, keys or tokens.';
    const body = html`${heading('Calls', lead)}${agents.length === 0 ? NOTHING : filter}${list}${next === undefined ? NOTHING : pager({ next })}`;
    const query = agent_id === null ? '' : `?agent_id=${agent_id}`;
    return dashboardPage(output, { title: 'Calls', path: '/dashboard/calls', query, body }, site);
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
      '/dashboard/mandates',
      csrf,
      html`${select('mandate_id', 'Mandate', choices)}${field({
        name: 'control_token',
        label: 'Control token',
        isRequired: true,
        schema: { type: 'string', format: 'password', description: 'amhm_…, used for this call and not stored.' },
      })}${select('action', 'Action', [
        { value: 'view', label: 'Show details' },
        { value: 'revoke', label: 'Revoke permanently' },
      ])}${button('Continue')}`,
      'stacked',
    );
    const body = html`${heading('Mandates', 'Mandates that name one of your agents. Anyone can create one. You see the public view.')}
${
  opened === null
    ? NOTHING
    : card({
        title: opened['status'] === 'revoked' ? 'Revoked' : 'Mandate details',
        body: valueHtml(opened as unknown as Json),
      })
}
${card({
  title: 'All mandates',
  body: dataTable({
    caption: 'Mandates',
    hidesCaption: true,
    rows,
    empty: 'No mandates name your agents.',
    columns: ['Mandate', 'Status', 'Agent', 'Assurance', 'Actions', 'Until', 'Seal'],
  }),
})}
${list.length === 0 ? NOTHING : card({ title: 'Use your control token', body: form })}
${list.length === 0 ? notice('info', html`<p>See ${linkTo('/docs/mandates', 'how mandates work')}.</p>`) : NOTHING}`;
    return dashboardPage(output, { title: 'Mandates', path: '/dashboard/mandates', body }, site);
  },
};
