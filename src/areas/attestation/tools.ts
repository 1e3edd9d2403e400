import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { defineTool, stamp } from '#kernel/tool.ts';

const REFERENCE_KINDS = [
  ...(['attestation', 'handshake', 'receipt', 'log_entry', 'digest', 'task', 'order', 'check'] as const),
  ...(['mandate', 'lease', 'unknown'] as const),
] as const;

export const verifyReference = defineTool({
  name: 'verify_astranl',
  title: 'Verify a reference',
  description:
    'Says what an Avouch reference is and verifies it from stored bytes: ATT-…, AMH-…, rcp_…, a log number, a sha256, tsk_…, ord_…, chk_…, mnd_… or a lease id.',
  input: z.strictObject({ ref: z.string().min(1).max(200).meta({ description: 'Any reference that Avouch issued.' }) }),
  output: z.strictObject({
    ref: z.string(),
    kind: z.enum(REFERENCE_KINDS),
    found: z.boolean(),
    valid: z.boolean().nullable().meta({ description: 'Null if nothing signed is behind it.' }),
    verdict: z.string().nullable(),
    checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean().nullable() })),
    sealed_at: timeField.nullable(),
    log_seq: z.int().nullable(),
    superseded_by: z.array(z.string()),
    url: z.string(),
    means: z.string(),
    does_not_mean: z.string(),
    ...stamp,
  }),
});
