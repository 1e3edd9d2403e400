import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import { board, boardKey } from './board-operations.ts';
import type { BoardView } from './board.ts';
import type { RuleDesk } from '#rules/rule-desk.ts';
import { look, watch } from './look-operations.ts';
import type { Looks } from './looks.ts';
import type { Watches } from './watches.ts';

/** The rows of this area that only read, in the order in which documents show them. */
export const READ_OPERATIONS = [look, watch, board, boardKey];

export function bindReads(
  looks: Looks,
  watches: Watches,
  view: BoardView,
  rules: Pick<RuleDesk, 'ofName'>,
): BoundOperation[] {
  return [
    bind(look, async (input, call) => {
      // A look that nobody asked for remembers no name.
      const isNamed = input.agent !== undefined && call.isUnasked !== true;
      return (isNamed ? await rules.ofName('agent', input.agent as string) : null) ?? looks.look(input, call);
    }),
    bind(watch, (input, call) => watches.watch(input, call)),
    bind(board, (_input, call) => view.show(call)),
    // A page that anybody may open is no look of an agent.
    bind(boardKey, ({ key }, call) => looks.look({ key, attempt: 0, probe: 'no' }, { ...call, isUnasked: true })),
  ];
}
