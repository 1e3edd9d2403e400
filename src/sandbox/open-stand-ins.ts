import { readFileSync } from 'node:fs';
import type { Clock } from '#kernel/clock.ts';
import type { GivenModels, GivenRegisters, StandIns } from '#platform/stand-ins.ts';
import { MODEL_STAND_IN, ModelStandIn } from './model-provider/stand-in.ts';
import { RegisterStandIns } from './registers/server.ts';
import { shopPage } from './shop-page.ts';

export interface StandInsOptions {
  readonly clock: Clock;
  /** Those that somebody else started and ends. */
  readonly registers: GivenRegisters | undefined;
  readonly models: GivenModels | undefined;
  /** Whether the settings leave models to a stand-in. */
  readonly playsModels: boolean;
}

export type OpenStandIns = StandIns & AsyncDisposable;

/** Everything that the sandbox plays, but its chain. */
export async function openStandIns({ clock, registers, models, playsModels }: StandInsOptions): Promise<OpenStandIns> {
  await using stack = new AsyncDisposableStack();
  const { url, cards } = registers ?? stack.use(await RegisterStandIns.start(() => clock.now()));
  const provider = playsModels ? (models?.standIn ?? stack.use(await ModelStandIn.start())) : undefined;
  const kept = stack.move();
  return {
    url,
    ...(cards !== undefined && { cards }),
    ...(provider !== undefined && {
      models: { url: provider.url, price: MODEL_STAND_IN.price, timeoutMs: () => models?.timeoutMs },
    }),
    page: shopPage,
    catalogue: () => readFileSync(new URL('suppliers/catalogue.csv', import.meta.url), 'utf8'),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
