import { z } from 'zod';

const json = z.record(z.string(), z.unknown());

const CapabilityEntry = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    what: z.string(),
    input_schema: json,
    output_schema: json,
    modes: z.array(z.enum(['embedded', 'provider'])),
    unit: z.string(),
    price: z.strictObject({ embedded_eur: z.string().nullable(), provider: z.string().nullable() }),
    latency: z.strictObject({ p50_ms: z.int(), p95_ms: z.int(), n: z.int() }).nullable(),
    status: z.enum(['live', 'provider_required']),
    example: z.strictObject({ input: json, output: json }),
  })
  .meta({ id: 'CapabilityEntry' });

export const ManifestShape = z
  .strictObject({
    manifest: z.literal('capabilities'),
    manifest_version: z.string(),
    service: z.string(),
    base_url: z.string(),
    sandbox: z.boolean(),
    links: z.record(z.string(), z.string()),
    count: z.int(),
    currency: z.literal('EUR'),
    price_formula: z.string(),
    minimum_charge_eur: z.number(),
    price_table_sha256: z.string(),
    auth: z.literal('x_agent_key'),
    execute: z.strictObject({ method: z.string(), path: z.string() }),
    capabilities: z.array(CapabilityEntry),
  })
  .meta({ id: 'CapabilitiesManifest' });
export type ManifestShape = z.output<typeof ManifestShape>;
