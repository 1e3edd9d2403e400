import { type BoundOperation, bind } from '#kernel/operation.ts';
import type { RuleDesk } from '#rules/rule-desk.ts';
import { look, watch } from './look-operations.ts';
import type { Looks } from './looks.ts';
import type { Watches } from './watches.ts';

/** The rows of this area that only read, in the order in which documents show them. */
export const READ_OPERATIONS = [look, watch];

export function bindReads(looks: Looks, watches: Watches, rules: Pick<RuleDesk, 'ofName'>): BoundOperation[] {
  return [
    bind(look, async (input, call) => {
      // A look that nobody asked for remembers no name.
      const isNamed = input.agent !== undefined && call.isUnasked !== true;
      return (isNamed ? await rules.ofName('agent', input.agent as string) : null) ?? looks.look(input, call);
    }),
    bind(watch, (input, call) => watches.watch(input, call)),
  ];
}
