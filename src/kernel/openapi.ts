import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import {
  CHALLENGE_HEADERS,
  isNeededKey,
  PAID_HEADERS,
  PAYMENT_PARAMETERS,
  SECURITY_SCHEMES,
  securityOf,
} from './openapi-security.ts';
import { hasAnswerPage, mediaTypesOf, type Operation, pathFields } from './operation.ts';
import type { ProblemType } from './problem.ts';

type Json = Record<string, unknown>;

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly contactName: string;
  readonly contactUrl: string;
  readonly baseUrl: string;
  /** In what the rows with a price are paid. */
  readonly payment: {
    readonly network: string;
    readonly asset: string;
    /** The members of the 402 that asks for the price of a row. */
    readonly challengeOf: (operation: Operation) => object;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

/** A row and the problems that it can answer, its own and those that follow from its fields. */
export interface DescribedOperation {
  readonly operation: Operation;
  readonly problems: readonly ProblemType[];
}

const FORMAT_PARAMETER = {
  name: 'format',
  in: 'query',
  required: false,
  description: 'The response format. It overrides Accept. A path that ends in .md is the same as md.',
  schema: { type: 'string', enum: ['json', 'html', 'md'] },
};
const PROBLEM_REF = { $ref: '#/components/schemas/Problem' };

/**
 * OpenAPI 3.1.0 from the operation table; schemas with an id in the registry appear once, as components. All rows
 * together take half a second: other calls are let in between two of them.
 */
export async function openApiDocument(info: OpenApiInfo, rows: readonly DescribedOperation[]): Promise<Json> {
  const paths: Record<string, Json> = {};
  const examples: Record<string, Json> = {};
  for (const row of rows) {
    const { operation } = row;
    const item = (paths[operation.path] ??= {});
    const refusals = refusalResponses(row);
    for (const problem of row.problems) {
      examples[exampleName(problem, operation)] ??= { value: problemExample(problem, operation, info) };
    }
    if (isAnsweredTwice(operation)) {
      for (const [place, { output }] of operation.examples.entries()) {
        examples[answerName(operation, place)] = { value: output };
      }
    }
    item[operation.method] = { ...operationObject(row, refusals, operation.method), ...paymentInfo(operation, info) };
    if (operation.alsoPost) item['post'] = operationObject(row, refusals, 'post');
    await nextTurn();
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
    components: { schemas: namedIn(paths, components()), examples, securitySchemes: SECURITY_SCHEMES },
  };
}

function operationObject({ operation, problems }: DescribedOperation, refusals: Json, method: 'get' | 'post'): Json {
  const inPath = new Set(pathFields(operation.path));
  const names = Object.keys(operation.input.shape).filter((name) => !isNotShown(operation, name));
  const query = method === 'get' ? names.filter((name) => !inPath.has(name)) : [];
  const parameters = [
    ...names.filter((name) => inPath.has(name)).map((name) => parameter(name, operation, 'path')),
    ...query.map((name) => parameter(name, operation, 'query')),
    ...(operation.pages !== undefined && method === 'get' && !names.includes('format') ? [FORMAT_PARAMETER] : []),
    ...Object.entries(operation.headerFields ?? {}).map(([header, name]) => headerParameter(header, name, operation)),
    ...Object.entries(operation.headerOnly ?? {}).map(([header, name]) => ({
      ...parameter(name, operation, 'header'),
      name: header,
      ...(isNeededKey(operation, header) && { required: true }),
    })),
    ...(operation.price === null ? [] : PAYMENT_PARAMETERS),
  ];
  return {
    operationId: method === operation.method ? operation.operationId : `${operation.operationId}_by_${method}`,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    security: securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(method === 'post' && { requestBody: requestBody(operation) }),
    responses: { ...successResponses(operation), ...refusals },
    ...(operation.deprecated !== undefined && { deprecated: true, 'x-sunset': operation.deprecated.sunset }),
    ...(operation.walletPrice !== undefined && { 'x-wallet-price': { currency: 'EUR', ...operation.walletPrice } }),
    'x-rate-class': operation.rate,
    'x-problem-codes': problems.map((problem) => problem.code),
  };
}

/** What catalogues of paid interfaces read. */
function paymentInfo({ price }: Operation, { payment }: OpenApiInfo): Json {
  if (price === null) return {};
  return {
    'x-payment-info': {
      protocols: ['x402'],
      price: { mode: 'fixed', amount: price.usdc, currency: 'USDC' },
      network: payment.network,
      asset: payment.asset,
      amount_atomic: price.atomic,
    },
  };
}

function parameter(name: string, operation: Operation, where: 'path' | 'query' | 'header'): Json {
  const { description, ...schema } = schemaOf(operation.input.shape[name] as z.ZodType, 'input');
  return {
    name,
    in: where,
    required: where === 'path' || requiredFields(operation).includes(name),
    description,
    schema,
  };
}

/** Fields without which no call is right; one that a header can carry may be absent from query and body. */
function requiredFields({ input, headerFields = {} }: Operation): string[] {
  const required = Object.keys(input.shape).filter((name) => !input.shape[name]?.safeParse(undefined).success);
  return required.filter((name) => !Object.values(headerFields).includes(name));
}

function headerParameter(header: string, name: string, operation: Operation): Json {
  const { description, ...schema } = schemaOf(operation.input.shape[name] as z.ZodType, 'input');
  return {
    name: header,
    in: 'header',
    required: false,
    description: `Instead of ${name}: ${description as string}`,
    schema,
  };
}

function requestBody(operation: Operation): Json {
  const bodyMembers = (members: object) => Object.entries(members).filter(([name]) => !isNotShown(operation, name));
  const examples = operation.examples.map(({ name, input }) => [
    name,
    { value: Object.fromEntries(bodyMembers(input)) },
  ]);
  const inBody = bodyMembers(operation.input.shape);
  const schema = {
    ...schemaOf(z.strictObject(Object.fromEntries(inBody)), 'input'),
    required: requiredFields(operation),
  };
  const { otherBody } = operation;
  const content = {
    'application/json': { schema, examples: Object.fromEntries(examples) },
    ...(otherBody !== undefined && { [otherBody.mediaType]: { schema: { type: 'string' } } }),
  };
  return { required: true, content };
}

/** Fields that stand in a header, or that no caller names. */
function isNotShown({ headerOnly = {}, bytesField }: Operation, name: string): boolean {
  return Object.values(headerOnly).includes(name) || name === bytesField;
}

function successResponses(operation: Operation): Json {
  const { successStatus = 200, repeatStatus = successStatus, price } = operation;
  const response = { ...successResponse(operation), ...(price !== null && { headers: PAID_HEADERS }) };
  const sentOn = { description: 'For HTML requests: redirect to the address in Location.', content: {} };
  return { [repeatStatus]: response, [successStatus]: response, ...(operation.redirectsAfterPost && { 303: sentOn }) };
}

/** Whether the same answer stands in several places, by two methods or with two statuses: its examples then stand apart. */
function isAnsweredTwice({ alsoPost, successStatus, repeatStatus }: Operation): boolean {
  return alsoPost === true || (repeatStatus ?? successStatus) !== successStatus;
}

function answerName({ operationId }: Operation, place: number): string {
  return `${operationId}_answer_${place + 1}`;
}

function successResponse(operation: Operation): Json {
  const examples = operation.examples.map(({ name, output }, place) => [
    name,
    isAnsweredTwice(operation) ? { $ref: `#/components/examples/${answerName(operation, place)}` } : { value: output },
  ]);
  const [media = '', ...streams] = mediaTypesOf(operation).map((type) => type.replace(/;.*/, ''));
  const page = { schema: { type: 'string' } };
  const others = [...streams, ...(operation.otherMediaTypes ?? [])].map((other) => [other.replace(/;.*/, ''), page]);
  return {
    description: operation.summary,
    content: {
      [media]: { schema: schemaOf(operation.output, 'output'), examples: Object.fromEntries(examples) },
      ...Object.fromEntries(others),
      ...(operation.pages !== undefined && { 'text/html': page, 'text/markdown': page }),
      ...(hasAnswerPage(operation) && { 'text/html': page }),
    },
  };
}

/** One response per status with an example of each of its codes, which stands once for all calls that refuse so. */
function refusalResponses({ operation, problems }: DescribedOperation): Json {
  const byStatus = Map.groupBy(problems, (problem) => problem.status);
  const responses = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, ofStatus]) => {
      const description = ofStatus.map((problem) => `\`${problem.code}\`: ${problem.title}`).join('. ');
      const examples = ofStatus.map((problem) => [
        problem.code,
        { $ref: `#/components/examples/${exampleName(problem, operation)}` },
      ]);
      const content = { schema: PROBLEM_REF, examples: Object.fromEntries(examples) };
      const page = { schema: { type: 'string' } };
      const response = { description, content: { 'application/problem+json': content, 'text/html': page } };
      return [
        status,
        status === 402 && operation.price !== null ? { ...response, headers: CHALLENGE_HEADERS } : response,
      ];
    });
  return Object.fromEntries(responses);
}

