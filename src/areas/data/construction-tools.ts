import { z } from 'zod';
import { cleanedText } from '#kernel/text-field.ts';
import { defineTool, stamp, timeField } from '#kernel/tool.ts';

const date = z.iso.date();
const text = z.string();
const point = { lat: z.number().optional(), lon: z.number().optional() };
/** Said by its own name. */
const words = (max: number) => cleanedText({ min: 1, max }).optional();
const name = words(80);

const origin = {
  id: text,
  source: text,
  source_url: text,
  licence: text,
  retrieved_at: timeField,
  snapshot_id: text,
};

const input = {
  query: words(200),
  municipality: name,
  from: date.optional(),
  to: date.optional(),
  limit: z.int().min(1).max(100).default(20),
  offset: z.int().min(0).default(0),
};

const frame = {
  total: z.int(),
  snapshot: z.strictObject({
    state: z.enum(['fresh', 'stale', 'none']),
    source: text.nullable(),
    retrieved_at: timeField.nullable(),
    next_refresh: timeField.nullable(),
    rows: z.int(),
    sha256: text.nullable(),
  }),
  notes: z.array(text),
  ...stamp,
};

type Fields = Readonly<Record<string, z.ZodType>>;

function construction<const N extends string, F extends Fields, I extends Fields>(
  row: { readonly name: N; readonly title: string; readonly description: string },
  filters: F,
  item: I,
) {
  return defineTool({
    ...row,
    description: `${row.description} From a stored snapshot; items is empty without one.`,
    input: z.strictObject({ ...input, ...filters }),
    output: z.strictObject({ items: z.array(z.strictObject({ ...origin, ...item })), ...frame }),
  });
}

export const CONSTRUCTION_TOOLS = [
  construction(
    {
      name: 'construction_summary',
      title: 'Construction data in short',
      description: 'What is held about building in the Netherlands, one row per data set.',
    },
    {},
    {
      dataset: text,
      count: z.int(),
      latest: text.nullable(),
      state: z.enum(['fresh', 'stale', 'none']),
    },
  ),
  construction(
    { name: 'construction_permits', title: 'Building permits', description: 'Published building permits.' },
    { activity: name, authority: name, type: name },
    {
      identifier: text,
      title: text,
      type: text,
      authority: text,
      activity: text.nullable(),
      reference: text.nullable(),
      published: date,
      decided: date.optional(),
      ...point,
    },
  ),
  construction(
    { name: 'construction_leadtimes', title: 'Lead times of permits', description: 'How long permits take.' },
    { activity: name, authority: name },
    {
      authority: text,
      activity: text.nullable(),
      median_days: z.number(),
      p90_days: z.number().nullable(),
      n: z.int(),
      basis: z.enum(['measured', 'statutory', 'catalogue']),
    },
  ),
  construction(
    { name: 'construction_tenders', title: 'Tenders', description: 'Public tenders for works.' },
    {
      cpv: z
        .string()
        .regex(/^\d{2,8}$/, 'must be 2 to 8 digits')
        .optional()
        .meta({ description: 'CPV code or its first digits' }),
      open_only: z.enum(['yes', 'no']).default('no').meta({ description: 'yes: only those that have not closed' }),
      country: z.enum(['NL', 'BE', 'DE']).optional(),
    },
    {
      publication_id: text,
      title: text,
      buyer: text,
      published: date,
      closes: text.nullable(),
      days_left: z.int().nullable(),
      procedure: text.nullable(),
      cpv: z.array(text),
      nuts: z.array(text),
      european: z.boolean(),
    },
  ),
  construction(
    { name: 'construction_laws', title: 'Building law', description: 'Laws and decrees on building.' },
    {},
    { bwb_id: text, title: text, kind: text, authority: text.nullable(), valid_on: date },
  ),
  construction(
    { name: 'construction_economy', title: 'Building figures', description: 'Statistics on the building economy.' },
    { table: name, measure: name, period: name },
    {
      table: text,
      measure: text,
      period: text,
      region: text.nullable(),
      value: z.number().nullable(),
      unit: text.nullable(),
      status: z.enum(['provisional', 'final']),
    },
  ),
  construction(
    { name: 'construction_zones', title: 'Zones', description: 'Municipalities and zero-emission zones.' },
    { kind: z.enum(['municipality', 'emission']).optional() },
    {
      name: text,
      kind: z.enum(['municipality', 'emission']),
      status: text.nullable(),
      authority: text.nullable(),
      valid_from: date.optional(),
    },
  ),
  construction(
    { name: 'construction_natura', title: 'Protected nature', description: 'Natura 2000 areas.' },
    { protection: name },
    {
      area_nr: z.int(),
      name: text,
      protection: z.array(text),
      site_codes: z.array(text),
      area_ha: z.number().nullable(),
    },
  ),
  construction(
    { name: 'construction_events', title: 'Works and closures', description: 'Road works, closures and events.' },
    {
      kind: z.enum(['works', 'closure', 'event']).optional(),
      within_days: z
        .int()
        .min(1)
        .max(90)
        .default(90)
        .meta({ description: 'Only those that begin within so many days' }),
    },
    {
      situation_id: text,
      kind: z.enum(['works', 'closure', 'event']),
      starts: text,
      ends: text.nullable(),
      authority: text.nullable(),
      ...point,
    },
  ),
] as const;

export const groundComponent = defineTool({
  name: 'ground_component',
  title: 'Ground a component',
  description: 'What sources say of one part number: maker, life cycle, stock, price range, lead time, alternates.',
  input: z.strictObject({
    mpn: cleanedText({ min: 1, max: 80, description: 'Part number of the manufacturer' }),
  }),
  output: z.strictObject({
    mpn: text,
    found: z.boolean(),
    manufacturer: text.nullable(),
    lifecycle: text.nullable(),
    offers_count: z.int(),
    stock_total: z.int().nullable(),
    price_range: z.strictObject({ min_eur: text, max_eur: text }).nullable(),
    lead_days: z.int().nullable(),
    alternates: z.array(text),
    sources: z.array(z.strictObject({ source: text, retrieved_at: timeField })),
    state: z.enum(['fresh', 'stale', 'not_configured']),
    note: text.optional(),
    ...stamp,
  }),
  hints: { openWorldHint: true },
});
