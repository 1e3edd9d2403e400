import { type Html, html } from '#kernel/html.ts';

export interface Live {
  readonly id: string;
  /** Address of a stream of events of our own. */
  readonly stream: string;
  /** Names of its events. */
  readonly events: readonly string[];
  readonly body: Html;
}

/** A part of a page that live.js loads again when its stream says that something changed. Without script it stands still. */
export function live({ id, stream, events, body }: Live): Html {
  return html`<p class="live-line"><span class="badge" data-live-state>Not live. Reload to update.</span></p>
<div id="${id}" data-live="${stream}" data-live-events="${events.join(' ')}">${body}</div>`;
}
