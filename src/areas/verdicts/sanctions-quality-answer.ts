import { z } from 'zod';
import { timeToMs } from './verdict.ts';

const share = z.number().min(0).max(1);

export const SanctionsQuality = z
  .strictObject({
    status: z.enum(['measured', 'not_measured']),
    reason: z
      .enum(['switched_off', 'no_list', 'measuring', 'failed'])
      .nullable()
      .meta({ description: 'Why there are no figures. Null if there are.' }),
    matcher_version: z.string(),
    pair_threshold: share,
    screen_threshold: share,
    list: z
      .strictObject({
        source: z.string(),
        list_generated: z.iso.date().meta({ description: "The list's date of issue." }),
        list_loaded_at: timeToMs.meta({ description: 'When Avouch loaded it.' }),
        entities: z.int(),
        names: z.int(),
        sha256: z.string().meta({ description: 'SHA-256 of the file as received. /system/status shows the same one.' }),
      })
      .nullable()
      .meta({ description: 'The list that calls are screened against now, and that was measured.' }),
    measured_at: timeToMs.nullable(),
    recall: z.array(
      z.strictObject({
        set: z.string(),
        entities: z.int().meta({ description: 'Listed entities that the queries were made from.' }),
        queries: z.int().meta({ description: 'Different queries.' }),
        recall: share.nullable().meta({ description: 'Null if the list has no name for this set.' }),
      }),
    ),
    false_hits: z.array(z.strictObject({ set: z.string(), queries: z.int(), false_hits: share })),
    method: z.string(),
    frozen: z
      .strictObject({
        measured_on: z.iso.date(),
        list: z.strictObject({ source: z.string(), names: z.int(), sha256: z.string() }),
        pairs: z.strictObject({ pairs: z.int(), f1: share, precision: share, recall: share }),
        mangled: z.strictObject({ queries: z.int(), recall: share }),
        false_hits: z.array(z.strictObject({ set: z.string(), queries: z.int(), false_hits: share })),
        sets: z.array(z.strictObject({ file: z.string(), sha256: z.string() })),
      })
      .meta({
        description: 'From sets written separately, before the matcher was last changed. docs/quality.md explains how.',
      }),
  })
  .meta({ id: 'SanctionsQuality' });

export type Quality = z.infer<typeof SanctionsQuality>;
