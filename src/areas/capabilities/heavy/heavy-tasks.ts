import type { Invoice } from '../document/invoice.ts';

/** What is done in processes of their own; everything here can be sent to one, and every result is JSON. */
export interface HeavyTasks {
  readonly language: { readonly text: string };
  readonly summary: { readonly text: string; readonly sentences: number };
  readonly pdf: { readonly bytes: Uint8Array; readonly maxPages: number };
  readonly ocr: { readonly bytes: Uint8Array; readonly languages: readonly string[] };
  readonly barcode_read: { readonly bytes: Uint8Array };
  readonly barcode_write: { readonly text: string; readonly output: 'png' | 'svg' };
  readonly validation: {
    readonly data?: unknown;
    readonly csv?: string | undefined;
    readonly schema?: unknown;
  };
  readonly invoice: { readonly xml: string };
  readonly page_text: { readonly contentType: string | null; readonly body: Uint8Array };
  /** The embedded form of a capability that needs no tools. */
  readonly embedded: { readonly capability: string; readonly input: Readonly<Record<string, unknown>> };
  /** Never ends; for the test of the time limit. */
  readonly stuck: null;
}

export interface HeavyResults {
  readonly language: { language: string | null; reliable: boolean; scores: Record<string, number> };
  readonly summary: Span[];
  readonly pdf: { pages: number; text: string };
  readonly ocr: {
    text: string;
    confidence: number;
    words: { text: string; confidence: number; box: [number, number, number, number] }[];
  };
  readonly barcode_read: { format: string; text: string }[];
  readonly barcode_write: { image_base64: string | null; svg: string | null };
  readonly validation: { valid: boolean; errors: DataError[]; profile: Profile | null };
  readonly invoice: Invoice;
  readonly page_text: string | null;
  readonly embedded: Record<string, unknown>;
  readonly stuck: null;
}

/** What a CSV is like. */
export interface Profile {
  rows: number;
  duplicate_rows: number;
  columns: { name: string; type: string; nulls: number; distinct: number }[];
}

/** Offsets in UTF-16 code units, the end not included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface DataError {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** A task that its input makes impossible, by what it is or by what it would unpack to: a value, not a fault of the process. */
export class Impossible {
  readonly kind: 'input' | 'size';
  readonly code: string;
  readonly detail: string;

  constructor(code: string, detail: string, kind: Impossible['kind'] = 'input') {
    this.kind = kind;
    this.code = code;
    this.detail = detail;
  }
}
