import { type OpenArea, on } from '#kernel/area.ts';
import type { Operation } from '#kernel/operation.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { playgroundRows } from './operations.ts';
import { Playground, type PlaygroundOptions } from './service.ts';

export type PlaygroundNeeds = Pick<PlaygroundOptions, 'bound' | 'buyer' | 'problemDocument' | 'rowTool'>;

export interface OpenPlayground extends OpenArea {
  readonly desk: Playground;
}

/** Forms for trying those operations that say that they can be tried, in their order. */
export function playgroundArea(operations: readonly Operation[]) {
  const tried = operations
    .filter(({ tryable }) => tryable !== undefined)
    .toSorted((a, b) => (a.tryable as number) - (b.tryable as number));
  const paid = operations.filter(({ price }) => price !== null);
  const { show, run, pay } = playgroundRows(tried, paid);
  return {
    name: 'playground',
    open({ baseUrl, table }: Platform, needs: PlaygroundNeeds) {
      const offered = (rows: readonly Operation[]) => rows.filter((row) => table.operations.includes(row));
      return { desk: new Playground({ ...needs, tried: offered(tried), paid: offered(paid), baseUrl }) };
    },
    operations: [
      on(show, ({ desk }: OpenPlayground, given) => desk.show(given)),
      on(run, ({ desk }: OpenPlayground, given, call) => desk.run(given, call)),
      on(pay, ({ desk }: OpenPlayground, given, call) => desk.pay(given, call)),
    ],
  } satisfies PlatformArea<OpenPlayground, PlaygroundNeeds>;
}
