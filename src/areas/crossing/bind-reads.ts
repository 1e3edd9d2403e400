import { type BoundOperation, bind } from '#kernel/operation.ts';
import { look, watch } from './look-operations.ts';
import type { Looks } from './looks.ts';
import type { Watches } from './watches.ts';

/** The rows of this area that only read, in the order in which documents show them. */
export const READ_OPERATIONS = [look, watch];

export function bindReads(looks: Looks, watches: Watches): BoundOperation[] {
  return [
    bind(look, (input, call) => looks.look(input, call)),
    bind(watch, (input, call) => watches.watch(input, call)),
  ];
}
