import { html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import type { ProblemType } from '#kernel/problem.ts';
import { badge, button, card, dataTable, heading } from './components.ts';
import { documentBody } from './document.ts';
import { page } from './layout.ts';

type ProblemDocument = Readonly<Record<string, unknown>> & { readonly title: string; readonly code: string };
type Fault = { readonly pointer: string; readonly code: string; readonly detail: string };

/** A refusal for a browser: the same code and members, and a way on. */
export function problemHtml(problem: ProblemDocument, site: Site, next?: ProblemType['next']): string {
  const { title, code, status, detail, errors, type: _type, instance: _instance, ...others } = problem;
  const faults = (errors as readonly Fault[] | undefined) ?? [];
  const body = html`${heading(title, html`${String(detail)}`)}
<p class="problem-code">${badge(String(status), Number(status) >= 500 ? 'bad' : 'warn')} <code>${code}</code></p>
${
  faults.length === 0
    ? NOTHING
    : card({
        title: 'Fix these fields',
        body: dataTable({
          caption: 'Fields to fix',
          hidesCaption: true,
          columns: ['Field', 'Code', 'Problem'],
          rows: faults.map((fault) => [
            html`<code>${fault.pointer}</code>`,
            html`<code>${fault.code}</code>`,
            fault.detail,
          ]),
        }),
      })
}
${Object.keys(others).length === 0 ? NOTHING : documentBody(others)}
<p class="actions">${next === undefined ? NOTHING : button(next.label, { href: next.href })} ${button('About this error', { href: `/problems/${code}` })} ${button('Home', { href: '/', kind: 'plain' })} ${button('Documentation', { href: '/docs', kind: 'plain' })}</p>`;
  return page({ title, path: `/problems/${code}`, body, isPrivate: true, hasForms: false }, site);
}
