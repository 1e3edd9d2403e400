// A call in the languages of `codeTabs`, as it runs when it is pasted.
import { type Operation, pathFields } from '#kernel/operation.ts';
import snippets from './snippets.json' with { type: 'json' };

type Called = Pick<Operation, 'operationId' | 'method' | 'path' | 'alsoPost'>;
type Input = Readonly<Record<string, unknown>>;

/** Text that a POSIX shell takes as one word. */
const PLAIN_WORD = /^[\w./:@=+-]+$/;

export function shellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** POST with a JSON body wherever the operation takes one. */
export function curlOf({ method, path, alsoPost }: Called, input: Input, baseUrl: string): string {
  const inPath = pathFields(path);
  const filled = inPath.reduce((at, name) => at.replace(`{${name}}`, encodeURIComponent(String(input[name]))), path);
  const others = Object.entries(input).filter(([name]) => !inPath.includes(name));
  if (method === 'get' && alsoPost !== true) {
    const query = new URLSearchParams(others.map(([name, value]) => [name, String(value)])).toString();
    return `curl -s '${baseUrl}${filled}${query === '' ? '' : `?${query}`}'`;
  }
  return postOf(`${baseUrl}${filled}`, JSON.stringify(Object.fromEntries(others)));
}

/** A POST of this JSON text. */
export function postOf(url: string, body: string): string {
  return `curl -s ${shellWord(url)} \\\n  -H 'content-type: application/json' \\\n  -d '${body.replaceAll("'", "'\\''")}'`;
}

export function typescriptOf({ operationId }: Called, input: Input, baseUrl: string): string {
  return typescriptText(operationId, literal(input), `'${baseUrl}'`);
}

/** @param options what follows `baseUrl:` in the options of the client */
export function typescriptText(operationId: string, input: string, options: string): string {
  return snippets.typescript
    .join('\n')
    .replace("'BASE_URL'", () => options)
    .replace('OPERATION', operationId)
    .replace('INPUT', () => input);
}

export function commandOf({ operationId }: Called, input: Input, baseUrl: string): string {
  const options = Object.entries(input).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `  --${name.replaceAll('_', '-')} ${shellWord(text)} \\\n`;
  });
  return `./avouch call ${operationId} \\\n${options.join('')}  --url ${baseUrl}`;
}

/** How an MCP host is told of the tools. */
export function mcpConfig(baseUrl: string): string {
  return JSON.stringify({ mcpServers: { avouch: { type: 'http', url: `${baseUrl}/mcp/streamable` } } }, null, 2);
}

/** An object as TypeScript writes it. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${literal(member)}`)
    .join(', ')} }`;
}
