import type { ReadLine } from './lint-text.ts';

const EXTENSIONS = new Set(
  'ts tsx js jsx mjs cjs py rs go java kt kts rb php c h cc cpp hpp cs swift scala clj ex exs erl hs lua dart vue svelte html htm css scss sass less md mdx rst json jsonc json5 yml yaml toml ini cfg conf env xml xsd svg sql sh bash ps1 bat tf hcl proto graphql gql ipynb r jl tex lock gradle properties sol zig nix dockerfile make cmake mjml hbs ejs twig blade pug jinja j2 styl plist lua pl pm vim el asm cu tfvars rake gemspec podspec service timer nvmrc'.split(
    ' ',
  ),
);
const ROOTS = new Set(
  'src lib app apps packages pkg cmd internal crates .github test tests docs tools scripts infra config deploy frontend backend services modules components public assets locales charts terraform ansible examples fixtures migrations notebooks'.split(
    ' ',
  ),
);
/** A machine by its name: `db-replica-2`, `mail.example.org`; what counts or names a standard is none. */
const HOST =
  /^(?!(?:utf|iso|sha|covid|gpt|claude|rfc|issue|step|phase|part|version|top|level|type|figure)-)[a-z]{2,20}(?:-[a-z]{1,20}){0,3}-\d{1,3}$|^(?:[a-z0-9-]{1,60}\.){2,4}(?:com|org|net|nl|io|dev|eu|be|local|internal|lan)$/;
const BEFORE_HOST = /\b(?:on|of|from|to|at|for|host|server|op|van|naar) [`"']?$/;
/** A way through menus: `Settings > Notifications`. */
const MENU_PATH = /(?<=\p{L}{3}) [>›»] \p{L}{3,30}/u;
const CHUNK = /[^\s,;()<>[\]{}"'`“”‘’|*?=]{1,300}/g;
const SEGMENT = /^[\p{L}\p{N}_.@~:#$-]{1,200}$/u;
const HAS_MARK = /[./\\]|-\d|^(?:readme|changelog|dockerfile|makefile|jenkinsfile)$/;
/** Files that hold what the work starts from, unless they lie in a folder of the program. */
const DATA = new Set('csv tsv txt pdf docx xlsx pptx odt zip png jpg jpeg jsonl parquet log'.split(' '));
const NAMES = new Set('readme changelog dockerfile makefile jenkinsfile'.split(' '));
const MAY_HOLD = /[./\\>›»]|-\d|readme|changelog|dockerfile|makefile|jenkinsfile/;
const MAX_LENGTH = 200;
/** A text that names so many places means one of them. */
const MAX_SEEN = 50;
/** Commands of bots and other words with a slash. */
const COMMANDS =
  /^\/(?:attempt|claim|try|lgtm|approve|assign|unassign|retest|bounty|tip|cc|hold|close|reopen|label|ok-to-test|kind|area|priority)$/;

const NO_ENDPOINTS = new Set('month year day week hour seat user month. mo min sec s h'.split(' '));

/** The first path, file name or endpoint. */
export function placeIn(lines: readonly ReadLine[]): readonly [number, number] | undefined {
  let seen = 0;
  for (const { from, words } of lines) {
    if (!MAY_HOLD.test(words)) continue;
    const menu = MENU_PATH.exec(words);
    if (menu !== null) {
      return [from + words.lastIndexOf(' ', menu.index - 1) + 1, from + menu.index + menu[0].length];
    }
    for (const match of words.matchAll(CHUNK)) {
      if (!HAS_MARK.test(match[0])) continue;
      const name = match[0].replace(/[.:!?…]{1,10}$/, '');
      if (name.length > MAX_LENGTH || !(isPlace(name) || isHost(words, match.index, name))) continue;
      seen += 1;
      if (seen < MAX_SEEN && isOnlyNamed(words, match.index, name)) continue;
      return [from + match.index, from + match.index + name.length];
    }
  }
  return undefined;
}

const GIVEN = /(?:\b(?:from|uit|attached|attach|bijgevoegd|robots) \(?[`"']?)$/;
const QUESTION =
  /^\s{0,9}(?:is|are|does|do|did|why|what|how|which|where|who|can i|may i|is er|wat|waarom|hoe|mag ik|kan ik)\b[^.!?]{0,200}$/;

/** True for a file that is handed to the worker, and for a place that a question only asks about. */
function isOnlyNamed(words: string, at: number, name: string): boolean {
  const before = words.slice(Math.max(0, at - 200), at);
  const after = words.slice(at + name.length, at + name.length + 30);
  const isBare = !name.includes('/');
  if (isBare && (GIVEN.test(before) || /^[`"']? ?\(?(?:attached|bijgevoegd|is attached)/.test(after))) return true;
  const sentence = before.slice(1 + Math.max(...['.', '!', '?'].map((mark) => before.lastIndexOf(mark))));
  return /^[^.!]{0,30}\?/.test(after) && QUESTION.test(sentence);
}

function isHost(words: string, at: number, name: string): boolean {
  return HOST.test(name) && BEFORE_HOST.test(words.slice(Math.max(0, at - 10), at));
}

function isPlace(name: string): boolean {
  const segments = name.split(/[/\\]/);
  const last = segments.at(-1) ?? '';
  const dot = last.lastIndexOf('.');
  if (
    NAMES.has(name) ||
    (/^\.[a-z][a-z-]{3,30}$/.test(name) && !EXTENSIONS.has(name.slice(1)) && !DATA.has(name.slice(1)))
  )
    return true;
  const extension = last.slice(dot + 1).replace(/[:#].{0,100}$/s, '');
  const isFile =
    dot > 0 && SEGMENT.test(last) && (EXTENSIONS.has(extension) || (segments.length > 1 && DATA.has(extension)));
  if (isFile)
    return !/^(?:node|next|vue|express|three|chart|d3|discord|asp|backbone|ember|react|nuxt|moment|socket)\.js$/.test(
      last,
    );
  if (segments.length === 1) return false;
  const [first = '', second = ''] = segments;
  if (!segments.every((segment) => segment === '' || SEGMENT.test(segment))) return false;
  if (first === '' && segments.length === 2 && NO_ENDPOINTS.has(second)) return false;
  if (first === '') return /^[a-z][\p{L}\p{N}_.-]{1,200}/u.test(second) && !COMMANDS.test(name);
  if (second === '' && segments.length === 2) return first.length > 1;
  if (first.startsWith('.') || first === '~') return second !== '';
  return (
    (ROOTS.has(first) && !ROOTS.has(second)) || (segments.length > 3 && segments.every((segment) => segment.length > 1))
  );
}
