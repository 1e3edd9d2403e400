import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import { designPages } from './design.ts';

const shared = {
  tag: 'pages',
  method: 'get',
  effects: false,
  auth: 'none',
  price: null,
  rate: 'none',
  problems: [],
} as const;
const NoInput = z.strictObject({});

export const designPage = defineOperation({
  ...shared,
  operationId: 'design',
  path: '/design',
  summary: 'The components of the pages',
  description: 'Tokens and components that every page is made of.',
  input: NoInput,
  output: z
    .strictObject({
      tokens: z.array(z.strictObject({ name: z.string(), light: z.string(), dark: z.string() })),
      components: z.array(z.strictObject({ name: z.string(), what: z.string() })),
    })
    .meta({ id: 'Design' }),
  cache: { maxAgeSeconds: 300 },
  pages: designPages,
  examples: [
    {
      name: 'design',
      input: {},
      output: {
        tokens: [{ name: 'ink', light: '#17202b', dark: '#e7ecf2' }],
        components: [{ name: 'table', what: 'Rows and columns' }],
      },
    },
  ],
});
