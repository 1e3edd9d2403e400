import { readFileSync } from 'node:fs';
import type { Clock } from '#kernel/clock.ts';
import type { GivenModels, GivenRegisters, Simulators } from '#platform/simulators.ts';
import { MODEL_SIMULATOR, ModelSimulator } from './model-provider/simulator.ts';
import { RegisterSimulators } from './registers/server.ts';
import { shopPage } from './shop-page.ts';

export interface SimulatorsOptions {
  readonly clock: Clock;
  /** Those that somebody else started and ends. */
  readonly registers: GivenRegisters | undefined;
  readonly models: GivenModels | undefined;
  /** Whether the settings leave models to a simulator. */
  readonly playsModels: boolean;
}

export type OpenSimulators = Simulators & AsyncDisposable;

/** Everything that the sandbox plays, but its chain. */
export async function openSimulators({
  clock,
  registers,
  models,
  playsModels,
}: SimulatorsOptions): Promise<OpenSimulators> {
  await using stack = new AsyncDisposableStack();
  const { url, cards } = registers ?? stack.use(await RegisterSimulators.start(() => clock.now()));
  const provider = playsModels ? (models?.simulator ?? stack.use(await ModelSimulator.start())) : undefined;
  const kept = stack.move();
  return {
    url,
    ...(cards !== undefined && { cards }),
    ...(provider !== undefined && {
      models: { url: provider.url, price: MODEL_SIMULATOR.price, timeoutMs: () => models?.timeoutMs },
    }),
    page: shopPage,
    catalogue: () => readFileSync(new URL('suppliers/catalogue.csv', import.meta.url), 'utf8'),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
