import { as, integer, nullable, table, text } from '#platform/storage/table.ts';

export const MEMORY = table(
  'fuse_memory',
  {
    payment: text(),
    intent: nullable(text()),
    prober: nullable(text()),
    payer: text(),
    amount: as('amountMicro', integer()),
    at: as('atMs', integer()),
  },
  { key: ['payment'] },
);

export const OF_PAYMENTS = MEMORY.select('WHERE payment IN (...)');
export const OF_INTENTS = MEMORY.select('WHERE intent IN (...)');
export const OF_PROBERS = MEMORY.select('WHERE prober IN (...)');
