/** What every row of a public document shares. */
export const DOCUMENT_ROW = {
  method: 'get',
  effects: false,
  auth: 'none',
  price: null,
  rate: 'none',
  problems: [],
  isDocument: true,
  cache: { maxAgeSeconds: 300 },
} as const;
