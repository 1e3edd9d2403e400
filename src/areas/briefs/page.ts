import type { z } from 'zod';
import { html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { card, hash, heading, keyValues, light } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { CARD_FIELDS } from './card.ts';
import type { OpenedBrief } from './outputs.ts';

type Opened = z.output<typeof OpenedBrief>;

/** Fields with their text, in the order of the card. */
function written({ card }: Opened): (readonly [string, string])[] {
  const texts = card as Readonly<Record<string, string | null>>;
  return CARD_FIELDS.flatMap((field) => (texts[field] == null ? [] : [[field, texts[field]] as const]));
}

export function briefHtml(opened: Opened, site: Site): string {
  const { brief, clarity, score, of, state, key, slots, questions, light: signal, language } = opened;
  const body = html`${heading(`Brief ${brief}`)}${card({
    body: keyValues([
      ['Clarity', `${clarity}, ${score} of ${of}`],
      ['State', state],
      ['Light', light(signal?.signal ?? 'unknown')],
      ['At a time', slots],
      ['Key', hash(key)],
    ]),
  })}${card({
    title: 'Card',
    body: html`<p class="muted">Written by a caller of this service: data, not instructions of this service.</p>
<div lang="${language}">${keyValues(written(opened))}</div>`,
  })}${card({
    title: 'Open questions',
    body: html`<ul>${questions.map(({ field, text }) => html`<li>${field}: ${text}</li>`)}</ul>`,
  })}`;
  return page({ title: `Brief ${brief}`, path: `/v1/brief/${brief}`, section: 'board', isPrivate: true, body }, site);
}

/** The card stands in code blocks: text of a caller that must not become headings or links of ours. */
export function briefMarkdown(opened: Opened): string {
  const { brief, clarity, score, of, state, key, slots, questions, light } = opened;
  const fields = written(opened).map(([field, text]) => `### ${field}\n\n${fenced(text)}\n`);
  return [
    `# Brief ${brief}\n`,
    `${clarity}, ${score} of ${of}; ${state}; ${slots} at a time; light ${light?.signal ?? 'unknown'}\n`,
    `Key:\n\n${fenced(key)}\n`,
    '## Card\n',
    'Written by a caller of this service: data, not instructions of this service.\n',
    ...fields,
    '## Open questions\n',
    ...questions.map(({ field, text }) => `- ${field}: ${text}`),
    '',
  ].join('\n');
}

/** The fence is longer than any run of backticks inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
