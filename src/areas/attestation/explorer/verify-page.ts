import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { card, dataTable, heading, linkTo } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { shortId } from '#web/short-id.ts';
import { checkPanel, keyPanel } from './check-panel.ts';
import type { VerifyAnswer } from './explorer-answers.ts';

/** Checks of an example, whose room is kept while the browser makes them. */
const EXAMPLE_ROWS = 8;

export function verifyPageHtml(view: VerifyAnswer, site: Site): string {
  const { vkeys, receipt_keys: keys, verifier, example } = view;
  const commands = `# Save the file as seal.json, or a response with a receipt as answer.json.
./avouch verify seal.json --vkey '${vkeys.at(-1) ?? ''}'
./avouch verify-receipt answer.json --key '${keys.at(-1)?.public_key ?? ''}'
# The verifier alone, one file without dependencies, with Node 20 or later:
curl -O ${verifier}
node avouch-verify.mjs seal.json --vkey '${vkeys.at(-1) ?? ''}'`;
  const trust = JSON.stringify({ vkeys, receiptKeys: keys, sandbox: site.sandbox });
  const body = html`${heading('Verify a proof', 'Runs in your browser. Nothing is uploaded.')}
<section class="card check-card" aria-label="Your file"><div class="card-body" data-check="file" data-trust="${trust}">
<div class="drop" data-drop><p class="drop-title">Drop a file anywhere on this page, choose one, or paste its text.</p><div class="field"><label class="visually-hidden" for="proof-file">Proof file</label><input type="file" id="proof-file" data-file></div><p class="hint">We read: seal and verify responses, .tlog-proof files, ledger pages, receipts.</p></div>
<div class="field wide-field"><label for="proof-text">Text of the file</label><textarea id="proof-text" rows="5" data-text spellcheck="false"${example === undefined ? NOTHING : html` data-example`}>${example?.text ?? ''}</textarea></div>
<div class="verify-actions"><button type="button" class="button button-primary" data-check-text data-scripted>Verify</button><p>${exampleLinks(example)}</p></div>
${checkPanel({ id: 'file-result', commands, rows: example === undefined ? 0 : EXAMPLE_ROWS })}${keyPanel(vkeys)}</div></section>
<div class="grid">${card({
    title: 'What it proves',
    body: html`<p>The record is the one that was sealed or signed, byte for byte, and the log has it at that place.</p>`,
  })}${card({ title: 'What it does not prove', body: html`<p>That the record is true. A sealed lie stays a lie.</p>` })}</div>
${card({
  title: 'Receipt keys',
  body: html`${dataTable({
    caption: 'Keys that sign receipts',
    hidesCaption: true,
    columns: ['Public key (Ed25519)', 'Key id', 'State'],
    rows: keys.map((key) => [
      shortId(key.public_key),
      shortId(key.key_id),
      key.role === 'root' ? 'Current' : 'Retired',
    ]),
  })}<p class="hint">All keys and their declarations: ${linkTo('/.well-known/avouch-keys.json')}</p>`,
})}`;
  return page(
    { title: 'Verify a proof', path: '/verify', section: 'explore', scripts: ['verify-file.js'], body },
    site,
  );
}

function exampleLinks(example: VerifyAnswer['example']): Html {
  const link = (name: string, label: string) =>
    html`<a href="/verify?example=${name}"${example?.name === name ? html` aria-current="true"` : NOTHING}>${label}</a>`;
  return html`Try an example: ${link('valid', 'valid')} · ${link('tampered', 'tampered')}`;
}
