// node scripts/measure-source.ts [commit ...]: how much there is of the program (src, client, scripts; tests do not count),
// one line of JSON for the working tree and one for each commit. Statements are those of the parsed code: comments, blank
// lines and layout do not count. Members are properties of literals, interfaces and classes.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, type Statement, visitorKeys } from 'oxc-parser';
import { checkout } from './checkout.ts';

const FOLDERS = ['src', 'client', 'scripts'];
const NOT_PROGRAM = /\.(?:test|more)\.ts$|\/_[\w-]+\.ts$/;

interface Measured {
  files: number;
  lines: number;
  statements: number;
  members: number;
  /** Cells of rows that are cast where they are read, and reads of a batch that are told apart by their place. */
  rowCasts: number;
  positionalReads: number;
  /** Names that more than one file exports a definition of. */
  sharedExports: number;
}

function filesOf(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '--', ...FOLDERS], { cwd: root, encoding: 'utf8' }).split('\n');
  return listed.filter((name) => /\.(?:ts|mjs)$/.test(name) && !NOT_PROGRAM.test(name));
}

function measured(root: string): Measured & { readonly shared: readonly string[] } {
  const total: Measured = {
    files: 0,
    lines: 0,
    statements: 0,
    members: 0,
    rowCasts: 0,
    positionalReads: 0,
    sharedExports: 0,
  };
  const exportedBy = new Map<string, Set<string>>();
  for (const name of filesOf(root)) {
    const text = readFileSync(join(root, name), 'utf8');
    const { program } = parseSync(name, text);
    total.files += 1;
    total.lines += text.split('\n').length - 1;
    for (const exported of program.body.flatMap(definedExports)) {
      exportedBy.set(exported, (exportedBy.get(exported) ?? new Set()).add(name));
    }
    visit(program as unknown as Node, (node) => {
      if (isStatement(node)) total.statements += 1;
      if (MEMBERS.has(node.type)) total.members += 1;
      if (isRowCast(node, text)) total.rowCasts += 1;
      if (isPositionalRead(node)) total.positionalReads += 1;
    });
  }
  const shared = [...exportedBy].filter(([, files]) => files.size > 1).map(([name]) => name);
  return { ...total, sharedExports: shared.length, shared };
}

/** As the parser gives it; the kinds that count here are told apart by their type. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const MEMBERS = new Set([
  'Property',
  'PropertyDefinition',
  'MethodDefinition',
  'TSPropertySignature',
  'TSMethodSignature',
]);

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const key of visitorKeys[node.type] ?? []) {
    const child = node[key];
    for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) visit(one, see);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** What only wraps others is none: a block, and the `export` before a declaration. */
function isStatement(node: Node): boolean {
  if (node.type === 'BlockStatement' || isNode(node['declaration'])) return false;
  return /(?:Statement|Declaration)$/.test(node.type) && node.type !== 'TSTypeParameterDeclaration';
}

/** The names that a statement exports by defining them; one that only passes on what another file defines has none. */
function definedExports(statement: Statement | { readonly type: string }): string[] {
  if (statement.type !== 'ExportNamedDeclaration') return [];
  const { declaration } = statement as unknown as { declaration: Node | null };
  if (declaration === null) return [];
  const named = declaration['declarations'] === undefined ? [declaration] : (declaration['declarations'] as Node[]);
  return named.flatMap(({ id }) => (isNode(id) && id.type === 'Identifier' ? [id['name'] as string] : []));
}

/** `row['x']`, `rows[0]?.['x']` and the like. */
function isRowCast(node: Node, text: string): boolean {
  if (node.type !== 'MemberExpression' || node['computed'] !== true) return false;
  const [of, by] = [node['object'] as Node, node['property'] as Node];
  if (by.type !== 'Literal' || typeof by['value'] !== 'string') return false;
  return /(?:^|\b)(?:row|head|newest|recorded|before|own)$|\)\[0\]$|\brows?\[\d\]$/.test(text.slice(of.start, of.end));
}

/** A unit's `load` that takes a list of results and tells them apart by their places. */
function isPositionalRead(node: Node): boolean {
  const name = (node['key'] ?? node['id']) as Node | null | undefined;
  if (!isNode(name) || name['name'] !== 'load') return false;
  const taker = isNode(node['value']) ? node['value'] : node;
  const [found] = (taker['params'] ?? []) as Node[];
  if (found === undefined) return false;
  return found.type === 'ArrayPattern' || JSON.stringify(found['typeAnnotation'] ?? '').includes('"TSArrayType"');
}

await using stack = new AsyncDisposableStack();
for (const commit of [undefined, ...process.argv.slice(2)]) {
  const { shared, ...figures } = measured(await checkout(commit, stack));
  const names = process.env['NAMES'] === undefined ? {} : { shared };
  process.stdout.write(`${JSON.stringify({ commit: commit ?? 'working tree', ...figures, ...names })}\n`);
}
