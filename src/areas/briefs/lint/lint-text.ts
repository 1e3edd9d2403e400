/** A line as far as it says something in words, in lower case and in its own place. */
export interface ReadLine {
  readonly from: number;
  readonly words: string;
  /** Where the heading or label at its beginning ends; 0 without one. */
  readonly labelEnd: number;
  /** True when the sentence of the line before may go on here. */
  readonly continues: boolean;
}

/** What stands in a text beside words. */
type Thing = 'link' | 'reference' | 'code_block' | 'check_box';

export interface ReadText {
  readonly lines: readonly ReadLine[];
  /** Where the first of each thing stands. */
  readonly things: ReadonlyMap<Thing, readonly [from: number, to: number]>;
}

interface Line {
  readonly from: number;
  readonly text: string;
  readonly kind: 'blank' | 'code' | 'words';
  /** How deep a heading lies; 0 when it is none. */
  readonly depth: number;
}

const FENCE = /^ ?(?:```|~~~)/;
const LOG_LINE = /^ ?(?:>|at [\w$.<>/]{1,200} ?\(|file "|traceback \(|caused by: |exception in thread )/;
/** What templates say where their user should have written. */
const PLACEHOLDER =
  /^ ?(?:[-*+] )?(?:\d{1,2}[.)] )?[_*[(]{0,3}(?:(?:no response|n\/a|n\.v\.t|none|tbd|todo|geen|nvt|-{1,3}|\.{2,6}|first step|second step|and so on)[\])_*.]{0,6} ?$|a clear and concise description|add any other (?:context|information)|if applicable, add|steps to reproduce the behaviou?r:? ?$|describe (?:what|the|any|how) |ex\. i'm always|e\.g\. )/;
const MARKDOWN_COMMENT = /^ ?\[[^[\]]{1,30}\]: ?#? ?[("'<#]/;
const PLACEHOLDER_PART = /\[e\.g\.|'\.{3,4}'|\[\.{3}\]/;
const MAX_PLACEHOLDER_LENGTH = 80;
const HEADING = /^ ?(#{1,6})[ \p{L}*]/u;
const BOLD_LINE = /^ ?(?:\d{1,2}[.)] )?(?:\*\*[^*]{1,100}\*\*|__[^_]{1,100}__):? ?$/;
const LABEL_LINE = /^ ?[*_]{0,2}\p{L}[^.,;!?:]{1,60}:[*_]{0,2} ?$/u;
const LABEL =
  /^ ?(?:[-*+] |\d{1,2}[.)] )?[*_]{0,2}[\p{L}\p{N}][\p{L}\p{N} /()'’&-]{0,50}(?:[*_]{1,2} ?:|:[*_]{0,2}(?= |$))/u;
const LIST_ITEM = /^ ?(?:[-*+•|] |\d{1,2}[.)] |\[)/;
const DEEPEST_TITLE = 1;
const MAX_LABEL_WORDS = 7;
const BELOW_HASHES = 7;
const BELOW_BOLD = 8;

const LINK = /!?\[([^[\]]{0,200})\]\([^()]{1,500}\)|https?:\/\/[^\s<>()[\]"'`]{1,500}|<img [^<>]{0,300}>/g;
const REFERENCE = /(?<![\p{L}\p{N}&/])#\d{1,7}(?![\p{L}\p{N}])/u;
const TAG = /<\/?[a-z][^<>]{0,200}>/g;
const CHECK_BOX = /^ ?(?:[-*+] )?\[[ x]\] /;
/** A box about the writer of the text and not about the work. */
const OWN_BOX =
  /^ ?(?:[-*+] )?\[[ x]\] (?:i |i['’]|ik |we |my |yes|no\b|this is|bug|feature|enhancement|windows|macos|linux|ios|android|.{0,80}(?:search|code of conduct|contributing|duplicate|already |latest version))/;

/** Takes comments, templates, code and logs away from what a cleaned text says. */
export function readBriefText(text: string): ReadText {
  // İ alone becomes longer in lower case, and positions must stay.
  const lower = withoutComments(text.replaceAll('İ', 'I').toLowerCase());
  const all = linesOf(lower);
  const things = new Map<Thing, readonly [number, number]>();
  const note = (thing: Thing, from: number, length: number) => {
    if (!things.has(thing)) things.set(thing, [from, from + length]);
  };
  const lines: ReadLine[] = [];
  let isOpen = false;
  all.forEach((line, at) => {
    if (line.kind === 'code' && /[\p{L}\p{N}]/u.test(line.text) && !FENCE.test(line.text)) {
      note('code_block', line.from, line.text.length);
    }
    const says = line.kind === 'words' && !(line.depth > 0 && isEmptySection(all, at));
    if (says) {
      for (const link of line.text.matchAll(LINK)) note('link', line.from + link.index, link[0].length);
      const reference = REFERENCE.exec(line.text);
      if (reference !== null) note('reference', line.from + reference.index, reference[0].length);
      if (CHECK_BOX.test(line.text) && !OWN_BOX.test(line.text)) note('check_box', line.from, line.text.length);
      const words = line.text.replace(LINK, wordsOfLink).replace(TAG, (tag) => ' '.repeat(tag.length));
      const labelEnd = line.depth > 0 ? headingEnd(words) : (LABEL.exec(words)?.[0].length ?? 0);
      const continues = isOpen && line.depth === 0 && !LIST_ITEM.test(words);
      lines.push({ from: line.from, words, labelEnd, continues });
    }
    isOpen = says && line.depth === 0;
  });
  return { lines, things };
}

/** A long heading is a sentence and labels nothing. */
function headingEnd(words: string): number {
  return words.split(' ', MAX_LABEL_WORDS + 1).length > MAX_LABEL_WORDS ? 0 : words.length;
}

function withoutComments(text: string): string {
  let kept = '';
  for (let from = 0; from < text.length; ) {
    const open = text.indexOf('<!--', from);
    if (open === -1) return kept + text.slice(from);
    const close = text.indexOf('-->', open);
    const to = close === -1 ? text.length : close + 3;
    kept += text.slice(from, open) + text.slice(open, to).replaceAll(/[^\n]/g, ' ');
    from = to;
  }
  return kept;
}

function linesOf(text: string): Line[] {
  let from = 0;
  let isFenced = false;
  return text.split('\n').map((content) => {
    const isFence = FENCE.test(content);
    const isCode = isFenced || isFence || LOG_LINE.test(content);
    if (isFence) isFenced = !isFenced;
    const isBlank = content.trim() === '' || isPlaceholder(content);
    const kind = isCode ? 'code' : isBlank ? 'blank' : 'words';
    const line: Line = { from, text: content, kind, depth: kind === 'words' ? depthOf(content) : 0 };
    from += content.length + 1;
    return line;
  });
}

function isPlaceholder(line: string): boolean {
  return (
    PLACEHOLDER.test(line) ||
    MARKDOWN_COMMENT.test(line) ||
    (line.length <= MAX_PLACEHOLDER_LENGTH && PLACEHOLDER_PART.test(line))
  );
}

function depthOf(line: string): number {
  const hashes = HEADING.exec(line)?.[1];
  if (hashes !== undefined) return hashes.length;
  return BOLD_LINE.test(line) ? BELOW_HASHES : LABEL_LINE.test(line) ? BELOW_BOLD : 0;
}

/** True when nothing but deeper headings follows a heading; a title may stand alone. */
function isEmptySection(lines: readonly Line[], at: number): boolean {
  const depth = lines[at]?.depth ?? 0;
  if (depth <= DEEPEST_TITLE && lines.findIndex(({ kind }) => kind !== 'blank') === at) return false;
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] as Line;
    if (line.kind !== 'blank' && (line.depth === 0 || line.depth <= depth)) return line.depth > 0;
  }
  return true;
}

/** The label of a link is words; its address is none. */
function wordsOfLink(link: string, label: string | undefined): string {
  if (label === undefined || link.startsWith('!')) return ' '.repeat(link.length);
  return ` ${label}`.padEnd(link.length);
}