const ASKS_FOR_PAYMENT = 'payment_required';

/** A refusal of a call with a price also says whether it was charged; each row asks for its own price. */
function exampleName({ code }: ProblemType, { price, operationId }: Operation): string {
  if (price === null) return code;
  return code === ASKS_FOR_PAYMENT ? `${code}_paid_${operationId}` : `${code}_paid`;
}

/** Of the refusals that do not say that nothing was charged. */
const CHARGED: Readonly<Record<string, true | null>> = {
  payment_bound_to_other_request: null,
  settlement_pending: null,
  refund_due: true,
  result_expired: true,
};

function problemExample(
  { code, status, title, help }: ProblemType,
  operation: Operation,
  { baseUrl, payment }: OpenApiInfo,
): Json {
  const input = operation.examples[0]?.input ?? {};
  return {
    type: `${baseUrl}/problems/${code}`,
    title,
    status,
    detail: help.split('. ', 1)[0],
    instance: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (input[name] as string | undefined) ?? name),
    code,
    ...((status === 429 || status === 503) && { retry_after_s: 1 }),
    ...(operation.price !== null && code === ASKS_FOR_PAYMENT && payment.challengeOf(operation)),
    ...(operation.price !== null && { charged: code in CHARGED ? CHARGED[code] : false }),
  };
}

