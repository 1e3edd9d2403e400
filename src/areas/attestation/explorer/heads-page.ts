import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import type { Refusal } from '#kernel/problem.ts';
import { card, code, crumbs, hash, heading, keyValues, linkTo, notice } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { shortId } from '#web/short-id.ts';
import { when } from '#web/times.ts';
import { noCheckpoint } from '../problems.ts';
import { checkPanel, keyPanel } from './check-panel.ts';
import type { HeadsAnswer } from './explorer-answers.ts';

/** Two signatures and the proof between them. */
const HEAD_CHECKS = 3;

const HEADING = html`${crumbs([{ href: '/log', label: 'Log' }], 'Compare checkpoints')}
${heading(
  'Compare checkpoints',
  html`Has the log only grown between two signed sizes? A ${linkTo('/docs/glossary#proof', 'checkpoint')} is the log’s signature over its size and root hash.`,
)}`;
const SWAPPED = 'The older size was larger than the newer one. The two were swapped.';

export function logHeadsHtml(view: HeadsAnswer, site: Site, { isSwapped = false } = {}): string {
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
  const commands = `./avouch fsck ${site.baseUrl()} --vkey '${vkeys.at(-1) ?? ''}'`;
  const body = html`${HEADING}${isSwapped ? notice('info', SWAPPED) : NOTHING}
${sizeForm(older.tree_size, newer.tree_size, sizes)}
<section class="card check-card" aria-label="Checked in your browser"><div class="card-body" data-check="heads" data-vkeys="${JSON.stringify(vkeys)}" data-older="${older.tree_size}" data-newer="${newer.tree_size}">${checkPanel({ id: 'heads-result', commands, rows: HEAD_CHECKS })}${keyPanel(vkeys)}<details><summary>Consistency proof, ${hashes.length} hashes</summary>${hashes.length === 0 ? html`<p>These two sizes need no hashes.</p>` : html`<ol class="hashes">${hashes.map((one) => html`<li>${hash(one)}</li>`)}</ol>`}</details></div></section>
<div class="grid">${headCard('Older checkpoint', older)}${headCard('Newer checkpoint', newer)}</div>
${card({
  title: 'Your saved checkpoint',
  body: html`<p>A checkpoint that you saved earlier shows whether the log was rewritten since.</p><div class="field"><label for="kept">Checkpoint text</label><textarea id="kept" rows="5" data-kept spellcheck="false"></textarea><p class="hint">It stays in your browser. Only its size is sent.</p></div><button type="button" class="button button-plain" data-check-kept data-scripted>Compare with the latest checkpoint</button><div id="kept-result" class="check-panel"><div class="check-headline" aria-live="polite"></div><div class="check-body"></div></div>`,
})}`;
  const path = `/log/heads?older=${older.tree_size}&newer=${newer.tree_size}`;
  return page({ title: 'Compare checkpoints', path, section: 'explore', scripts: ['log-check.js'], body }, site);
}

function sizeForm(older: number, newer: number, sizes: readonly number[]): Html {
  const sizeField = (name: 'older' | 'newer', label: string, value: number) =>
    html`<div class="field"><label for="head-${name}">${label}</label><input type="number" min="1" id="head-${name}" name="${name}" value="${value}" list="head-sizes"></div>`;
  return html`<form method="get" action="/log/heads" class="inline-form head-sizes">${sizeField('older', 'Older size', older)}${sizeField('newer', 'Newer size', newer)}<datalist id="head-sizes">${sizes.map((size) => html`<option value="${size}"></option>`)}</datalist><button class="button button-primary">Compare</button></form>`;
}

/** The sizes that were asked for, and the nearest that can be compared. */
export function noCheckpointHtml({ type, details }: Refusal, site: Site): string | undefined {
  if (type !== noCheckpoint) return undefined;
  const { older, newer, tree_size: size, missing } = details.members as unknown as MissingHeads;
  const link = (name: string, nearest: number) =>
    linkTo(
      `/log/heads?${new URLSearchParams({ older: `${older}`, newer: `${newer}`, [name]: `${nearest}` })}`,
      `${nearest}`,
    );
  const lines = missing.map(
    (one) =>
      html`<p>The log was not signed at size ${one.size}. Nearest: ${one.nearest.map((nearest, index) => html`${index === 0 ? NOTHING : ' and '}${link(one.name, nearest)}`)}.</p>`,
  );
  const { status, code: problemCode } = type;
  const said = html`<p class="problem-code">${status} · ${linkTo(`/problems/${problemCode}`, problemCode)}</p>`;
  const why = html`<p class="muted">The log has ${size} entries. Entries that arrive together are signed together, so not every size has a checkpoint.</p>`;
  const body = html`${HEADING}${notice('warn', html`${lines}`)}${sizeForm(
    older,
    newer,
    missing.flatMap(({ nearest }) => nearest),
  )}${why}${said}`;
  const path = '/log/heads';
  return page({ title: 'No checkpoint at this size', path, section: 'explore', body, hasForms: false }, site);
}

/** Members of the refusal. */
interface MissingHeads {
  readonly older: number;
  readonly newer: number;
  readonly tree_size: number;
  readonly missing: readonly { readonly name: string; readonly size: number; readonly nearest: readonly number[] }[];
}
