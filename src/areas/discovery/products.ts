import type { Operation } from '#kernel/operation.ts';

/** A row of the status page: what people buy or use, not which part of the program serves it. */
export interface Product {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  /** Components that this product needs beyond those that every call needs. */
  readonly needs: readonly string[];
}

const PAYMENTS: Product = {
  id: 'payments',
  title: 'Payments',
  tags: ['payments'],
  needs: ['payment', 'settlement'],
};

export const PRODUCTS: readonly Product[] = [
  { id: 'coordination', title: 'Coordination', tags: ['crossing', 'briefs', 'bounties'], needs: [] },
  { id: 'proof', title: 'Proof', tags: ['attestation'], needs: ['log', 'witnesses'] },
  { id: 'checks', title: 'Checks', tags: ['verdicts', 'audits'], needs: [] },
  PAYMENTS,
  { id: 'mandates', title: 'Mandates', tags: ['mandates'], needs: [] },
  {
    id: 'wallet',
    title: 'Wallet and work',
    tags: ['wallet', 'tasks', 'capabilities', 'orders', 'lessons'],
    needs: ['wallet'],
  },
  { id: 'mcp', title: 'MCP and search', tags: ['mcp', 'data'], needs: ['mcp', 'search'] },
  { id: 'site', title: 'Website and dashboard', tags: ['pages', 'discovery', 'cabinet'], needs: ['mail'] },
];

/** The products that an operation counts for. A paid check is both a check and a payment. */
export function productsOf({ tag, price }: Pick<Operation, 'tag' | 'price'>): readonly string[] {
  return PRODUCTS.filter((product) => product.tags.includes(tag) || (product === PAYMENTS && price !== null)).map(
    ({ id }) => id,
  );
}
