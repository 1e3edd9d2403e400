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
${card({ title: 'Newest entries', body: entryTable(entries, 'Entries of the log, newest first') })}`;
  const isFirst = (entries[0]?.seq ?? size - 1) === size - 1;
  const body = html`${heading(
    'Log',
    html`The public append-only log <code class="hash">${origin}</code>. Every entry has a page on which your browser checks it.`,
    [
      button('Compare two heads', { href: '/log/heads', kind: 'plain' }),
      button('Verify a file', { href: '/verify', kind: 'plain' }),
    ],
  )}
<form method="get" action="/log" role="search" class="inline-form"><div class="field"><label for="log-q">Search</label><input id="log-q" name="q" maxlength="200" value="${search?.q ?? ''}" aria-describedby="log-q-hint"></div><button class="button button-primary">Search</button></form><p class="muted" id="log-q-hint">Entry number, attestation id, digest, verify reference, lease, task, order, mandate, check or receipt</p>
${search === null ? NOTHING : card({ title: 'Found', body: searchBody(search) })}
${isFirst ? live({ id: 'log', stream: `/api/attest/stream?from_seq=${size}`, events: ['seal', 'mark', 'release'], body: newest }) : newest}
${pager({
  label: 'Pages of the log',
  previous: isFirst ? undefined : '/log',
  next: before === null ? undefined : `/log?before=${before}`,
  position: entries.length === 0 ? '' : `${entries.at(-1)?.seq} to ${entries[0]?.seq} of ${size}`,
})}`;
  const path = search === null ? '/log' : `/log?q=${encodeURIComponent(search.q)}`;
  return page({ title: 'Log', path, section: 'log', scripts: isFirst ? ['live.js'] : [], body }, site);
}

function searchBody({ q, kind, found, entries, url }: NonNullable<ExplorerAnswer['search']>): Html {
  if (!found) return html`<p>Nothing here is known as ${untrusted(q)} (${kind}).</p>`;
  if (entries.length > 0) return entryTable(entries, 'What the search found');
  return html`<p>Known here (${kind}); no entry of the log stands behind it.${url === null ? NOTHING : html` ${linkTo(url, 'More about it')}`}</p>`;
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
  return html`<div id="${id}" class="check-panel" aria-live="polite"><noscript>${notice('info', 'Without script nothing is checked here. The command below checks the same on your machine.')}</noscript></div>
<details class="check-command"><summary>Check it without this page</summary>${code(commands, 'Command line')}</details>`;
}

/** The keys that the page checks with, and a field to compare them with keys from elsewhere. */
export function keyPanel(vkeys: readonly string[]): Html {
  return html`<p>The page checks with ${vkeys.length === 1 ? 'this key' : 'these keys'} of the log. A page that lies can show a key that lies: compare it with one from elsewhere.</p>
<ul class="plain">${vkeys.map((vkey) => html`<li>${hash(vkey)}</li>`)}</ul>
<div class="field"><label for="own-key">A key that you know <span class="optional">optional</span></label><input id="own-key" data-own-key autocomplete="off" spellcheck="false" maxlength="400" aria-describedby="own-key-says"><p class="hint" id="own-key-says" data-own-key-says aria-live="polite">Paste a vkey: the page says whether it is the same, and checks with it alone.</p></div>`;
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
      ])}${code(head.checkpoint, `Checkpoint of size ${head.tree_size}`)}`,
    });
  const sizeField = (name: 'older' | 'newer', label: string, value: number) =>
    html`<div class="field"><label for="head-${name}">${label}</label><input type="number" min="1" id="head-${name}" name="${name}" value="${value}" list="head-sizes"></div>`;
  const body = html`${heading(
    'Two heads of the log',
    html`Is the log <code class="hash">${origin}</code> still the one that it was?`,
    [button('Log', { href: '/log', kind: 'plain' })],
  )}
<form method="get" action="/log/heads" class="inline-form">${sizeField('older', 'Older size', older.tree_size)}${sizeField('newer', 'Newer size', newer.tree_size)}<datalist id="head-sizes">${sizes.map((size) => html`<option value="${size}"></option>`)}</datalist><button class="button button-primary">Compare</button></form>
${card({
  title: 'Checked in your browser',
  body: html`<div data-check="heads" data-vkeys="${JSON.stringify(vkeys)}" data-older="${older.tree_size}" data-newer="${newer.tree_size}">${checkPanel('heads-result', `./avouch fsck ${site.baseUrl()} --vkey '${vkeys.at(-1) ?? ''}'`)}</div>`,
})}
<div class="grid">${headCard('Older head', older)}${headCard('Newer head', newer)}</div>
${card({ title: 'Proof between them', body: hashes.length === 0 ? html`<p class="empty-line">No hashes are needed between these two sizes.</p>` : html`<ol class="hashes">${hashes.map((one) => html`<li>${hash(one)}</li>`)}</ol>` })}
${card({
  title: 'A checkpoint that you kept',
  body: html`<div class="field"><label for="kept">Checkpoint, as it was served</label><textarea id="kept" rows="5" data-kept spellcheck="false"></textarea><p class="hint">It stays in your browser: only its size is asked for. It is compared with the newest head.</p></div><button type="button" class="button button-plain" data-check-kept hidden>Check it against the newest head</button><div id="kept-result" aria-live="polite"></div>`,
})}
${card({ title: 'Keys', body: keyPanel(vkeys) })}`;
  const path = `/log/heads?older=${older.tree_size}&newer=${newer.tree_size}`;
  return page({ title: 'Heads of the log', path, section: 'log', scripts: ['log-check.js'], body }, site);
}

export function verifyPageHtml(view: VerifyAnswer, site: Site): string {
  const { vkeys, receipt_keys: keys, verifier } = view;
  const commands = `curl -O ${verifier}
./avouch verify seal.json --vkey '${vkeys.at(-1) ?? ''}'
./avouch verify-receipt answer.json --key '${keys.at(-1)?.public_key ?? ''}'`;
  const trust = JSON.stringify({ vkeys, receiptKeys: keys, sandbox: site.sandbox });
  const body = html`${heading('Verify a file', 'Checked in your browser. Nothing is uploaded.', [button('Log', { href: '/log', kind: 'plain' })])}
${card({
  title: 'The file',
  body: html`<div data-check="file" data-trust="${trust}"><div class="drop" data-drop><div class="field"><label for="proof-file">A proof file (.tlog-proof), the answer of a seal or of verify, a bundle, a page of the ledger, a receipt or an answer with one</label><input type="file" id="proof-file" data-file><p class="hint">Choose it or drop it here.</p></div></div>
<div class="field"><label for="proof-text">Or paste its text</label><textarea id="proof-text" rows="5" data-text spellcheck="false"></textarea></div>
<button type="button" class="button button-primary" data-check-text hidden>Check the text</button>
${checkPanel('file-result', commands)}</div>`,
})}
${card({
  title: 'Keys',
  body: html`${keyPanel(vkeys)}${dataTable({
    caption: 'Keys of receipts',
    columns: ['Public key (Ed25519, base64)', 'Key id', 'State'],
    rows: keys.map((key) => [hash(key.public_key), hash(key.key_id), key.role === 'root' ? 'in force' : 'retired']),
  })}<p class="hint">All keys with their declarations: ${linkTo('/.well-known/avouch-keys.json')}</p>`,
})}
${notice('info', 'A check says that what was sealed or signed is unchanged. It does not say that it is true.')}`;
  return page({ title: 'Verify a file', path: '/verify', section: 'verify', scripts: ['verify-file.js'], body }, site);
}
