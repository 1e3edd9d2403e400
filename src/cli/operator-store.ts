import { type Config, readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { type Foundation, openFoundation } from '#platform/foundation.ts';
import { checkpointKeys } from '#platform/keys/key-view.ts';
import { attachToLog } from '#platform/log/public-log.ts';
import type { Output } from './line/output.ts';

type OpenOptions = Partial<Parameters<typeof openFoundation>[0]>;

export interface OpenedStore extends AsyncDisposable {
  readonly foundation: Foundation;
  readonly config: Config;
  readonly isSandbox: boolean;
}

/** Opens the database of this installation for its operator, alongside a running service. */
export async function openStore({ env, patience }: Output, options: OpenOptions = {}): Promise<OpenedStore> {
  const config = readConfig(env);
  const foundation = await openFoundation({ config, secrets: readSecrets(config), patience, ...options }, false);
  return {
    foundation,
    config,
    isSandbox: config.profile === 'sandbox',
    [Symbol.asyncDispose]: () => foundation[Symbol.asyncDispose](),
  };
}

/** Lets this process write to the public log; gives the log's origin. */
export function joinLog({ store, keyRing }: Foundation): Promise<string> {
  return attachToLog(store, (sequencer) => store.attachLog(sequencer), checkpointKeys(keyRing));
}
