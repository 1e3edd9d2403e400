import { z } from 'zod';
import { defineOperation, FileResponse } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { CSS_MEDIA, SCRIPT_MEDIA, servedAsset } from '#web/assets.ts';
import { unknownAsset } from '../problems.ts';

const A_YEAR = { maxAgeSeconds: 31_536_000, immutable: true } as const;

export const asset = defineOperation({
  operationId: 'page_asset',
  tag: 'pages',
  method: 'get',
  path: '/assets/{name}',
  summary: 'Get a style sheet or script',
  description: 'The name contains the hash of the content, so a file never changes. Caches keep it for a year.',
  input: z.strictObject({ name: z.string().max(120).meta({ description: 'File name, as used in the pages.' }) }),
  output: z.string(),
  mediaType: CSS_MEDIA,
  otherMediaTypes: [SCRIPT_MEDIA],
  effects: false,
  access: 'none',
  price: null,
  rate: 'none',
  cache: A_YEAR,
  problems: [unknownAsset],
  examples: [{ name: 'style sheet', input: { name: 'site-0123456789ab.css' }, output: ':root {}' }],
});

export function serveAsset(name: string): FileResponse | Refusal {
  const found = servedAsset(name);
  if (found === undefined)
    return new Refusal(unknownAsset, { detail: 'There is no file with this name. Reload the page.' });
  return new FileResponse(found.mediaType, found.bytes, false, A_YEAR);
}
