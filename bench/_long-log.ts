// Makes a data directory with a long public log, through the real sequencer in big batches.
import { join } from 'node:path';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { checkpointKeys } from '#platform/keys/key-view.ts';
import { PublicLog } from '#platform/log/public-log.ts';
import type { DatabaseLocation } from '#platform/storage/engine.ts';
import { openFoundation } from '../src/platform/foundation.ts';
import { sealMany } from '../test/support/log.ts';

const BATCH = 8_192;

export interface LongLog {
  readonly location: DatabaseLocation;
  readonly vkeys: readonly string[];
  readonly head: { readonly size: number; readonly rootHex: string };
  /** Bytes that the tree in memory takes for an entry. */
  readonly treeBytesPerEntry: number;
}

/** Memory after collections; what lies outside the heap is freed only some turns later. */
async function settledMemory(): Promise<NodeJS.MemoryUsage> {
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return process.memoryUsage();
}

export async function makeLongLog(env: Record<string, string>, entries: number): Promise<LongLog> {
  const config = readConfig(env);
  await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, true);
  const { store, keyRing } = foundation;
  const options = {
    store,
    attach: (sequencer: Parameters<typeof store.attachLog>[0]) => store.attachLog(sequencer),
    keys: checkpointKeys(keyRing),
    newOrigin: `sandbox.invalid/${'0'.repeat(16)}/astralock`,
    sandbox: true,
  };
  let { size } = (await PublicLog.open(options)).head();
  while (size < entries) {
    const count = Math.min(BATCH, entries - size);
    await sealMany(store, count);
    size += count;
  }
  const before = await settledMemory();
  const log = await PublicLog.open(options);
  const after = await settledMemory();
  while ((await log.keepTiles(1_024)) > 0);
  const grown = after.heapUsed + after.external - before.heapUsed - before.external;
  const { rootHex } = log.head();
  return {
    location:
      env['DATABASE_URL'] === undefined ? { file: join(config.dataDir, 'avouch.db') } : { url: env['DATABASE_URL'] },
    vkeys: log.vkeys(),
    head: { size, rootHex },
    treeBytesPerEntry: grown / size,
  };
}
