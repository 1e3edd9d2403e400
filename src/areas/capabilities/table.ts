import type { Capability } from './capability.ts';
import { codeBarcode } from './document/code-barcode.ts';
import { dataValidate } from './document/data-validate.ts';
import { docOcr } from './document/doc-ocr.ts';
import { docPdfText } from './document/doc-pdf-text.ts';
import { invoiceCheck } from './document/invoice-check.ts';
import { textAnswer } from './text/text-answer.ts';
import { textClassify } from './text/text-classify.ts';
import { textDraft } from './text/text-draft.ts';
import { textEmbed } from './text/text-embed.ts';
import { textExtract } from './text/text-extract.ts';
import { textLanguage } from './text/text-language.ts';
import { textRedact } from './text/text-redact.ts';
import { textSummarise } from './text/text-summarise.ts';
import { textTranslate } from './text/text-translate.ts';
import { webFetchSeal } from './web/web-fetch-seal.ts';

/** All capabilities, in the order in which documents show them. */
export const CAPABILITIES: readonly Capability[] = [
  textLanguage,
  textRedact,
  textSummarise,
  textClassify,
  textExtract,
  textAnswer,
  textTranslate,
  textDraft,
  textEmbed,
  docPdfText,
  docOcr,
  codeBarcode,
  dataValidate,
  invoiceCheck,
  webFetchSeal,
];

export function capabilityById(id: string): Capability | undefined {
  return CAPABILITIES.find((capability) => capability.id === id);
}
