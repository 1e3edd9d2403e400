import { type Html, html } from '#kernel/html.ts';
import { code, linkTo, notice } from '#web/components.ts';
import { fullId } from '#web/short-id.ts';

export interface CheckPanel {
  readonly id: string;
  /** How to check it elsewhere. */
  readonly commands: string;
  /** As many rows as the check will have, so that nothing moves when it is done; 0 where a check starts later. */
  readonly rows: number;
  /** Whether a path will be shown below them. */
  readonly hasPath?: boolean;
}

/** Where the browser says what it found; without script it says how to check elsewhere. */
export function checkPanel({ id, commands, rows, hasPath = false }: CheckPanel): Html {
  const pending =
    rows === 0
      ? html``
      : html`<div class="verdict verdict-pending"><p class="verdict-title">Checking…</p><p>Your browser is checking every step.</p></div>`;
  const bars =
    rows === 0
      ? html``
      : html`<ol class="check-steps check-pending" aria-hidden="true">${bar(rows)}</ol>${hasPath ? html`<p class="check-path-pending" aria-hidden="true"></p>` : html``}`;
  return html`<noscript>${notice('info', 'Not checked: this page needs JavaScript to check anything. Run the command below on your machine instead.')}</noscript>
<div id="${id}" class="check-panel"><div class="check-headline" aria-live="polite">${pending}</div><div class="check-body">${bars}</div></div>
<p class="hint" data-scripted>Open a check to see what it compares. Terms: ${linkTo('/docs/glossary#proof', 'glossary')}.</p>
${commandDetails(commands)}`;
}

function bar(rows: number): Html[] {
  return Array.from({ length: rows }, () => html`<li><span></span></li>`);
}

function commandDetails(commands: string): Html {
  return html`<details class="check-command"><summary>Check it without this page</summary>${code(commands, 'Command line')}</details>`;
}

/** The keys that the page checks with, and a field to compare them with keys from elsewhere. */
export function keyPanel(vkeys: readonly string[]): Html {
  const keys = vkeys.map((vkey) => html`<li>${fullId(vkey)}</li>`);
  return html`<details class="check-keys"><summary>Compare the log key with one you have</summary><p>This page uses ${vkeys.length === 1 ? 'this log key' : 'these log keys'}. Do not trust this page for the key. Compare it with a copy from another source.</p>
<ul class="plain">${keys}</ul>
<div class="field"><label for="own-key">Trusted key <span class="optional">optional</span></label><input id="own-key" data-own-key autocomplete="off" spellcheck="false" maxlength="400" aria-describedby="own-key-says"><p class="hint" id="own-key-says" data-own-key-says aria-live="polite">Paste a vkey. The page compares it and then checks with this key only.</p></div></details>`;
}
