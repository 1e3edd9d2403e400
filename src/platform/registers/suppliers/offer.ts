/** What a supplier asks for a part. Quantities are thousandths of the part's unit, prices 10^-9 of the currency. */
export interface PartOffer {
  readonly supplier: string;
  readonly sku: string;
  readonly moqThousandths: number;
  readonly multipleThousandths: number;
  /** Null where the supplier does not say. */
  readonly stockThousandths: number | null;
  readonly leadDays: number | null;
  readonly currency: string;
  /** Ascending by quantity, at least one. */
  readonly breaks: readonly PriceBreak[];
  /** Null where the supplier does not say; `active` in any case of letters is the usual one. */
  readonly lifecycle: string | null;
  /** Null where the offer does not say who makes the part. */
  readonly manufacturer: string | null;
  /** Where the offer comes from: inline, embedded or the name of an adapter. */
  readonly source: string;
  readonly asOfMs: number;
}

export interface PriceBreak {
  readonly fromThousandths: number;
  readonly priceNano: number;
}
