import { z } from 'zod';
import { OPEN_ROW } from '#kernel/document-row.ts';
import { timeField } from '#kernel/fields.ts';
import { defineOperation } from '#kernel/operation.ts';
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
      .meta({ description: 'Every bad field of the request' }),
    retry_after_s: z.int().min(1).optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem document' });

export const HealthAnswer = z
  .strictObject({
    status: z.enum(['ok', 'degraded', 'down']),
    identity: z.strictObject({ name: z.string(), version: z.string(), sandbox: z.boolean() }),
    timestamp: timeField,
    endpoints: z.array(z.strictObject({ method: z.string(), path: z.string() })),
    docs: z.url(),
  })
  .meta({ id: 'Health' });

export const health = defineOperation({
  ...shared,
  operationId: 'health',
  path: '/api/v1/health',
  summary: 'Whether the service works, who it is and what it offers',
  description:
    'Answered from memory, so that a load balancer may ask every second. 503 when writes cannot be committed. Lists the manifests and the calls of wallet, tasks, capabilities and orders; /entry/full has every operation.',
  input: NoInput,
  output: HealthAnswer,
  cache: 'no-store',
  problems: [down],
  examples: [
    {
      name: 'healthy',
      input: {},
      output: {
        status: 'ok',
        identity: { name: 'Avouch', version: '0.1.0', sandbox: true },
        timestamp: '2026-11-15T01:00:00.000Z',
        endpoints: [{ method: 'POST', path: '/api/v1/calculate' }],
        docs: 'https://avouch.example/openapi.json',
      },
    },
  ],
});

export const status = defineOperation({
  ...shared,
  operationId: 'system_status',
  path: '/system/status',
  summary: 'State of the service and its parts',
  description: 'Answers 200 also when degraded, so that a monitor can read why. Checks run in the background.',
  input: NoInput,
  output: Status,
  cache: { maxAgeSeconds: 10 },
  isDocument: true,
  pages: { html: statusHtml, markdown: statusMarkdown },
  examples: [
    {
      name: 'operational',
      input: {},
      output: {
        status: 'operational',
        as_of: '2026-11-15T01:00:00.000Z',
        started_at: '2026-11-15T00:00:00.000Z',
        version: '0.1.0',
        build_id: '4f0c2e7d91a85b36',
        sandbox: true,
        components: [
          {
            id: 'storage',
            status: 'up',
            required: true,
            since: '2026-11-15T00:00:00.000Z',
            last_check: '2026-11-15T00:59:58.000Z',
            latency_ms: 0.8,
            detail: null,
          },
        ],
        datasets: [{ id: 'permits', state: 'none', retrieved_at: null, rows: 0 }],
        registers: [
          {
            id: 'vies',
            status: 'up',
            breaker: 'closed',
            p50_ms: 240,
            p95_ms: 910,
            success_5m: 1,
            success_60m: 0.98,
            last_success: '2026-11-15T00:59:30.000Z',
            member_states: [{ id: 'DE', breaker: 'closed', success_60m: 0.97 }],
          },
        ],
        storage: { engine: 'sqlite', durable: true, synchronous: 'full' },
        log: {
          tree_size: 12,
          root_hash: '00'.repeat(32),
          witnesses: 'not_configured',
          last_audit: null,
          continuity: 'not_checked',
        },
        payments: { backend: 'chain', unknown_settlements: 0, oldest_unknown_s: null, refunds_due: 0 },
        wallet: { audit_ok: true, audit_at: '2026-11-15T00:00:00.000Z', append_only: 'trigger' },
        availability: null,
        latency_history: { every_s: 10, kept_s: 3600, at: [], series: [] },
        audit_trail: { last_anchor_at: null, lines_lost: 0 },
        versions: { openapi: '1.1.0' },
      },
    },
  ],
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
        scope: z.enum(['log-checkpoint', 'receipts']),
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
  summary: 'Public keys of the service, present and past',
  description: 'Keys stay listed for ever after their retirement, so that what they signed can be verified.',
  input: NoInput,
  output: KeyDocument,
  cache: { maxAgeSeconds: 300 },
  isDocument: true,
  examples: [
    {
      name: 'keys',
      input: {},
      output: {
        origin: 'avouch.example/astralock',
        keys: [
          {
            key_id: '21fe31dfa154a261',
            kid: 'did:web:avouch.example#21fe31dfa154a261',
            vkey: null,
            public_key: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
            alg: 'ed25519',
            role: 'root',
            scope: 'receipts',
            valid_from: '2026-11-15T00:00:00.000Z',
            retired_at: null,
            declared_in: 'ATT-E6V5YUMJRAFE3HZG3JGSRTZPZ42GISEAMANQPA7O56S3WAMZQRFA',
            superseded_by: null,
          },
        ],
        policy: 'quorum none\n',
        sandbox: true,
      },
    },
  ],
});

export const openApi = defineOperation({
  ...shared,
  operationId: 'openapi',
  path: '/openapi.json',
  summary: 'This interface as OpenAPI 3.1.0',
  description: 'Generated from the same table that serves the calls.',
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
  summary: 'What a problem code means and what to do',
  description: 'The type address of every problem document. JSON by default, HTML and Markdown by Accept.',
  input: z.strictObject({ code: z.string().max(80).meta({ description: 'Problem code' }) }),
  output: ProblemPage,
  cache: { maxAgeSeconds: 300 },
  problems: [unknownCode],
  isDocument: true,
  pages: problemTypePages,
  examples: [
    {
      name: 'held',
      input: { code: 'held' },
      output: {
        code: 'held',
        status: 409,
        title: 'Held by another agent',
        help: 'Another agent holds the key in a way that excludes this call.',
        operations: ['claim'],
      },
    },
  ],
});
