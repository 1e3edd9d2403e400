import { isTemplateLine } from './signals/templates.ts';
import { isMaterial } from './lint-material.ts';

/** A line as far as it says something in words, in lower case and in its own place. */
export interface ReadLine {
  readonly from: number;
  readonly words: string;
  /** Where the heading or label at its beginning ends; 0 without one. */
  readonly labelEnd: number;
  /** True when the sentence of the line before may go on here. */
  readonly continues: boolean;
  /** True for a heading that is not the title of the text. */
  readonly isHeading: boolean;
  readonly isItem: boolean;
}

/** What stands in a text beside words. */
type Thing = 'link' | 'code_block' | 'check_box';

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
const LOG_LINE =
  /^ {0,8}(?:>|at [\w$.<>/]{1,200} ?\(|file "|traceback \(|caused by: |exception in thread |\[?\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}|\w{1,60}(?:error|exception): )/;
const MARKDOWN_COMMENT = /^ ?\[[^[\]]{1,30}\]: ?#? ?[("'<#]/;
const PLACEHOLDER_PART = /\[e\.g\.|'\.{3,4}'|\[\.{3}\]/;
const MAX_PLACEHOLDER_LENGTH = 80;
const HEADING = /^ ?(#{1,6})[ \p{L}*]/u;
const BOLD_LINE = /^ ?(?:\d{1,2}[.)] )?(?:\*\*[^*]{1,100}\*\*|__[^_]{1,100}__):? ?$/;
const LABEL_LINE = /^ ?[*_]{0,2}\p{L}[^.,;!?:]{1,60}:[*_]{0,2} ?$/u;
/** A short line right above a list. */
const BARE_LABEL = /^ ?\p{L}[\p{L}\p{N} '’/&-]{1,50}\??$/u;
const LABEL =
  /^ ?(?:[-*+] |\d{1,2}[.)] )?(?:[*_]{0,2}[\p{L}\p{N}][\p{L}\p{N} /()'’&_-]{0,50}(?:[*_]{1,2} ?:|:[*_]{0,2}(?= |$)|\?[*_]{0,2} ?:)|\*\*[\p{L}\p{N}][^*\n]{0,50}\*\*(?=[ (])|[\p{L}]{3,20}(?: [\p{L}]{2,20})? → )/u;
const MAY_LABEL = /[:→]|\*\*/;
const MAY_LINK = /[<(]|:\/\//;
const LIST_ITEM = /^ ?(?:[-*+•|☐☑] |\d{1,2}[.)] |\[)/;
/** A text of 8,000 characters with more lines than this is not written to be read. */
const MAX_LINES = 1_200;
const DEEPEST_TITLE = 1;
const MAX_BARE_LABEL_LENGTH = 55;
const MAX_LABEL_WORDS = 9;
const BELOW_HASHES = 7;
const BELOW_BOLD = 8;

const LINK = /!?\[([^[\]]{0,200})\]\([^()]{1,500}\)|https?:\/\/[^\s<>()[\]"'`]{1,500}|<img [^<>]{0,300}>/g;
const TAG = /<\/?[a-z][^<>]{0,200}>/g;
const CHECK_BOX = /^ {0,8}(?:(?:[-*+] )?\[[ x]\] |☐ ?|☑ ?)/;
const MIN_BOX_WORDS = 3;
/** A box about the writer of the text and not about the work. */
const OWN_BOX =
  /^ {0,8}(?:[-*+] )?\[[ x]\] (?:i |i['’]|ik |we |my |yes|no\b|this is|bug|feature|enhancement|windows|macos|linux|ios|android|.{0,80}(?:search|code of conduct|contributing|duplicate|already |latest version))/;

/** Headings above boxes that are options to choose from. */
const OPTIONS =
  /\b(?:components?|type|checks?|checklist|preflight|areas?|platforms?|operating system|os|browsers?|affected|willing|severity|priority|environment|version|categor(?:y|ies)|labels?|onderdeel|prioriteit)\b/;

/** Takes comments, templates, code and logs away from what a cleaned text says. */
export function readBriefText(text: string): ReadText {
  // İ alone becomes longer in lower case, and positions must stay.
  const lower = withoutComments(text.replaceAll('İ', 'I').toLowerCase());
  const all = linesOf(lower);
  const title = all.findIndex(({ kind }) => kind !== 'blank');
  const things = new Map<Thing, readonly [number, number]>();
  const note = (thing: Thing, from: number, length: number) => {
    if (!things.has(thing)) things.set(thing, [from, from + length]);
  };
  const lines: ReadLine[] = [];
  let isOpen = false;
  let offersOptions = false;
  all.forEach((line, at) => {
    if (line.kind === 'code' && /[\p{L}\p{N}]/u.test(line.text) && !FENCE.test(line.text)) {
      note('code_block', line.from, line.text.length);
    }
    const isEmpty = line.depth > 0 && isEmptySection(all, at);
    // A title may stand alone; it then labels nothing.
    const says = line.kind === 'words' && (!isEmpty || (at === title && line.depth <= DEEPEST_TITLE));
    if (says) {
      const isPlain = !MAY_LINK.test(line.text);
      for (const link of isPlain ? [] : line.text.matchAll(LINK)) {
        if (isMaterial(link[0], line.text.slice(0, link.index))) note('link', line.from + link.index, link[0].length);
      }
      if (line.depth > 0) offersOptions = OPTIONS.test(line.text);
      if (!offersOptions && isFilledBox(line.text)) note('check_box', line.from, line.text.length);
      const isHeading = line.depth > 0 && at !== title;
      const plain = isPlain
        ? line.text
        : line.text.replace(LINK, wordsOfLink).replace(TAG, (tag) => ' '.repeat(tag.length));
      const labelEnd = isEmpty ? 0 : line.depth > 0 ? headingEnd(plain) : labelLength(plain);
      const words = labelEnd === 0 ? plain : plain.slice(0, labelEnd).replaceAll('_', ' ') + plain.slice(labelEnd);
      const isItem = LIST_ITEM.test(words);
      const continues = isOpen && line.depth === 0 && !isItem;
      lines.push({ from: line.from, words, labelEnd, continues, isHeading, isItem });
    }
    isOpen = says && line.depth === 0 && !/[.!?:;] {0,3}$/.test(line.text);
  });
  return { lines, things };
}

function isFilledBox(line: string): boolean {
  const box = /[\]☐☑]/.test(line) ? CHECK_BOX.exec(line)?.[0] : undefined;
  if (box === undefined || OWN_BOX.test(line)) return false;
  return line.slice(box.length).trim().split(' ', MIN_BOX_WORDS).length >= MIN_BOX_WORDS;
}

/** The length of a label at the beginning of a line with a value behind it; 0 without one. */
function labelLength(line: string): number {
  return MAY_LABEL.test(line) ? (LABEL.exec(line)?.[0].length ?? 0) : 0;
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
  const contents = text.split('\n', MAX_LINES);
  return contents.map((content, at) => {
    const isFence = FENCE.test(content);
    const isCode = isFenced || isFence || LOG_LINE.test(content);
    if (isFence) isFenced = !isFenced;
    const isBlank = content.trim() === '' || isPlaceholder(content);
    const kind = isCode ? 'code' : isBlank ? 'blank' : 'words';
    const depth = kind === 'words' ? depthOf(content, contents[at + 1] ?? '') : 0;
    const line: Line = { from, text: content, kind, depth };
    from += content.length + 1;
    return line;
  });
}

function isPlaceholder(line: string): boolean {
  if (MARKDOWN_COMMENT.test(line) || (line.length <= MAX_PLACEHOLDER_LENGTH && PLACEHOLDER_PART.test(line)))
    return true;
  if (HEADING.test(line) || BOLD_LINE.test(line)) return false;
  if (isTemplateLine(line)) return true;
  const label = labelLength(line);
  return label > 0 && label < line.trimEnd().length && isTemplateLine(line.slice(label));
}

function depthOf(line: string, next: string): number {
  const hashes = HEADING.exec(line)?.[1];
  if (hashes !== undefined) return hashes.length;
  if (BOLD_LINE.test(line)) return BELOW_HASHES;
  if (MAY_LABEL.test(line) && LABEL_LINE.test(line)) return BELOW_BOLD;
  return line.length <= MAX_BARE_LABEL_LENGTH && LIST_ITEM.test(next) && BARE_LABEL.test(line) ? BELOW_BOLD : 0;
}

/** True when nothing but deeper headings follows a heading. */
function isEmptySection(lines: readonly Line[], at: number): boolean {
  const depth = lines[at]?.depth ?? 0;
  // A label above another label with its value was left empty.
  const after = lines[at + 1];
  if (
    depth >= BELOW_HASHES &&
    /:[*_ ]{0,3}$/.test(lines[at]?.text ?? '') &&
    after?.kind === 'words' &&
    after.depth === 0 &&
    isField(after.text)
  )
    return true;
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] as Line;
    if (line.kind !== 'blank' && (line.depth === 0 || line.depth <= depth)) return line.depth > 0;
  }
  return true;
}

function isField(line: string): boolean {
  return !LIST_ITEM.test(line) && LABEL.test(line);
}

/** The label of a link is words; its address is none. */
function wordsOfLink(link: string, label: string | undefined): string {
  if (label === undefined || link.startsWith('!')) return ' '.repeat(link.length);
  return ` ${label}`.padEnd(link.length);
}
