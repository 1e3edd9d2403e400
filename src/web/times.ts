import { type Html, html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
// @ts-expect-error -- a script of the pages has no types of its own
import * as untyped from './static/times.js';

interface Times {
  readonly relativeText: (atMs: number, nowMs: number) => string;
  readonly exactText: (atMs: number) => string;
  readonly lengthText: (ms: number) => string;
}

const { relativeText, exactText, lengthText } = untyped as Times;

export { exactText, lengthText, relativeText };

/** A time as people say it, such as `3 min ago`; site.js keeps it true and adds the local time. */
export function when(iso: string, { nowMs }: Pick<Site, 'nowMs'>): Html {
  const atMs = Date.parse(iso);
  if (Number.isNaN(atMs)) return html`${iso}`;
  return html`<time datetime="${iso}" title="${withoutFraction(iso)}" data-when>${relativeText(atMs, nowMs())}</time>`;
}

/** The date and time themselves, for documents whose bytes must not change by the minute. */
export function whenExact(iso: string): Html {
  const atMs = Date.parse(iso);
  if (Number.isNaN(atMs)) return html`${iso}`;
  const text = iso.includes('T') ? `${exactText(atMs)} UTC` : exactText(atMs).replace(/, .*/, '');
  return html`<time datetime="${iso}" title="${withoutFraction(iso)}">${text}</time>`;
}

/** How long until then, such as `2 min 36 s`; counts down where script runs. */
export function countdown(iso: string, { nowMs }: Pick<Site, 'nowMs'>): Html {
  const leftMs = Date.parse(iso) - nowMs();
  return html`<time datetime="${iso}" title="${withoutFraction(iso)}" data-countdown>${lengthText(leftMs)}</time>`;
}

function withoutFraction(iso: string): string {
  return iso.replace(/\.\d+(?=Z$)/, '');
}
