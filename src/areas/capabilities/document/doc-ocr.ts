import { z } from 'zod';
import { defineCapability, oneUnit, Unworkable } from '../capability.ts';
import { LABEL_PNG } from '../example-files.ts';
import { base64Field, exactlyOne, givenFile, imageError, urlField } from './given-file.ts';
import { DECODED_LIMITS } from '../heavy/heavy-limits.ts';

const word = z.strictObject({
  text: z.string(),
  confidence: z.number(),
  box: z.array(z.int()).length(4).meta({ description: 'x0, y0, x1 and y1 in pixels.' }),
});

export const docOcr = defineCapability({
  id: 'doc.ocr',
  title: 'Read text in an image',
  what: 'Reads printed text in a PNG or JPEG. The embedded mode needs the ocr extra and returns a confidence and a box for each word. The provider mode uses a model.',
  input: z
    .strictObject({
      image_base64: base64Field.optional(),
      url: urlField.optional(),
      languages: z
        .array(z.enum(['eng', 'nld']))
        .min(1)
        .max(2)
        .default(['eng']),
    })
    .refine(exactlyOne('image_base64', 'url'), 'Give either image_base64 or url.'),
  output: z.strictObject({ text: z.string(), confidence: z.number().nullable(), words: z.array(word) }),
  unit: 'page',
  units: oneUnit,
  embedded: {
    extra: 'ocr',
    async run(input, tools) {
      const bytes = await givenFile(input, 'image_base64', tools);
      if (bytes instanceof Unworkable) return bytes;
      const fault = imageError(bytes, 'image_base64', DECODED_LIMITS.ocrImage);
      if (fault !== undefined) return fault;
      const read = await tools.heavy('ocr', { bytes, languages: [...new Set(input.languages)] });
      return read instanceof Unworkable ? read.at('image_base64') : read;
    },
  },
  provider: {
    does: 'image',
    async ask(input, tools) {
      const image = await givenFile(input, 'image_base64', tools);
      if (image instanceof Unworkable) return image;
      const fault = imageError(image, 'image_base64');
      if (fault !== undefined) return fault;
      const instructions = 'Give the text in the image, line by line, exactly as it is written. Answer with it alone.';
      return { does: 'image', instructions, prompt: 'The image:', image };
    },
    read: (_, answer) => ({ text: String(answer), confidence: null, words: [] }),
  },
  example: {
    input: { image_base64: LABEL_PNG },
    output: {
      text: 'TOTAL 121',
      confidence: 96,
      words: [
        { text: 'TOTAL', confidence: 96, box: [24, 24, 222, 66] },
        { text: '121', confidence: 96, box: [276, 24, 390, 66] },
      ],
    },
  },
});
