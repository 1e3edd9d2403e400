import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import { hasPage, type Site } from '#kernel/operation.ts';
import { badge, button, card, code, codeTabs, heading, linkTo } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { lifecycleSvg } from './lifecycle.ts';
import type { ProductAnswer } from './product.ts';
import { PRODUCTS } from './product-texts.ts';

export const productPages = {
  html: (product: ProductAnswer, site: Site) =>
    page({ title: product.title, path: `/product/${product.id}`, section: 'product', body: body(product, site) }, site),
  markdown: (product: ProductAnswer) => documentMarkdown(product, product.title),
};

function body(product: ProductAnswer, site: Site): Html {
  const { id, title, tagline, problem, steps, gives, limits, price, links } = product;
  const { lifecycle, tryAt, docs } = PRODUCTS[id];
  const actions = [button('Try it', { href: tryAt }), button('Docs', { href: docs, kind: 'plain' })];
  return html`${heading(title, tagline, actions)}
<div class="product">
<section class="product-problem"><h2>The problem</h2><p>${problem}</p></section>
<section class="product-how"><h2>How it works</h2><div><ol>${steps.map(({ name, what }) => html`<li><strong>${name}.</strong> ${what}</li>`)}</ol>${lifecycleSvg(lifecycle, `How ${title.toLowerCase()} works`)}</div></section>
${example(product)}
<div class="product-columns">
${card({ title: 'What you get', body: list(gives) })}
${card({ title: 'Limits', id: 'limits', body: list(limits) })}
${card({ title: 'Price', body: html`<p>${price}</p>${hasPage(site, '/pricing') ? html`<p>${linkTo('/pricing', 'All prices')}</p>` : NOTHING}` })}
${card({ title: 'See also', body: html`<ul>${links.filter(({ path }) => hasPage(site, path)).map(({ path, label }) => html`<li>${linkTo(path, label)}</li>`)}</ul>` })}
</div></div>`;
}

function list(texts: readonly string[]): Html {
  return html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
}

function example({ id, example: { status, curl, typescript, mcp, cli, response, note } }: ProductAnswer): Html {
  const tabs = codeTabs(`code-${id}`, {
    curl,
    ...(typescript !== null && { ts: typescript }),
    ...(mcp !== null && { mcp }),
    ...(cli !== null && { cli }),
  });
  const tone = status < 300 ? 'good' : 'info';
  return html`<section class="product-example" id="example"><h2>Call it</h2><p class="muted">Runs as printed, against this installation.</p>
<div class="product-call">${tabs}<div class="product-response"><p>Response to curl ${badge(String(status), tone)} <span class="muted">shortened</span></p>${code(JSON.stringify(response, null, 2), 'Response')}</div></div>
${note === null ? NOTHING : html`<p class="muted">${note}</p>`}</section>`;
}
