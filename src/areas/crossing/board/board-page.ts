import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import {
  badge,
  button,
  card,
  code,
  dataTable,
  emptyState,
  hash,
  heading,
  keyValues,
  light,
  linkTo,
  notice,
  timeElement,
} from '#web/components.ts';
import { page } from '#web/layout.ts';
import { live } from '#web/live.ts';
import { untrusted, UNTRUSTED_NOTE } from '#web/untrusted.ts';

import { Light, type LightAnswer } from '../look/look-operations.ts';

export const BOARD_PARTS = ['all', 'held', 'marks'] as const;

export const Board = z
  .strictObject({
    keys: z.array(Light.pick({ key: true, signal: true, reasons: true, holders: true, marks: true, brief: true })),
    complete: z.boolean().meta({ description: 'False if there are more work keys than are shown.' }),
    rev: Light.shape.rev,
    at: Light.shape.at,
    show: z.enum(BOARD_PARTS).optional().meta({ description: 'Only if a part of the board was requested.' }),
  })
  .meta({ id: 'Board' });

export type BoardAnswer = z.output<typeof Board>;

type Row = BoardAnswer['keys'][number];

const SECONDS_PER_HOUR = 3_600;

export function boardHtml(board: BoardAnswer, site: Site): string {
  const { keys, complete, at } = board;
  const list = html`${keys.length === 0 ? emptyState('No active work', 'Claims and marks appear here live.', button('Claim a work key', { href: '/playground?operation=claim' })) : NOTHING}${keys.map(keyCard)}
<p class="hint">${keys.length} work keys, as of ${timeElement(at)}${complete ? '.' : '. The list is not complete.'}</p>`;
  const body = html`${heading('Coordination board', 'Who is working on what, right now.', [
    button('Claim a work key', { href: '/playground?operation=claim' }),
    button('Check a work key', { href: '/playground?operation=look', kind: 'plain' }),
    button('Leave a mark', { href: '/playground?operation=mark', kind: 'plain' }),
  ])}
${notice('info', UNTRUSTED_NOTE)}
${live({ id: 'board', stream: '/board', events: ['change'], body: list })}`;
  return page({ title: 'Board', path: '/board', section: 'explore', scripts: ['live.js'], body }, site);
}

export function boardMarkdown(board: BoardAnswer): string {
  return documentMarkdown(board, 'Board');
}

export function boardKeyHtml(seen: LightAnswer, site: Site): string {
  const { key, signal, reasons, others, slots, holders, marks, brief, at, rev } = seen;
  const path = boardPath(key);
  const facts = html`<div class="grid">${card({
    title: 'Status',
    aside: light(signal.toLowerCase()),
    body: html`<ul>${reasons.map((reason) => html`<li>${light(reason.light.toLowerCase())} ${reason.text} <code>${reason.code}</code></li>`)}</ul>
${keyValues([
  ['Active leases', `${others.holding} of ${slots}`],
  ['Viewers in the last 15 minutes', others.looking],
  ['Revision', rev],
  ['As of', timeElement(at)],
])}`,
  })}${card({ title: 'Brief', body: briefBody(brief) })}</div>
${card({ title: 'Active leases', body: holderTable(holders, true) })}${card({ title: 'Recent marks', body: markTable(marks, true) })}`;
  const claimPath = `/playground?operation=claim&key=${encodeURIComponent(key)}`;
  const body = html`${heading('Work key', html`<span class="hash">${linkTo(key)}</span>`, [
    button('Claim', { href: claimPath }),
    button('Board', { href: '/board', kind: 'plain' }),
  ])}
${notice('info', UNTRUSTED_NOTE)}
${live({
  id: 'key',
  stream: `/v1/watch?key=${encodeURIComponent(key)}`,
  events: ['claim', 'refresh', 'release', 'expire', 'mark'],
  body: facts,
})}
${card({ title: 'Use the API', body: code(`curl '${site.baseUrl()}/v1/look?key=${encodeURIComponent(key)}'`, 'curl') })}`;
  // With a query the other forms are named by it: the path may end in anything.
  return page({ title: `Work key ${key}`, path: `${path}?`, section: 'explore', scripts: ['live.js'], body }, site);
}

export function boardKeyMarkdown(seen: LightAnswer): string {
  return documentMarkdown(seen, 'Key');
}

function boardPath(key: string): string {
  return `/board/${encodeURIComponent(key)}`;
}

function keyCard({ key, signal, reasons, holders, marks, brief }: Row): Html {
  return html`<section class="card board-key"><div class="card-head"><h2>${hash(key, boardPath(key))}</h2>${light(signal.toLowerCase())}</div><div class="card-body">
<p class="muted">${reasons.map(({ text }) => text).join(' ')}</p>
${holders.length === 0 ? NOTHING : holderTable(holders)}${marks.length === 0 ? NOTHING : markTable(marks.slice(0, 5))}
${brief === null ? NOTHING : briefBody(brief)}</div></section>`;
}

function holderTable(holders: LightAnswer['holders'], hidesCaption = false): Html {
  return dataTable({
    caption: 'Active leases',
    hidesCaption,
    columns: ['Agent', 'Mode', 'Intent', 'Since', { label: 'Expires in', align: 'number' }],
    rows: holders.map(({ agent, mode, intent, since, expires_in_s: left }) => [
      untrusted(agent),
      mode,
      untrusted(intent),
      timeElement(since),
      `${Math.ceil(left)} s`,
    ]),
    empty: 'No active leases.',
  });
}

function markTable(marks: LightAnswer['marks'], hidesCaption = false): Html {
  return dataTable({
    caption: 'Recent marks. Their weight fades with time.',
    hidesCaption,
    columns: ['Agent', 'Kind', 'Note', 'Evidence', 'Weight', 'Age', 'Log'],
    rows: marks.map(({ agent, kind, note, evidence, weight, age_s: age, log }) => [
      untrusted(agent),
      badge(kind, kind === 'done' || kind === 'paid' ? 'good' : kind === 'note' ? 'neutral' : 'warn'),
      untrusted(note),
      evidence === null ? '–' : html`<bdi class="untrusted hash">${linkTo(evidence)}</bdi>`,
      html`<meter min="0" max="1" value="${weight}" aria-label="weight ${weight}"></meter> ${weight}`,
      ageText(age),
      linkTo(`/log/${log}`, String(log)),
    ]),
    empty: 'No recent marks.',
  });
}

function ageText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < SECONDS_PER_HOUR ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / SECONDS_PER_HOUR)} h`;
}

function briefBody(brief: LightAnswer['brief']): Html {
  if (brief === null) return html`<p class="empty-line">No brief for this work key.</p>`;
  return html`<p>Brief ${linkTo(`/v1/brief/${brief.brief}`, brief.brief)}: ${badge(brief.clarity)} ${badge(brief.state)}, up to ${brief.slots} at a time</p>`;
}
