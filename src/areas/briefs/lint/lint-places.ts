import type { ReadLine } from './lint-text.ts';

const EXTENSIONS = new Set(
  'ts tsx js jsx mjs cjs py rs go java kt kts rb php c h cc cpp hpp cs swift m scala clj ex exs erl hs lua dart vue svelte html htm css scss sass less md mdx rst txt json jsonc json5 yml yaml toml ini cfg conf env xml xsd svg csv tsv sql sh bash ps1 bat tf hcl proto graphql gql ipynb r jl tex lock gradle properties sol zig nix dockerfile make cmake pdf docx xlsx pptx odt'.split(
    ' ',
  ),
);
const ROOTS = new Set('src lib app apps packages pkg cmd internal crates .github'.split(' '));
const CHUNK = /[^\s,;()<>[\]{}"'`“”‘’|*]+/g;
const SEGMENT = /^[\p{L}\p{N}_.@~:#$-]+$/u;
const HAS_MARK = /[./\\]/;
const MAX_LENGTH = 200;
/** Commands of bots and other words with a slash. */
const COMMANDS =
  /^\/(?:attempt|claim|try|lgtm|approve|assign|unassign|retest|bounty|tip|cc|hold|close|reopen|label|ok-to-test|kind|area|priority)$/;

/** The first path, file name or endpoint. */
export function placeIn(lines: readonly ReadLine[]): readonly [number, number] | undefined {
  for (const { from, words } of lines) {
    for (const match of words.matchAll(CHUNK)) {
      if (!HAS_MARK.test(match[0])) continue;
      const name = match[0].replace(/[.:!?…]{1,10}$/, '');
      if (name.length <= MAX_LENGTH && isPlace(name)) return [from + match.index, from + match.index + name.length];
    }
  }
  return undefined;
}

function isPlace(name: string): boolean {
  const segments = name.split(/[/\\]/);
  const last = segments.at(-1) ?? '';
  const dot = last.lastIndexOf('.');
  const isFile = dot > 0 && EXTENSIONS.has(last.slice(dot + 1).replace(/[:#].*$/s, '')) && SEGMENT.test(last);
  if (isFile)
    return !/^(?:node|next|vue|express|three|chart|d3|discord|asp|backbone|ember|react|nuxt|moment|socket)\.js$/.test(
      last,
    );
  if (segments.length === 1) return false;
  const [first = '', second = ''] = segments;
  if (!segments.every((segment) => segment === '' || SEGMENT.test(segment))) return false;
  if (first === '') return /^[a-z][\p{L}\p{N}_.-]+/u.test(second) && !COMMANDS.test(name);
  if (second === '' && segments.length === 2) return first.length > 1;
  if (first.startsWith('.') || first === '~') return second !== '';
  return ROOTS.has(first) || (segments.length > 3 && segments.every((segment) => segment.length > 1));
}
