import { readFileSync } from 'node:fs';
import type { Clock } from '#kernel/clock.ts';
import type { StandIns } from '#platform/stand-ins.ts';
import { MODEL_STAND_IN, ModelStandIn } from './model-provider/stand-in.ts';
import { RegisterStandIns } from './registers/server.ts';
import { shopPage } from './shop-page.ts';

/** Where registers are played; a single scripted register takes no cards. */
export type GivenRegisters = Pick<RegisterStandIns, 'url'> & Partial<Pick<RegisterStandIns, 'cards'>>;

/** A provider that outlives the service, and how long its answers are waited for: looked up for every question. */
export interface GivenModels {
  readonly standIn: Pick<ModelStandIn, 'url'>;
  readonly timeoutMs?: number;
}

export interface StandInsOptions {
  readonly clock: Clock;
  /** Those that somebody else started and ends. */
  readonly registers: GivenRegisters | undefined;
  readonly models: GivenModels | undefined;
  /** Whether the settings leave models to a stand-in. */
  readonly playsModels: boolean;
}

export interface OpenStandIns extends StandIns, AsyncDisposable {
  readonly cards?: RegisterStandIns['cards'];
}

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