/** The JSON Schema of one field or body, with named schemas as references into the components. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _schema, $defs: _defs, ...rest } = z.toJSONSchema(schema, { io, override: plainly }) as Json;
  return JSON.parse(JSON.stringify(rest).replaceAll('#/$defs/', '#/components/schemas/')) as Json;
}

/** The registry without the names of schemas, so that each stands where it is used. */
class NamelessRegistry extends z.core.$ZodRegistry<Record<string, unknown>> {
  override get(schema: z.core.$ZodType): Record<string, unknown> | undefined {
    const { id: _id, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  }
}
const NAMELESS = new NamelessRegistry();

/** The JSON Schema of a value by itself, everything that it names inside it; where a format says it, without its pattern. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const shortly = (context: Parameters<typeof plainly>[0]) => {
    plainly(context);
    if (context.jsonSchema.format !== undefined) delete context.jsonSchema.pattern;
  };
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, {
    io,
    override: shortly,
    unrepresentable: 'any',
    metadata: NAMELESS,
  }) as Json;
  return rest;
}

/** Those schemas that the paths name, and those that these name in turn. */
function namedIn(paths: Json, schemas: Json): Json {
  const named = new Set<string>();
  const follow = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"/]+)/g)) {
      if (named.has(name)) continue;
      named.add(name);
      follow(JSON.stringify(schemas[name] ?? null));
    }
  };
  follow(JSON.stringify(paths));
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => named.has(name)));
}

function components(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: plainly,
  }) as { schemas: Record<string, Json> };
  return Object.fromEntries(
    // By name: the registry has them in the order in which files happen to be loaded.
    Object.entries(schemas)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { $id: _id, $schema: _schema, ...schema }]) => [id, schema]),
  );
}

/** z.int() prints the bounds of safe integers, which say nothing to a reader; base64 is an encoding, no format. */
function plainly({
  jsonSchema,
}: {
  jsonSchema: { maximum?: number; minimum?: number; format?: string; pattern?: string };
}): void {
  if (jsonSchema.format === 'base64') delete jsonSchema.format;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
