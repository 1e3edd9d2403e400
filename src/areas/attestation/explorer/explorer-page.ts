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
  stats,
  timeElement,
} from '#web/components.ts';
import { page } from '#web/layout.ts';
import { live } from '#web/live.ts';
import { untrusted } from '#web/untrusted.ts';
import type { EntryRow, ExplorerAnswer, HeadsAnswer, VerifyAnswer } from './explorer-answers.ts';

export function logExplorerHtml(view: ExplorerAnswer, site: Site): string {
  const { origin, tree_size: size, root_hash: root, timestamp, entries, before, search } = view;
  const newest = html`${stats([
    { label: 'Entries', value: size, note: html`signed ${timeElement(timestamp)}` },
    {
      label: 'Root',
      value: html`<span class="hash" title="${root}">${root.slice(0, 12)}…</span>`,
      note: 'SHA-256, RFC 6962',
    },
  ])}
${card({ title: 'Newest entries', body: entryTable(entries, 'Log entries, newest first') })}`;
  const isFirst = (entries[0]?.seq ?? size - 1) === size - 1;
  const body = html`${heading(
    'Log',
    html`The public append-only log <code class="hash">${origin}</code>. Open any entry to verify it in your browser.`,
    [
      button('Compare checkpoints', { href: '/log/heads', kind: 'plain' }),
      button('Verify a file', { href: '/verify', kind: 'plain' }),
    ],
  )}
<form method="get" action="/log" role="search" class="inline-form"><div class="field"><label for="log-q">Search</label><input id="log-q" name="q" maxlength="200" value="${search?.q ?? ''}" aria-describedby="log-q-hint"></div><button class="button button-primary">Search</button></form><p class="muted" id="log-q-hint">Entry number, attestation id, digest, verify reference, lease, task, order, mandate, check or receipt</p>
${search === null ? NOTHING : card({ title: 'Results', body: searchBody(search) })}
${isFirst ? live({ id: 'log', stream: `/api/attest/stream?from_seq=${size}`, events: ['seal', 'mark', 'release'], body: newest }) : newest}
${pager({
  label: 'Log pages',
  previous: isFirst ? undefined : '/log',
  next: before === null ? undefined : `/log?before=${before}`,
  position: entries.length === 0 ? '' : `${entries.at(-1)?.seq} to ${entries[0]?.seq} of ${size}`,
})}`;
  const path = search === null ? '/log' : `/log?q=${encodeURIComponent(search.q)}`;
  return page({ title: 'Log', path, section: 'explore', scripts: isFirst ? ['live.js'] : [], body }, site);
}

function searchBody({ q, kind, found, entries, url }: NonNullable<ExplorerAnswer['search']>): Html {
  if (!found) return html`<p>No results for “${untrusted(q)}”.</p>`;
  if (entries.length > 0) return entryTable(entries, 'Search results');
  return html`<p>Found (${kind}), but it has no log entry.${url === null ? NOTHING : html` ${linkTo(url, 'Details')}`}</p>`;
}

function entryTable(entries: readonly EntryRow[], caption: string): Html {
  return dataTable({
    caption,
    hidesCaption: true,
    columns: ['Entry', 'Kind', 'Verdict', 'Sealed', 'Id'],
    rows: entries.map((row) => [
      linkTo(`/log/${row.seq}`, String(row.seq)),
      row.schema_id ?? row.type,
      row.verdict === null ? '–' : badge(row.verdict, row.verdict === 'ACCEPT' ? 'good' : 'warn'),
      timeElement(row.sealed_at),
      hash(row.attestation_id, `/log/${row.attestation_id}`),
    ]),
  });
}

/** Where the browser says what it found; without script it says how to check elsewhere. */
export function checkPanel(id: string, commands: string): Html {
  return html`<div id="${id}" class="check-panel" aria-live="polite"><noscript>${notice('info', 'This page needs JavaScript to check anything. Or run the command below on your machine.')}</noscript></div>
<details class="check-command"><summary>Check it without this page</summary>${code(commands, 'Command line')}</details>`;
}

/** The keys that the page checks with, and a field to compare them with keys from elsewhere. */
export function keyPanel(vkeys: readonly string[]): Html {
  return html`<p>This page uses ${vkeys.length === 1 ? 'this log key' : 'these log keys'}. Do not trust this page for the key. Compare it with a copy from another source.</p>
<ul class="plain">${vkeys.map((vkey) => html`<li>${hash(vkey)}</li>`)}</ul>
<div class="field"><label for="own-key">Trusted key <span class="optional">optional</span></label><input id="own-key" data-own-key autocomplete="off" spellcheck="false" maxlength="400" aria-describedby="own-key-says"><p class="hint" id="own-key-says" data-own-key-says aria-live="polite">Paste a vkey. The page compares it and then checks with this key only.</p></div>`;
}

