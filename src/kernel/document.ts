import { Html, html } from './html.ts';

type Scalar = string | number | boolean | null;
type Json = Scalar | readonly Json[] | { readonly [name: string]: Json | undefined };
type Members = readonly (readonly [name: string, value: Json])[];

const URL_TEXT = /^https?:\/\/[^\s<>"'`|\\]+$/;
/** What Markdown or a reader of it would take for more than letters. */
const MARKED = /[\\`*_[\]<>#|~$&!{}]|^\s|\s$|^[-+=\d]|^$/;

/** The pages of a row whose answer is a document; both show every member of the JSON. */
export function documentPages<O extends object>(titleOf: (output: O) => string, pathOf: (output: O) => string) {
  return {
    html: (output: O) => documentHtml(output, { title: titleOf(output), path: pathOf(output) }),
    markdown: (output: O) => documentMarkdown(output, titleOf(output)),
  };
}

/** A document as a page for people: every member under its own name, nothing that runs. */
export function documentHtml(document: object, { title, path }: { title: string; path: string }): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="alternate" type="text/markdown" href="${path}.md"><link rel="alternate" type="application/json" href="${path}?format=json"></head>
<body><main><h1>${title}</h1>
${members(document as Json, htmlOf)}
</main></body>
</html>
`.text;
}

/** The same as Markdown. Texts that hold signs of Markdown stand as code, so that none becomes a heading or a link. */
export function documentMarkdown(document: object, title: string): string {
  const [plain, nested] = partition(entriesOf(document as Json));
  const parts = nested.map(([name, value]) => `## ${name}\n\n${block(value)}`);
  return [`# ${title}`, plain.map(([name, value]) => `- ${name}: ${scalar(value)}`).join('\n'), ...parts]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function htmlOf(value: Json): Html {
  if (isScalar(value)) return scalarHtml(value);
  if (!Array.isArray(value)) return members(value, htmlOf);
  const table = tableOf(value);
  if (table === undefined) return html`<ul>${value.map((item) => html`<li>${htmlOf(item)}</li>`)}</ul>`;
  const heads = table.names.map((name) => html`<th>${name}</th>`);
  const rows = table.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cellHtml(cell)}</td>`)}</tr>`);
  return html`<table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>`;
}

function members(value: Json, show: (value: Json) => Html): Html {
  return html`<dl>${entriesOf(value).map(([name, item]) => html`<dt>${name}</dt><dd>${show(item)}</dd>\n`)}</dl>`;
}

function cellHtml(cell: Scalar | undefined): Html {
  return cell === undefined ? new Html('') : scalarHtml(cell);
}

function scalarHtml(value: Scalar): Html {
  const text = String(value);
  if (URL_TEXT.test(text)) return html`<a href="${text}">${text}</a>`;
  return text.includes('\n') ? html`<pre>${text}</pre>` : html`${text}`;
}

function block(value: Json): string {
  const table = Array.isArray(value) ? tableOf(value) : undefined;
  if (table === undefined) return bullets(value, '');
  const rowOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    rowOf(table.names),
    rowOf(table.names.map(() => '---')),
    ...table.rows.map((row) => rowOf(row.map((cell) => (cell === undefined ? '' : inCell(scalar(cell)))))),
  ].join('\n');
}

function bullets(value: Json, indent: string): string {
  const named: Members | undefined = Array.isArray(value) ? undefined : entriesOf(value);
  const items = named ?? (value as readonly Json[]).map((item, index) => [String(index + 1), item] as const);
  return items
    .map(([name, item]) => {
      if (!isScalar(item)) {
        const inner = bullets(item, `${indent}  `);
        return `${indent}- ${name}:${inner === '' ? ' none' : `\n${inner}`}`;
      }
      return `${indent}- ${named === undefined ? '' : `${name}: `}${scalar(item)}`;
    })
    .join('\n');
}

function scalar(value: Scalar): string {
  const text = String(value);
  if (typeof value !== 'string' || URL_TEXT.test(text) || !(MARKED.test(text) || text.includes('\n'))) return text;
  const oneLine = text.replaceAll('\n', ' ');
  const longest = Math.max(0, ...(oneLine.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 || oneLine === '' ? `${fence} ${oneLine} ${fence}` : `${fence}${oneLine}${fence}`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function isScalar(value: Json): value is Scalar {
  return typeof value !== 'object' || value === null;
}

function entriesOf(value: Json): Members {
  return Object.entries(value as Record<string, Json | undefined>).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined,
  );
}

function partition(entries: Members): [plain: (readonly [string, Scalar])[], nested: Members] {
  const plain = entries.flatMap(([name, value]) => (isScalar(value) ? [[name, value] as const] : []));
  return [plain, entries.filter(([, value]) => !isScalar(value))];
}

/** Rows of which no member is more than a word or a number; undefined for anything else. */
function tableOf(items: readonly Json[]): { names: string[]; rows: (Scalar | undefined)[][] } | undefined {
  if (items.length === 0 || items.some((item) => isScalar(item) || Array.isArray(item))) return undefined;
  const rows = items as readonly Readonly<Record<string, Scalar>>[];
  if (rows.some((row) => Object.values(row).some((value) => !isScalar(value)))) return undefined;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { names, rows: rows.map((row) => names.map((name) => row[name])) };
}
