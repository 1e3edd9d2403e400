import { z } from 'zod';
import { type Operation, pathFields } from './operation.ts';
import type { ProblemType } from './problem.ts';

type Json = Record<string, unknown>;

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly contactName: string;
  readonly contactUrl: string;
  readonly baseUrl: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

/** A row and the problems that it can answer, its own and those that follow from its fields. */
export interface DescribedOperation {
  readonly operation: Operation;
  readonly problems: readonly ProblemType[];
}

const PROBLEM_REF = { $ref: '#/components/schemas/Problem' };

/** OpenAPI 3.1.0 from the operation table; schemas with an id in the registry appear once, as components. */
export function openApiDocument(info: OpenApiInfo, rows: readonly DescribedOperation[]): Json {
  const paths: Record<string, Json> = {};
  for (const row of rows) {
    const { operation } = row;
    const item = (paths[operation.path] ??= {});
    item[operation.method] = operationObject(row, operation.method, operation.operationId);
    if (operation.alsoPost) item['post'] = operationObject(row, 'post', `${operation.operationId}_by_post`);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: info.description,
      contact: { name: info.contactName, url: info.contactUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.baseUrl }],
    security: [],
    tags: info.tags,
    paths,
    components: { schemas: components() },
  };
}

function operationObject(row: DescribedOperation, method: 'get' | 'post', operationId: string): Json {
  const { operation } = row;
  const inPath = new Set(pathFields(operation.path));
  const fields = Object.entries(operation.input.shape);
  const query = method === 'get' ? fields.filter(([name]) => !inPath.has(name)) : [];
  const parameters = [
    ...fields.filter(([name]) => inPath.has(name)).map(([name, field]) => parameter(name, field, 'path')),
    ...query.map(([name, field]) => parameter(name, field, 'query')),
    ...Object.entries(operation.headerFields ?? {}).map(([header, name]) => headerParameter(header, name, operation)),
  ];
  return {
    operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    ...(parameters.length > 0 && { parameters }),
    ...(method === 'post' && { requestBody: requestBody(operation) }),
    responses: responses(row),
  };
}

function parameter(name: string, field: z.ZodType, where: 'path' | 'query'): Json {
  const { description, ...schema } = schemaOf(field, 'input');
  return { name, in: where, required: where === 'path' || !field.safeParse(undefined).success, description, schema };
}

function headerParameter(header: string, name: string, operation: Operation): Json {
  const { description, ...schema } = schemaOf(operation.input.shape[name] as z.ZodType, 'input');
  return { name: header, in: 'header', required: false, description: `Instead of ${name}: ${description}`, schema };
}

function requestBody(operation: Operation): Json {
  const examples = operation.examples.map((example) => [example.name, { value: example.input }]);
  return {
    required: true,
    content: {
      'application/json': { schema: schemaOf(operation.input, 'input'), examples: Object.fromEntries(examples) },
    },
  };
}

function responses(row: DescribedOperation): Json {
  const { operation } = row;
  const examples = operation.examples.map((example) => [example.name, { value: example.output }]);
  const byStatus = Map.groupBy(row.problems, (problem) => problem.status);
  const refused = [...byStatus].toSorted(([a], [b]) => a - b).map(([status, problems]) => {
    const codes = problems.map((problem) => `\`${problem.code}\`: ${problem.title}`).join('. ');
    return [status, { description: codes, content: { 'application/problem+json': { schema: PROBLEM_REF } } }];
  });
  const media = operation.mediaType ?? 'application/json';
  return {
    '200': {
      description: operation.summary,
      content: { [media]: { schema: schemaOf(operation.output, 'output'), examples: Object.fromEntries(examples) } },
    },
    ...Object.fromEntries(refused),
  };
}

/** The JSON Schema of one field or body, with named schemas as references into the components. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _schema, $defs: _defs, ...rest } = z.toJSONSchema(schema, { io, override: dropSafeBounds }) as Json;
  return JSON.parse(JSON.stringify(rest).replaceAll('#/$defs/', '#/components/schemas/')) as Json;
}

function components(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: dropSafeBounds,
  }) as { schemas: Record<string, Json> };
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $id: _id, $schema: _schema, ...schema }]) => [id, schema]),
  );
}

/** z.int() prints the bounds of safe integers, which say nothing to a reader. */
function dropSafeBounds({ jsonSchema }: { jsonSchema: { maximum?: number; minimum?: number } }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
