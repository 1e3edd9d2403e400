import { jsonSchemaOf } from '#kernel/openapi.ts';
import { type Operation, pathFields } from '#kernel/operation.ts';
import type { ProblemType } from '#kernel/problem.ts';
import type { RowTool } from '#kernel/row-tool.ts';
import type { ApiIndexAnswer, ApiOperationAnswer } from './pages/reference.ts';
import { authOf, pricedAs, surfacesOf } from './surfaces.ts';

type Schema = Readonly<Record<string, unknown>>;
type Parameter = ApiOperationAnswer['parameters'][number];

export interface ReferenceDeps {
  /** The rows that this installation offers, in the order of documents. */
  readonly offered: readonly Operation[];
  readonly problemsOf: (operation: Operation) => readonly ProblemType[];
  /** The MCP tools that make the calls of operations, by the operation's id. */
  readonly rowTools: ReadonlyMap<string, RowTool>;
}

interface Listed {
  readonly product: string;
  readonly path: string;
  readonly summary: string;
}

/** What products are called does not depend on it. */
const NO_MCP = { places: [], revisions: [], tools: 0, coordinationTools: 0 };

/** Every operation for people who call it: what to send, what comes back, what can go wrong. */
export class ApiReference {
  readonly #deps: ReferenceDeps;
  readonly #listed: ReadonlyMap<string, Listed>;
  readonly index: ApiIndexAnswer;
  readonly #answers = new Map<string, ApiOperationAnswer>();

  constructor(deps: ReferenceDeps) {
    this.#deps = deps;
    const surfaces = surfacesOf({ operations: deps.offered, baseUrl: '', mcp: NO_MCP });
    this.index = {
      products: surfaces.map(({ id, title, operations }) => ({
        id,
        title,
        operations: operations.map(({ operation_id, method, path, summary }) => ({
          operation_id,
          method,
          path,
          summary,
          page: pageOf(operation_id),
        })),
      })),
    };
    this.#listed = new Map(
      this.index.products.flatMap(({ title: product, operations }) =>
        operations.map((one) => [one.operation_id, { product, path: one.path, summary: one.summary }]),
      ),
    );
  }

  /** The product that an operation belongs to. */
  productOf(operationId: string): string {
    return this.#listed.get(operationId)?.product ?? 'Other';
  }

  summaryOf(operationId: string): string | undefined {
    return this.#listed.get(operationId)?.summary;
  }

  addressOf(operationId: string): string | undefined {
    return this.#listed.get(operationId)?.path;
  }

  operation(operationId: string): ApiOperationAnswer | undefined {
    const known = this.#answers.get(operationId);
    if (known !== undefined) return known;
    const row = this.#deps.offered.find((one) => one.operationId === operationId);
    if (row === undefined) return undefined;
    const answer = this.#describe(row);
    this.#answers.set(operationId, answer);
    return answer;
  }

  #describe(row: Operation): ApiOperationAnswer {
    const { operationId, method, path, summary, description, alsoPost, rate, examples } = row;
    const [example] = examples;
    const tool = this.#deps.rowTools.get(operationId);
    return {
      operation_id: operationId,
      product: this.productOf(operationId),
      method: method.toUpperCase() as 'GET' | 'POST',
      also_post: alsoPost === true,
      path,
      summary,
      description,
      auth: authOf(row),
      price: pricedAs(row),
      rate_class: rate,
      tool: tool?.name ?? null,
      mcp_endpoint: tool?.path ?? null,
      parameters: parametersOf(row),
      example: example === undefined ? null : { input: example.input, output: example.output },
      problems: this.#deps.problemsOf(row).map(({ code, status, title }) => ({ code, status, title })),
    };
  }
}

export function pageOf(operationId: string): string {
  return `/docs/api/${operationId}`;
}

function parametersOf(row: Operation): Parameter[] {
  const { input, path, headerOnly = {}, bytesField } = row;
  const required = (jsonSchemaOf(input, 'input')['required'] ?? []) as readonly string[];
  const inPath = pathFields(path);
  const headers = new Map(Object.entries(headerOnly).map(([header, name]) => [name, header]));
  return Object.entries(input.shape)
    .filter(([name]) => name !== bytesField)
    .map(([name, field]) => {
      const schema = jsonSchemaOf(field, 'input');
      const { description } = schema as { readonly description?: string };
      return {
        name: headers.get(name) ?? name,
        in: headers.has(name) ? 'header' : inPath.includes(name) ? 'path' : row.method === 'get' ? 'query' : 'body',
        required: required.includes(name),
        type: typeText(schema),
        description: description ?? '',
      };
    });
}

/** What a value may be, in words. */
function typeText(schema: Schema): string {
  const { type, enum: values, const: only, anyOf, items, default: usual } = schema;
  const options = (anyOf as readonly Schema[] | undefined)?.map(typeText);
  const base = Array.isArray(values)
    ? `one of ${values.join(', ')}`
    : only !== undefined
      ? JSON.stringify(only)
      : options !== undefined
        ? [...new Set(options)].join(' or ')
        : type === 'array'
          ? `list of ${typeText((items ?? {}) as Schema)}`
          : typeof type === 'string'
            ? type
            : 'any value';
  const bounds = boundsText(schema);
  const fallback = ['string', 'number', 'boolean'].includes(typeof usual) ? `, default ${String(usual)}` : '';
  return `${base}${bounds === '' ? '' : `, ${bounds}`}${fallback}`;
}

function boundsText({ minLength, maxLength, minimum, maximum, maxItems }: Schema): string {
  const range = (least: unknown, most: unknown, unit: string) =>
    typeof most !== 'number' || most >= Number.MAX_SAFE_INTEGER
      ? typeof least === 'number' && least > Number.MIN_SAFE_INTEGER && unit === ''
        ? [`at least ${least}`]
        : []
      : [
          typeof least === 'number' && least > Number.MIN_SAFE_INTEGER
            ? `${least} to ${most}${unit}`
            : `at most ${most}${unit}`,
        ];
  return [
    ...range(minLength, maxLength, ' characters'),
    ...range(minimum, maximum, ''),
    ...(typeof maxItems === 'number' ? [`at most ${maxItems} items`] : []),
  ].join(', ');
}
