import { type Html, html, NOTHING } from '#kernel/html.ts';

export interface Live {
  readonly id: string;
  /** Address of a stream of events of our own. */
  readonly stream: string;
  /** Names of its events. */
  readonly events: readonly string[];
  /** What its rows are called: new ones then wait for a click while the reader has scrolled. */
  readonly held?: 'entry';
  readonly body: Html;
}

/** Whether the part is live. Inside it, or anywhere else on the page. */
export function liveState(): Html {
  return html`<span class="badge" data-live-state title="Reload the page to update it.">Not live</span>`;
}

/** A part of a page that live.js loads again when its stream says that something changed. Without script it stands still. */
export function live({ id, stream, events, held, body }: Live): Html {
  const waiting =
    held === undefined
      ? NOTHING
      : html`<p class="live-waiting" aria-live="polite"><button type="button" class="button button-primary" data-live-show hidden></button></p>`;
  return html`${waiting}<div id="${id}" data-live="${stream}" data-live-events="${events.join(' ')}"${held === undefined ? NOTHING : html` data-live-held`}>${body}</div>`;
}
