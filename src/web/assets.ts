import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { sha256Hex } from '#kernel/ids.ts';
import { PACKAGES_FOLDER } from '#kernel/packages-folder.ts';

/** A file of the pages as it is served: its name holds the hash of its content, so that it never changes. */
export interface Asset {
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export type ScriptName = `${string}.js`;

export const CSS_MEDIA = 'text/css; charset=utf-8';
export const SCRIPT_MEDIA = 'text/javascript; charset=utf-8';
const STATIC = new URL('static/', import.meta.url);
const ROOT = new URL('../../', import.meta.url);
const ofPackage = (path: string) => pathToFileURL(`${PACKAGES_FOLDER}/${path}`);
/** Scripts of packages, which are no modules. */
const OF_PACKAGES: Readonly<Record<string, URL>> = {
  'htmx.js': ofPackage('htmx.org/dist/htmx.min.js'),
  'uplot.js': ofPackage('uplot/dist/uPlot.iife.min.js'),
  'uplot.css': ofPackage('uplot/dist/uPlot.min.css'),
};
/** Files that are served as they lie elsewhere. */
const ELSEWHERE: Readonly<Record<string, URL>> = {
  ...OF_PACKAGES,
  'avouch-verify.js': new URL('verify/avouch-verify.mjs', ROOT),
};
const HASH_LENGTH = 12;
/** How one module of ours names another. */
const OWN_IMPORT = /^import (?:[^;]* from )?'\.\/([\w-]+\.js)';\n/gm;

const byName = new Map<string, Asset>();
let byPath: ReadonlyMap<string, Asset> | undefined;

/** The address of a file by its plain name, such as `site.css`. */
export function assetPath(name: string): string {
  return assetOf(name).path;
}

/** The file that is served under this name, which holds its hash. */
export function servedAsset(name: string): Asset | undefined {
  byPath ??= new Map([...readdirSync(STATIC), ...Object.keys(ELSEWHERE)].map(assetOf).map((file) => [file.path, file]));
  return byPath.get(`/assets/${name}`);
}

/** True for a script that is loaded as a module. */
export function isModule(name: ScriptName): boolean {
  return !(name in OF_PACKAGES);
}

/** Read when first asked for: commands that serve nothing do not pay for it. */
function assetOf(name: string): Asset {
  const known = byName.get(name);
  if (known !== undefined) return known;
  const source = readFileSync(ELSEWHERE[name] ?? new URL(name, STATIC), 'utf8');
  const text = name.endsWith('.css') ? withoutSpace(source) : scriptText(name, source);
  const [base = '', ending = ''] = name.split('.');
  const path = `/assets/${base}-${sha256Hex(text).slice(0, HASH_LENGTH)}.${ending}`;
  const asset = {
    path,
    mediaType: ending === 'css' ? CSS_MEDIA : SCRIPT_MEDIA,
    bytes: new TextEncoder().encode(text),
  };
  byName.set(name, asset);
  return asset;
}

/** Lines that are comments: a block that ends its line, or a line of its own. */
const COMMENT_LINES = /^[ \t]*(?:\/\*(?:(?!\*\/)[^])*\*\/[ \t]*|\/\/.*)\n/gm;

/** Scripts of packages are small already. */
function scriptText(name: string, source: string): string {
  return isModule(name as ScriptName) ? withImports(source) : source;
}

/**
 * A module takes in the modules of ours that it imports, each once: one request instead of one for each. The verifier
 * stays a file of its own, which people also download; its address holds its hash.
 */
function withImports(source: string, taken: Set<string> = new Set()): string {
  const small = source.replaceAll(COMMENT_LINES, '').replaceAll(/^[ \t]+/gm, '');
  return small.replaceAll(OWN_IMPORT, (statement, other: string) => {
    if (ELSEWHERE[other] !== undefined) return statement.replace(`./${other}`, assetPath(other));
    if (taken.has(other)) return '';
    taken.add(other);
    return withImports(readFileSync(new URL(other, STATIC), 'utf8'), taken).replaceAll(/^export /gm, '');
  });
}

/** Comments and spaces that say nothing to a browser. */
function withoutSpace(css: string): string {
  return css
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/(?<=[{;][\w-]+): /g, ':');
}