export function logHeadsHtml(view: HeadsAnswer, site: Site): string {
  const { origin, vkeys, older, newer, hashes, sizes } = view;
  const headCard = (title: string, head: HeadsAnswer['older']) =>
    card({
      title,
      body: html`${keyValues([
        ['Entries', head.tree_size],
        ['Signed', timeElement(head.timestamp)],
        ['Root', hash(head.root_hash)],
      ])}${code(head.checkpoint, `Checkpoint at size ${head.tree_size}`)}`,
    });
  const sizeField = (name: 'older' | 'newer', label: string, value: number) =>
    html`<div class="field"><label for="head-${name}">${label}</label><input type="number" min="1" id="head-${name}" name="${name}" value="${value}" list="head-sizes"></div>`;
  const body = html`${heading(
    'Compare checkpoints',
    html`Has the log <code class="hash">${origin}</code> only grown?`,
    [button('Log', { href: '/log', kind: 'plain' })],
  )}
<form method="get" action="/log/heads" class="inline-form">${sizeField('older', 'Older size', older.tree_size)}${sizeField('newer', 'Newer size', newer.tree_size)}<datalist id="head-sizes">${sizes.map((size) => html`<option value="${size}"></option>`)}</datalist><button class="button button-primary">Compare</button></form>
${card({
  title: 'Checked in your browser',
  body: html`<div data-check="heads" data-vkeys="${JSON.stringify(vkeys)}" data-older="${older.tree_size}" data-newer="${newer.tree_size}">${checkPanel('heads-result', `./avouch fsck ${site.baseUrl()} --vkey '${vkeys.at(-1) ?? ''}'`)}</div>`,
})}
<div class="grid">${headCard('Older checkpoint', older)}${headCard('Newer checkpoint', newer)}</div>
${card({ title: 'Consistency proof', body: hashes.length === 0 ? html`<p class="empty-line">These two sizes need no hashes.</p>` : html`<ol class="hashes">${hashes.map((one) => html`<li>${hash(one)}</li>`)}</ol>` })}
${card({
  title: 'Your saved checkpoint',
  body: html`<div class="field"><label for="kept">Checkpoint text</label><textarea id="kept" rows="5" data-kept spellcheck="false"></textarea><p class="hint">It stays in your browser. Only its size is sent. It is compared with the latest checkpoint.</p></div><button type="button" class="button button-plain" data-check-kept hidden>Compare with the latest checkpoint</button><div id="kept-result" aria-live="polite"></div>`,
})}
${card({ title: 'Keys', body: keyPanel(vkeys) })}`;
  const path = `/log/heads?older=${older.tree_size}&newer=${newer.tree_size}`;
  return page({ title: 'Compare checkpoints', path, section: 'explore', scripts: ['log-check.js'], body }, site);
}

export function verifyPageHtml(view: VerifyAnswer, site: Site): string {
  const { vkeys, receipt_keys: keys, verifier } = view;
  const commands = `curl -O ${verifier}
./avouch verify seal.json --vkey '${vkeys.at(-1) ?? ''}'
./avouch verify-receipt answer.json --key '${keys.at(-1)?.public_key ?? ''}'`;
  const trust = JSON.stringify({ vkeys, receiptKeys: keys, sandbox: site.sandbox });
  const body = html`${heading('Verify a file', 'Checked in your browser. Nothing is uploaded.', [button('Log', { href: '/log', kind: 'plain' })])}
${card({
  title: 'Your file',
  body: html`<div data-check="file" data-trust="${trust}"><div class="drop" data-drop><div class="field"><label for="proof-file">Seal or verify response, .tlog-proof file, ledger page or receipt</label><input type="file" id="proof-file" data-file><p class="hint">Choose a file or drop it here.</p></div></div>
<div class="field"><label for="proof-text">Or paste the text</label><textarea id="proof-text" rows="5" data-text spellcheck="false"></textarea></div>
<button type="button" class="button button-primary" data-check-text hidden>Verify</button>
${checkPanel('file-result', commands)}</div>`,
})}
${card({
  title: 'Keys',
  body: html`${keyPanel(vkeys)}${dataTable({
    caption: 'Receipt keys',
    columns: ['Public key (Ed25519, base64)', 'Key id', 'State'],
    rows: keys.map((key) => [hash(key.public_key), hash(key.key_id), key.role === 'root' ? 'Current' : 'Retired']),
  })}<p class="hint">All keys and their declarations: ${linkTo('/.well-known/avouch-keys.json')}</p>`,
})}
${notice('info', 'A check shows that a sealed or signed record is unchanged. It does not show that it is true.')}`;
  return page({ title: 'Verify a file', path: '/verify', section: 'explore', scripts: ['verify-file.js'], body }, site);
}
