import { html } from '#kernel/html.ts';

interface ProblemPageData {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly help: string;
  readonly operations: readonly string[];
}

export function problemHtml(page: ProblemPageData): string {
  const { code, status, title, help, operations } = page;
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title} (${code})</title><link rel="alternate" type="application/json" href="/problems/${code}"></head>
<body><main><h1>${title}</h1><p>Code <code>${code}</code>, status ${status}</p><p>${help}</p>
<p>Answered by:</p><ul>${operations.map((id) => html`<li><code>${id}</code></li>`)}</ul></main></body>
</html>
`.text;
}

export function problemMarkdown(page: ProblemPageData): string {
  const { code, status, title, help, operations } = page;
  const list = operations.map((id) => `- \`${id}\``).join('\n');
  return `# ${title}\n\nCode \`${code}\`, status ${status}\n\n${help}\n\nAnswered by:\n\n${list}\n`;
}
