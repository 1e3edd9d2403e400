import type { z } from 'zod';
import { html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { badge, button, dataTable, heading, pager, timeElement } from '#web/components.ts';
import { agentChoices, dashboardPage, markdownOf, select } from '../frame.ts';
import type * as shapes from '../shapes.ts';

type Of<S extends z.ZodType> = z.output<S>;

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
