import type { Capability } from './capability.ts';
import { codeBarcode } from './code-barcode.ts';
import { dataValidate } from './data-validate.ts';
import { docOcr } from './doc-ocr.ts';
import { docPdfText } from './doc-pdf-text.ts';
import { invoiceCheck } from './invoice-check.ts';
import { textAnswer } from './text-answer.ts';
import { textClassify } from './text-classify.ts';
import { textDraft } from './text-draft.ts';
import { textEmbed } from './text-embed.ts';
import { textExtract } from './text-extract.ts';
import { textLanguage } from './text-language.ts';
import { textRedact } from './text-redact.ts';
import { textSummarise } from './text-summarise.ts';
import { textTranslate } from './text-translate.ts';
import { webFetchSeal } from './web-fetch-seal.ts';

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
