import { documentMarkdown } from '#kernel/document.ts';
import { html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { badge, card, heading, keyValues, linkTo } from '#web/components.ts';
import { page } from '#web/layout.ts';

interface ProblemTypeAnswer {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly help: string;
  readonly operations: readonly string[];
}

export const problemTypePages = {
  html: ({ code, status, title, help, operations }: ProblemTypeAnswer, site: Site) => {
    const body = html`<p class="crumbs">${linkTo('/docs/errors', 'Problems')} / ${code}</p>${heading(title, help)}${card(
      {
        body: keyValues([
          ['code', html`<code>${code}</code>`],
          ['status', badge(String(status), status >= 500 ? 'bad' : 'warn')],
          ['operations', html`${operations.map((id) => html`<code class="tag">${id}</code> `)}`],
        ]),
      },
    )}`;
    return page({ title, path: `/problems/${code}`, section: 'docs', body }, site);
  },
  markdown: (problem: ProblemTypeAnswer) => documentMarkdown(problem, problem.title),
};
