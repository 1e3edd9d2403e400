import { html } from '#kernel/html.ts';
import type { Manifest } from './manifest-shape.ts';

const priceOf = ({ price }: Manifest['capabilities'][number]) =>
  [
    price.embedded_eur === null ? [] : [`embedded ${price.embedded_eur} EUR`],
    price.provider === null ? [] : [`provider ${price.provider}`],
  ]
    .flat()
    .join('; ');

export function manifestHtml(manifest: Manifest): string {
  const rows = manifest.capabilities.map(
    (one) =>
      html`<tr><td><code>${one.id}</code></td><td>${one.what}</td><td>${one.modes.join(', ') || 'none'}</td><td>${one.unit}</td><td>${priceOf(one)}</td></tr>`,
  );
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Capabilities of ${manifest.service}</title><link rel="alternate" type="application/json" href="/capabilities/manifest"></head>
<body><main><h1>Capabilities of ${manifest.service}</h1>
<p>${manifest.count} capabilities. Price: <code>${manifest.price_formula}</code>, in EUR. Execute by <code>${manifest.execute.method} ${manifest.execute.path}</code>.</p>
<table><thead><tr><th>Id</th><th>What</th><th>Modes</th><th>Unit</th><th>Price</th></tr></thead><tbody>${rows}</tbody></table>
</main></body>
</html>
`.text;
}

export function manifestMarkdown(manifest: Manifest): string {
  const rows = manifest.capabilities.map(
    (one) => `| ${one.id} | ${one.what} | ${one.modes.join(', ') || 'none'} | ${one.unit} | ${priceOf(one)} |`,
  );
  return [
    `# Capabilities of ${manifest.service}\n`,
    `${manifest.count} capabilities. Price: \`${manifest.price_formula}\`, in EUR. Execute by \`${manifest.execute.method} ${manifest.execute.path}\`.\n`,
    '| Id | What | Modes | Unit | Price |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
