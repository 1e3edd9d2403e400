import { z } from 'zod';
import { OPEN_ROW } from '#kernel/document-row.ts';
import { defineOperation } from '#kernel/operation.ts';
import { LatencyHistory } from './latency-history.ts';
import { problemTypePages } from './problem-type-page.ts';
import { down, unknownCode } from './problems.ts';
import { statusHtml, statusMarkdown } from './status-page.ts';

const NoInput = z.strictObject({});
const timeField = z.iso.datetime();

const shared = { ...OPEN_ROW, tag: 'discovery' } as const;

export const Problem = z
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

export const Health = z
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
  output: Health,
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

const Component = z
  .strictObject({
    id: z.string(),
    status: z.enum(['up', 'degraded', 'down', 'not_configured']),
    required: z.boolean(),
    since: timeField,
    last_check: timeField.nullable(),
    latency_ms: z.number().nullable(),
    detail: z.string().nullable(),
  })
  .meta({ id: 'Component' });

const breakerState = z.enum(['closed', 'open', 'half_open']);
const share = z.number().min(0).max(1).nullable().meta({ description: 'Share of gets that were answered' });

export const RegisterStatus = z
  .strictObject({
    id: z.string(),
    status: z.enum(['up', 'degraded', 'down', 'not_configured']),
    breaker: breakerState,
    p50_ms: z.int().nullable(),
    p95_ms: z.int().nullable(),
    success_5m: share,
    success_60m: share,
    last_success: timeField.nullable(),
    member_states: z.array(z.strictObject({ id: z.string(), breaker: breakerState, success_60m: share })).optional(),
    list: z
      .strictObject({
        list_generated: z.iso.date(),
        age_hours: z.int(),
        entities: z.int(),
        names: z.int(),
        sha256: z.string(),
      })
      .nullable()
      .optional()
      .meta({ description: 'Of eu_fsf: the list in use, null while there is none' }),
  })
  .meta({ id: 'RegisterStatus' });

export const Status = z
  .strictObject({
    status: z.enum(['operational', 'degraded', 'outage']),
    as_of: timeField,
    started_at: timeField,
    version: z.string(),
    build_id: z.string().meta({ description: 'Digest of the program that runs: the same for the same files' }),
    sandbox: z.boolean(),
    components: z.array(Component),
    registers: z.array(RegisterStatus),
    datasets: z
      .array(
        z.strictObject({
          ...{
            id: z.string(),
            state: z.enum(['fresh', 'stale', 'none']),
            retrieved_at: timeField.nullable(),
            rows: z.int(),
          },
        }),
      )
      .meta({ description: 'Snapshots of open data, as last looked at' }),
    storage: z.strictObject({
      engine: z.enum(['sqlite', 'postgres']),
      durable: z.literal(true),
      synchronous: z.string(),
    }),
    log: z.strictObject({
      tree_size: z.int(),
      root_hash: z.string(),
      witnesses: z.enum(['not_configured', 'up', 'degraded']),
      last_audit: z
        .strictObject({ ok: z.boolean(), at: timeField, entries: z.int() })
        .nullable()
        .meta({ description: 'Of this process; null before its first' }),
      continuity: z.enum(['witness', 'data_directory', 'not_checked', 'contradicted']).meta({
        description:
          'Who remembered the log when this process started, and agreed: a witness, or the data directory beside another database; not_checked where nobody outside does; contradicted when a witness knows another log',
      }),
    }),
    payments: z.strictObject({
      backend: z.enum(['facilitator', 'chain']).nullable(),
      unknown_settlements: z.int().nullable(),
      oldest_unknown_s: z.int().nullable(),
      refunds_due: z.int().nullable(),
    }),
    wallet: z.strictObject({
      audit_ok: z.boolean().nullable(),
      audit_at: timeField.nullable(),
      append_only: z.enum(['trigger', 'code']),
    }),
    availability: z
      .strictObject({
        window_days: z.int(),
        definition: z.string(),
        minimum_pct: z.number().nullable(),
        worst_endpoint: z.string().nullable(),
        by_endpoint: z.array(z.strictObject({ operation_id: z.string(), pct: z.number(), n: z.int() })),
      })
      .nullable()
      .meta({ description: 'Null until the first count' }),
    latency_history: LatencyHistory,
    audit_trail: z.strictObject({ last_anchor_at: timeField.nullable(), lines_lost: z.int() }),
    versions: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'SystemStatus' });

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
