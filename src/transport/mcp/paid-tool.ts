import { canonicalJson } from '#kernel/canonical-json.ts';
import { jsonSchemaOf } from '#kernel/openapi.ts';
import type { BoundOperation } from '#kernel/bound-operation.ts';
import type { GateAnswer, GatedCall } from '#kernel/paid-operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { decode } from '#kernel/query-decoder.ts';
import * as general from '#kernel/general-problems.ts';
import type { ListedTool, ObjectSchema, ToolArguments as Arguments } from '#kernel/tool.ts';
import type { OfferedTool, ReceivedToolCall } from './tool-server.ts';
import { textContent, toolError, type ToolOutcome } from './tool-result.ts';

type GatedOperation = Extract<BoundOperation, { gate: unknown }>;

interface JsonSchema {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

const PAYMENT = 'x402/payment';
const PAYMENT_RESPONSE = 'x402/payment-response';
const ASKS_REGISTERS = 'verdicts';

/** A row with a price as a tool: the same gate, asked through `_meta` instead of headers (x402 over MCP, version 2). */
export function paidTool({ operation, gate }: GatedOperation): OfferedTool & { readonly listed: ListedTool } {
  const { operationId: name, summary, description, input, output, price, tag } = operation;
  return {
    fields: new Set(Object.keys(input.shape)),
    keepsOwnTime: true,
    isTraced: ({ meta }) => meta[PAYMENT] !== undefined,
    listed: {
      name,
      title: summary,
      description: `${description} Costs ${price?.usdc} USDC (x402).`,
      inputSchema: jsonSchemaOf(input, 'input') as ObjectSchema,
      outputSchema: openOutput(jsonSchemaOf(output, 'output')),
      annotations: {
        readOnlyHint: !operation.effects,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: tag === ASKS_REGISTERS,
      },
    },
    run: async (args, asked) => resultOf(await gate(gatedCall({ operation, gate }, args, asked))),
  };
}

/**
 * The challenge travels in the same place as the answer, so nothing may be required of it. Of the answer its members
 * are named; /openapi.json has all of it.
 */
function openOutput(output: JsonSchema, depth = 2): ObjectSchema {
  const members = Object.entries(output.properties ?? {}).map(([name, { type, enum: values, properties }]) => {
    if (properties !== undefined && depth > 1) return [name, openOutput({ properties }, depth - 1)];
    return [name, { ...(type !== undefined && { type }), ...(values !== undefined && { enum: values }) }];
  });
  return { type: 'object', properties: Object.fromEntries(members) };
}

function gatedCall({ operation }: GatedOperation, args: Arguments, asked: ReceivedToolCall): GatedCall {
  const { requestId, addressTag, meta } = asked;
  const headers: Readonly<Record<string, () => string | undefined>> = {
    'payment-signature': () => paymentText(meta[PAYMENT]),
    'idempotency-key': () => keyText(meta['idempotency-key']),
  };
  return {
    requestId,
    addressTag,
    isHead: false,
    url: `mcp://tool/${operation.operationId}`,
    header: (header) => headers[header]?.(),
    query: () => canonical(args),
    input: () => {
      const decoded = decode(operation.input, args);
      return decoded.ok ? decoded.input : general.refuseFields(decoded.errors);
    },
  };
}

/** What is no text is no key, which the gate refuses. */
function keyText(key: unknown): string | undefined {
  return key === undefined || typeof key === 'string' ? key : '';
}

/** As the header of HTTP would carry it, in one form whatever the order of its members. */
function paymentText(payment: unknown): string | undefined {
  if (payment === undefined) return undefined;
  try {
    return Buffer.from(canonicalJson(payment)).toString('base64'); // attacker-controlled
  } catch {
    return 'not a payment';
  }
}

function canonical(args: Arguments): ReturnType<GatedCall['query']> {
  try {
    canonicalJson(args);
    return args as Record<string, string>;
  } catch {
    return general.refuseFields([{ pointer: '#', code: 'wrong_format', detail: 'Arguments must be plain JSON.' }]);
  }
}

function resultOf({ headers, answer, trace: paid }: GateAnswer): ToolOutcome {
  const settled = headers.find(([name]) => name === 'payment-response')?.[1];
  const response =
    settled === undefined ? undefined : (JSON.parse(Buffer.from(settled, 'base64').toString()) as object);
  const meta = response === undefined ? {} : { _meta: { [PAYMENT_RESPONSE]: response } };
  if (!(answer instanceof Refusal)) {
    const { body } = answer;
    const structuredContent = JSON.parse(body) as Record<string, unknown>;
    return { result: { content: [{ type: 'text', text: body }], structuredContent, ...meta }, code: null, paid };
  }
  const { members } = answer.details;
  if (answer.type.status !== 402 || members === undefined) return { ...toolError(answer, meta), paid };
  const { charged: _charged, extensions, ...challenge } = members;
  // Its catalogue entry describes the call over HTTP.
  const { bazaar: _bazaar, ...kept } = extensions as Record<string, unknown>;
  const required = { ...challenge, extensions: kept };
  const result = { isError: true as const, content: [textContent(required)], structuredContent: required, ...meta };
  return { result, code: answer.type.code, paid };
}
