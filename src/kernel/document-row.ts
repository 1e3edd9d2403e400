/** What every row shares that anybody may read at any time for nothing. */
export const OPEN_ROW = {
  method: 'get',
  effects: false,
  access: 'none',
  price: null,
  rate: 'none',
  problems: [],
} as const;

/** What every row of a public document shares. */
export const DOCUMENT_ROW = { ...OPEN_ROW, isDocument: true, cache: { maxAgeSeconds: 300 } } as const;
