import { z } from 'zod';
import { sha256HexInTurns } from '#kernel/long-hash.ts';
import { defineCapability, Unworkable } from '../capability.ts';
import { INVOICE_PDF } from '../example-files.ts';
import { base64Field, exactlyOne, givenFile, urlField } from './given-file.ts';

const MAX_PAGES = 500;

export const docPdfText = defineCapability({
  id: 'doc.pdf_text',
  title: 'Extract text from a PDF',
  what: `Returns the text layer of a PDF with at most ${MAX_PAGES} pages. Scanned pages have no text layer: use doc.ocr for them.`,
  input: z
    .strictObject({ pdf_base64: base64Field.optional(), url: urlField.optional() })
    .refine(exactlyOne('pdf_base64', 'url'), 'Give either pdf_base64 or url.'),
  output: z.strictObject({ pages: z.int(), text: z.string(), sha256: z.string() }),
  unit: 'page',
  units: (_, output) => output?.pages ?? MAX_PAGES,
  embedded: {
    extra: 'documents',
    async run(input, tools) {
      const bytes = await givenFile(input, 'pdf_base64', tools);
      if (bytes instanceof Unworkable) return bytes;
      const sha256 = await sha256HexInTurns(bytes);
      const read = await tools.heavy('pdf', { bytes, maxPages: MAX_PAGES });
      if (read instanceof Unworkable) return read.at('pdf_base64');
      return { ...read, sha256 };
    },
  },
  provider: null,
  example: {
    input: { pdf_base64: INVOICE_PDF },
    output: {
      pages: 1,
      text: 'Invoice 2026-001',
      sha256: '6a70e697bc64ff23d923b0d7deac0ced0ed16ddf38b24488366a04b5544980b9',
    },
  },
});
