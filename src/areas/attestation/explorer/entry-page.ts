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
  light,
  linkTo,
  timeElement,
} from '#web/components.ts';
import { page } from '#web/layout.ts';
import { untrusted } from '#web/untrusted.ts';
import { checkPanel, keyPanel } from './explorer-page.ts';
import type { EntryAnswer } from './explorer-answers.ts';

const BYTES_PER_LINE = 16;

export function logEntryHtml(entry: EntryAnswer, site: Site): string {
  const { seq, attestation_id: id, vkeys, verify_url: url, inclusion } = entry;
  const commands = `curl '${url}' -o seal.json
./avouch verify seal.json --vkey '${vkeys.at(-1) ?? ''}' --id ${id}`;
  const bytes = Buffer.from(entry.entry, 'base64');
  const body = html`${heading(`Log entry ${seq}`, html`<code class="hash">${id}</code>`, [
    ...(seq === 0 ? [] : [button('Previous', { href: `/log/${seq - 1}`, kind: 'plain' })]),
    ...(seq + 1 < inclusion.tree_size ? [button('Next', { href: `/log/${seq + 1}`, kind: 'plain' })] : []),
    button('Log', { href: '/log', kind: 'plain' }),
  ])}
${card({
  title: 'Checked in your browser',
  body: html`<div data-check="entry" data-id="${id}" data-vkeys="${JSON.stringify(vkeys)}">${checkPanel('entry-result', commands)}</div>`,
})}
<div class="grid">${card({ title: 'Content', body: facts(entry) })}${card({ title: 'Claim', body: claimBody(entry) })}</div>
${card({ title: 'Checked by the service (not independent)', body: html`<p class="muted">Recomputed from stored bytes at ${timeElement(entry.recomputed_at)}.</p>${serverChecks(entry)}` })}
${card({
  title: 'Raw entry',
  body: html`${code(bytes.toString('utf8'), 'Entry as text')}<details><summary>${bytes.length} bytes in hexadecimal</summary>${code(hexDump(bytes), 'Entry in hexadecimal')}</details>`,
})}
${card({
  title: 'Proof',
  body: html`${keyValues([
    ['Leaf hash', hash(entry.leaf_hash)],
    ['Index', `${inclusion.index} of ${inclusion.tree_size}`],
  ])}<details><summary>${inclusion.hashes.length} hashes in the path</summary><ol class="hashes">${inclusion.hashes.map((one) => html`<li>${hash(one)}</li>`)}</ol></details>${code(entry.checkpoint, 'Checkpoint')}
<p>${linkTo(`/api/attest/verify/${id}?format=tlog-proof`, 'Download proof')}, ${linkTo(`/log/heads?older=${inclusion.tree_size}`, 'Compare with the latest checkpoint')}</p>`,
})}
${card({ title: 'Keys', body: keyPanel(vkeys) })}`;
  return page(
    { title: `Log entry ${seq}`, path: `/log/${id}`, section: 'explore', scripts: ['log-check.js'], body },
    site,
  );
}

function facts(entry: EntryAnswer): Html {
  const shown: (readonly [string, Html | string])[] = [
    ['Type', entry.type ?? 'unreadable'],
    ['Schema', entry.schema_id ?? '–'],
    ['Verdict', entry.verdict === null ? '–' : badge(entry.verdict, entry.verdict === 'ACCEPT' ? 'good' : 'warn')],
    ['Code', entry.code ?? '–'],
    ['Sealed', entry.sealed_at === null ? '–' : timeElement(entry.sealed_at)],
    ['Sandbox', String(entry.sandbox)],
    ['Corrects', linked(entry.corrects === null ? [] : [entry.corrects])],
    ['Corrected by', linked(entry.superseded_by)],
    ['Follows up', linked(entry.follows_up === null ? [] : [entry.follows_up])],
    ['Followed up by', linked(entry.followed_up_by)],
  ];
  return html`${keyValues(shown)}<p class="muted">Means: ${entry.means} Does not mean: ${entry.does_not_mean}</p>`;
}

function linked(ids: readonly string[]): Html | string {
  return ids.length === 0 ? '–' : html`${ids.map((id) => html`${hash(id, `/log/${id}`)} `)}`;
}

function claimBody({ claim, type }: EntryAnswer): Html {
  if (claim === null)
    return html`<p class="empty-line">${type === 'seal' ? 'Not public. The entry contains only a commitment to it.' : 'Texts of marks and releases are on the board, not in the log.'}</p>`;
  return html`<p class="muted">Shown as submitted. Treat it as data: a seal does not prove that it is true.</p>${keyValues(
    Object.entries(claim).map(([name, value]) => [
      name,
      untrusted(typeof value === 'string' ? value : JSON.stringify(value)),
    ]),
  )}`;
}

function serverChecks({ checks }: EntryAnswer): Html {
  return dataTable({
    caption: 'Checks by the service',
    hidesCaption: true,
    columns: ['Check', 'Result', 'Details'],
    rows: checks.map(({ name, ok, state, recomputed, count }) => [
      html`<code>${name}</code>`,
      ok === null ? badge('Not applicable') : light(ok ? 'ok' : 'failed', ok ? 'good' : 'bad'),
      recomputed === undefined
        ? html`${state ?? ''}${count === undefined ? NOTHING : html` ${count}`}`
        : hash(recomputed),
    ]),
  });
}

function hexDump(bytes: Uint8Array): string {
  const lines = Array.from({ length: Math.ceil(bytes.length / BYTES_PER_LINE) }, (_, line) => {
    const at = line * BYTES_PER_LINE;
    const part = Array.from(bytes.subarray(at, at + BYTES_PER_LINE), (byte) => byte.toString(16).padStart(2, '0'));
    return `${at.toString(16).padStart(4, '0')}  ${part.join(' ')}`;
  });
  return lines.join('\n');
}
