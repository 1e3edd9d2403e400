import { z } from 'zod';
import { defineCapability, oneUnit, Unworkable } from '../capability.ts';
import { BARCODE_PNG } from '../example-files.ts';
import { base64Field, exactlyOne, imageError } from './given-file.ts';

export const codeBarcode = defineCapability({
  id: 'code.barcode',
  title: 'Read or write a barcode',
  what: 'Reads QR, EAN, Code 128, Data Matrix and other codes in a PNG or JPEG, or writes a QR code as PNG or SVG.',
  input: z
    .strictObject({
      image_base64: base64Field.optional(),
      text: z.string().min(1).max(2_000).optional(),
      format: z.literal('qr').default('qr'),
      output: z.enum(['png', 'svg']).default('png'),
    })
    .refine(exactlyOne('image_base64', 'text'), 'Give either image_base64 or text.'),
  output: z.strictObject({
    values: z.array(z.strictObject({ format: z.string(), text: z.string() })),
    image_base64: z.string().nullable(),
    svg: z.string().nullable(),
  }),
  unit: 'image',
  units: oneUnit,
  embedded: {
    extra: 'documents',
    async run({ image_base64: image, text = '', output }, tools) {
      if (image === undefined) {
        const written = await tools.heavy('barcode_write', { text, output });
        if (written instanceof Unworkable) return written.at('text');
        return { values: [], ...written };
      }
      const bytes = new Uint8Array(Buffer.from(image, 'base64'));
      const fault = imageError(bytes, 'image_base64');
      if (fault !== undefined) return fault;
      const values = await tools.heavy('barcode_read', { bytes });
      if (values instanceof Unworkable) return values.at('image_base64');
      return { values: [...values], image_base64: null, svg: null };
    },
  },
  provider: null,
  example: {
    input: { image_base64: BARCODE_PNG },
    output: { values: [{ format: 'EAN13', text: '8712345678906' }], image_base64: null, svg: null },
  },
});
