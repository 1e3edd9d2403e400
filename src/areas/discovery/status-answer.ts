import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { DailyAvailability } from './daily-availability.ts';
import { LatencyHistory } from './latency-history.ts';
import { StatusChange } from './status-history.ts';

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
const share = z.number().min(0).max(1).nullable().meta({ description: 'Share of requests that were answered.' });

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
      .meta({ description: 'Only for eu_fsf: the current list. Null if there is none.' }),
  })
  .meta({ id: 'RegisterStatus' });

export const Status = z
  .strictObject({
    status: z.enum(['operational', 'degraded', 'outage']),
    as_of: timeField,
    started_at: timeField,
    version: z.string(),
    build_id: z.string().meta({ description: 'Digest of the running program. Identical files have the same digest.' }),
    sandbox: z.boolean(),
    components: z.array(Component),
    registers: z.array(RegisterStatus),
    datasets: z
      .array(
        z.strictObject({
          id: z.string(),
          state: z.enum(['fresh', 'stale', 'none']),
          retrieved_at: timeField.nullable(),
          rows: z.int(),
        }),
      )
      .meta({ description: 'Open-data snapshots, as last checked.' }),
    storage: z.strictObject({
      engine: z.enum(['sqlite', 'postgres']),
      durable: z.boolean(),
      synchronous: z.string(),
      risks: z.array(z.string()).meta({ description: 'Why durable is false.' }),
    }),
    log: z.strictObject({
      tree_size: z.int(),
      root_hash: z.string(),
      witnesses: z.enum(['not_configured', 'up', 'degraded']),
      last_audit: z
        .strictObject({ ok: z.boolean(), at: timeField, entries: z.int() })
        .nullable()
        .meta({ description: 'Audit by this process. Null before the first one.' }),
      continuity: z.enum(['witness', 'data_directory', 'not_checked', 'contradicted']).meta({
        description:
          'What confirmed the log at the start. data_directory: the checkpoint saved there. not_checked: nothing outside the database. contradicted: a witness knows a different log.',
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
      .meta({ description: 'Null until the first count.' }),
    availability_by_day: DailyAvailability.nullable().meta({ description: 'Null until the first count.' }),
    history: z.array(StatusChange).meta({
      description: 'When components and registers changed, newest first: the last 100 changes. Kept for 400 days.',
    }),
    latency_history: LatencyHistory,
    audit_trail: z.strictObject({ last_anchor_at: timeField.nullable(), lines_lost: z.int() }),
    versions: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'SystemStatus' });
