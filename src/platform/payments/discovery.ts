import { z } from 'zod';
import type { Operation } from '#kernel/operation.ts';
import {
  bazaarExtension,
  type DiscoveryExample,
  type PaymentExtension,
  shortBazaarExtension,
} from '#protocol/payment/extension.ts';

/** Parameters that a short `bazaar` names beside the required ones: fewer or none where a long address takes the room. */
const OPTIONAL_PARAMETERS = [6, 3, 0];

/** What catalogues are told of an operation. */
export interface Discovery {
  readonly full: PaymentExtension;
  /** From the longest to the shortest. */
  readonly short: readonly PaymentExtension[];
}

const made = new WeakMap<Operation, Discovery>();

export function discoveryOf(operation: Operation): Discovery {
  const discovery = made.get(operation) ?? makeDiscovery(operation);
  made.set(operation, discovery);
  return discovery;
}

function makeDiscovery({ examples: [example], input }: Operation): Discovery {
  const { $schema: _, ...querySchema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const discovery = {
    query: example?.input ?? {},
    querySchema: querySchema as DiscoveryExample['querySchema'],
    output: example?.output ?? {},
  };
  return {
    full: bazaarExtension(discovery),
    short: OPTIONAL_PARAMETERS.map((most) => shortBazaarExtension(discovery, most)),
  };
}
