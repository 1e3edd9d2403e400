import { html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { card, code, crumbs, hash, heading, keyValues } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { shortId } from '#web/short-id.ts';
import { when } from '#web/times.ts';
import { checkPanel, keyPanel } from './check-panel.ts';
import type { HeadsAnswer } from './explorer-answers.ts';

/** Two signatures and the proof between them. */
const HEAD_CHECKS = 3;

export function logHeadsHtml(view: HeadsAnswer, site: Site): string {
  const { vkeys, older, newer, hashes, sizes } = view;
  const headCard = (title: string, head: HeadsAnswer['older']) =>
    card({
      title,
      body: html`${keyValues([
        ['Entries', head.tree_size],
        ['Signed', when(head.timestamp, site)],
        ['Root', shortId(head.root_hash)],
      ])}<details><summary>Signed text</summary>${code(head.checkpoint, `Checkpoint at size ${head.tree_size}`)}</details>`,
    });
  const sizeField = (name: 'older' | 'newer', label: string, value: number) =>
    html`<div class="field"><label for="head-${name}">${label}</label><input type="number" min="1" id="head-${name}" name="${name}" value="${value}" list="head-sizes"></div>`;
  const commands = `./avouch fsck ${site.baseUrl()} --vkey '${vkeys.at(-1) ?? ''}'`;
  const body = html`${crumbs([{ href: '/log', label: 'Log' }], 'Compare checkpoints')}
${heading('Compare checkpoints', 'Has the log only grown between two signed sizes?')}
<form method="get" action="/log/heads" class="inline-form head-sizes">${sizeField('older', 'Older size', older.tree_size)}${sizeField('newer', 'Newer size', newer.tree_size)}<datalist id="head-sizes">${sizes.map((size) => html`<option value="${size}"></option>`)}</datalist><button class="button button-primary">Compare</button></form>
<section class="card check-card" aria-label="Checked in your browser"><div class="card-body" data-check="heads" data-vkeys="${JSON.stringify(vkeys)}" data-older="${older.tree_size}" data-newer="${newer.tree_size}">${checkPanel({ id: 'heads-result', commands, rows: HEAD_CHECKS })}${keyPanel(vkeys)}<details><summary>Consistency proof, ${hashes.length} hashes</summary>${hashes.length === 0 ? html`<p>These two sizes need no hashes.</p>` : html`<ol class="hashes">${hashes.map((one) => html`<li>${hash(one)}</li>`)}</ol>`}</details></div></section>
<div class="grid">${headCard('Older checkpoint', older)}${headCard('Newer checkpoint', newer)}</div>
${card({
  title: 'Your saved checkpoint',
  body: html`<p>A checkpoint that you saved earlier shows whether the log was rewritten since.</p><div class="field"><label for="kept">Checkpoint text</label><textarea id="kept" rows="5" data-kept spellcheck="false"></textarea><p class="hint">It stays in your browser. Only its size is sent.</p></div><button type="button" class="button button-plain" data-check-kept data-scripted>Compare with the latest checkpoint</button><div id="kept-result" class="check-panel"><div class="check-headline" aria-live="polite"></div><div class="check-body"></div></div>`,
})}`;
  const path = `/log/heads?older=${older.tree_size}&newer=${newer.tree_size}`;
  return page({ title: 'Compare checkpoints', path, section: 'explore', scripts: ['log-check.js'], body }, site);
}
