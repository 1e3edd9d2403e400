import { z } from 'zod';

const Listed = z.strictObject({ operation: z.string(), summary: z.string(), price_usdc: z.string().nullable() });

export const PlaygroundSchema = z
  .strictObject({
    operations: z.array(Listed),
    chosen: z
      .strictObject({
        operation: z.string(),
        summary: z.string(),
        description: z.string(),
        price_usdc: z.string().nullable(),
        fields: z.array(
          z.strictObject({ name: z.string(), required: z.boolean(), schema: z.record(z.string(), z.unknown()) }),
        ),
      })
      .meta({ description: 'The operation in the form. Its fields come from the input schema.' }),
    values: z.record(z.string(), z.string()).meta({ description: 'Field values.' }),
    request: z.strictObject({
      method: z.enum(['GET', 'POST']),
      url: z.string(),
      body: z.string().nullable(),
      curl: z.string(),
      mcp: z.string().nullable().meta({ description: 'The equivalent tool call. Null if there is no tool.' }),
    }),
    outcome: z
      .strictObject({
        status: z.int(),
        headers: z.record(z.string(), z.string()),
        answer: z.unknown(),
        paid_from: z.string().nullable().meta({ description: 'The sandbox account that paid.' }),
        receipt: z
          .looseObject({
            valid: z.boolean(),
            checks: z.array(z.looseObject({ name: z.string(), ok: z.boolean().nullable() })),
          })
          .nullable()
          .optional()
          .meta({ description: 'Whether the receipt is valid, if you asked for it. Null without a receipt.' }),
      })
      .nullable()
      .meta({ description: 'The response of the call. Null before the call.' }),
  })
  .meta({ id: 'Playground' });

export type PlaygroundAnswer = z.output<typeof PlaygroundSchema>;
