import type { HeavyTasks } from '../heavy/heavy-tasks.ts';

const MAX_TEXT = 200_000;
const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|[\w.+-]*\+(?:json|xml)))/i;

/** Without the elements of a name; what is not closed is dropped to the end. */
function without(text: string, name: string): string {
  const opening = new RegExp(`<${name}\\b`, 'gi');
  const closing = new RegExp(`</${name}\\s*>`, 'gi');
  let [kept, from] = ['', 0];
  for (let open = opening.exec(text); open !== null; open = opening.exec(text)) {
    kept += `${text.slice(from, open.index)} `;
    closing.lastIndex = open.index;
    if (closing.exec(text) === null) return kept;
    from = closing.lastIndex;
    opening.lastIndex = from;
  }
  return kept + text.slice(from);
}

/** Readable text of a page: of HTML without markup, scripts and styles; null for what is no text. */
export function pageText({ contentType, body }: HeavyTasks['page_text']): string | null {
  if (contentType !== null && !TEXT_TYPE.test(contentType)) return null;
  const text = Buffer.from(body).toString('utf8');
  if (!/html/i.test(contentType ?? '')) return text.slice(0, MAX_TEXT).toWellFormed();
  const bare = without(without(text, 'script'), 'style').replace(/<[^<>]{0,4000}>/g, ' ');
  return bare.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT).toWellFormed();
}
