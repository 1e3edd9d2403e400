import { z } from 'zod';
import { OPEN_ROW } from '#kernel/document-row.ts';
import { timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import examples from './examples.json' with { type: 'json' };
import { problemTypePages } from './problem-type-page.ts';
import { down, unknownCode } from './problems.ts';
import { Status } from './status-answer.ts';
import { statusHtml, statusMarkdown } from './status-page.ts';

const NoInput = z.strictObject({});

const shared = { ...OPEN_ROW, tag: 'discovery' } as const;

export const ProblemAnswer = z
  .looseObject({
    type: z.url(),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    instance: z.string(),
    code: z.string(),
    errors: z
      .array(z.strictObject({ pointer: z.string(), code: z.string(), detail: z.string() }))
      .optional()
      .meta({ description: 'Every invalid field of the request.' }),
    retry_after_s: z.int().min(1).optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem document.' });

export const HealthAnswer = z
  .strictObject({
    status: z.enum(['ok', 'degraded', 'down']),
    identity: z.strictObject({ name: z.string(), version: z.string(), sandbox: z.boolean() }),
    timestamp: timeField,
    endpoints: z.array(z.strictObject({ method: z.string(), path: z.string() })),
    docs: z.url(),
  })
  .meta({ id: 'Health' });

/** What is the same object again and again, the whole answer or a part of it, as text. */
const writtenOnes = new WeakMap<object, string>();

function written<T extends object>(one: T, write: (one: T) => string = JSON.stringify): string {
  const known = writtenOnes.get(one);
  if (known !== undefined) return known;
  const text = write(one);
  writtenOnes.set(one, text);
  return text;
}

/** As JSON.stringify writes it: a probe asks every second, and what it is told hardly changes. */
function healthText(answer: z.output<typeof HealthAnswer>): string {
  return written(answer, ({ status, identity, timestamp, endpoints, docs }) => {
    const head = `{"status":"${status}","identity":${written(identity)},"timestamp":"${timestamp}"`;
    return `${head},"endpoints":${written(endpoints)},"docs":${JSON.stringify(docs)}}`;
  });
}

export const health = defineOperation({
  ...shared,
  operationId: 'health',
  writeJson: healthText,
  path: '/api/v1/health',
  betterPage: () => ({ href: '/system/status', label: 'See the status page, with history' }),
  summary: 'Health check',
  description:
    'The response comes from memory, so a load balancer can call it every second. It is 503 when writes cannot be committed. It lists the manifests and the calls for wallet, tasks, capabilities and orders. See /entry/full for every operation.',
  input: NoInput,
  output: HealthAnswer,
  cache: 'no-store',
  problems: [down],
  examples: recorded(examples.health),
});

export const status = defineOperation({
  ...shared,
  operationId: 'system_status',
  path: '/system/status',
  summary: 'Service status',
  description: 'Returns 200 even when degraded, so that a monitor can read why. Checks run in the background.',
  input: NoInput,
  output: Status,
  cache: { maxAgeSeconds: 10 },
  isDocument: true,
  pages: { html: statusHtml, markdown: statusMarkdown },
  examples: recorded(examples.system_status),
});

export const KeyDocument = z
  .strictObject({
    origin: z.string().nullable(),
    keys: z.array(
      z.strictObject({
        key_id: z.string(),
        kid: z.string().nullable(),
        vkey: z.string().nullable(),
        public_key: z.string(),
        alg: z.enum(['ed25519', 'ml-dsa-44']),
        role: z.enum(['root', 'legacy']),
        scope: z.enum(['log-checkpoint', 'log-receipt', 'receipts']),
        valid_from: timeField,
        retired_at: timeField.nullable(),
        declared_in: z.string().nullable(),
        superseded_by: z.string().nullable(),
      }),
    ),
    policy: z.string(),
    sandbox: z.boolean(),
  })
  .meta({ id: 'KeyDocument' });

export const keyDocument = defineOperation({
  ...shared,
  operationId: 'service_keys',
  path: '/.well-known/avouch-keys.json',
  betterPage: () => ({ href: '/docs/proof', label: 'How to verify with these keys' }),
  summary: 'Get public keys',
  description:
    'Lists all public keys of the service. Retired keys stay listed permanently, so that you can verify what they signed.',
  input: NoInput,
  output: KeyDocument,
  cache: { maxAgeSeconds: 300 },
  isDocument: true,
  examples: recorded(examples.service_keys),
});

export const openApi = defineOperation({
  ...shared,
  operationId: 'openapi',
  path: '/openapi.json',
  isRawFile: true,
  summary: 'Get the OpenAPI document',
  description: 'Returns this API as OpenAPI 3.1.0, generated from the table that serves the calls.',
  input: NoInput,
  output: z.looseObject({ openapi: z.literal('3.1.0'), info: z.looseObject({ version: z.string() }) }),
  cache: { maxAgeSeconds: 300 },
  isDocument: true,
  examples: [{ name: 'document', input: {}, output: { openapi: '3.1.0', info: { version: '1.1.0' } } }],
});

export const ProblemPage = z
  .strictObject({
    code: z.string(),
    status: z.int(),
    title: z.string(),
    help: z.string(),
    operations: z.array(z.string()),
  })
  .meta({ id: 'ProblemType' });

export const problemPage = defineOperation({
  ...shared,
  operationId: 'problem_type',
  path: '/problems/{code}',
  summary: 'Explain a problem code',
  description:
    'Says what a problem code means and what to do. This is the type address of every problem document. Returns JSON by default, HTML or Markdown by Accept.',
  input: z.strictObject({ code: z.string().max(80).meta({ description: 'The problem code.' }) }),
  output: ProblemPage,
  cache: { maxAgeSeconds: 300 },
  problems: [unknownCode],
  isDocument: true,
  pages: problemTypePages,
  examples: recorded(examples.problem_type),
});
