import { join } from 'node:path';
import type { Config } from '#platform/config/config.ts';
import { newCommandId, sha256Hex } from '#kernel/ids.ts';
import { HIGH_WATER_FILE, parseCheckpointMemory } from '#platform/log/checkpoint-memory.ts';
import { LogError } from '#platform/log/log-error.ts';
import type { LogHead } from '#platform/log/public-log.ts';
import type { Checkpoint } from '#protocol/checkpoint.ts';
import { readTextIfThere, replaceDurably } from '#platform/storage/durable-file.ts';

const SANDBOX_ORIGIN = /^sandbox\.invalid\/[0-9a-f]{16}\/astralock$/;

/** Sandbox logs say so in their name, which every signed checkpoint carries. */
export function newLogOrigin(config: Config): string {
  if (config.profile === 'sandbox') return `sandbox.invalid/${sha256Hex(newCommandId()).slice(0, 16)}/astralock`;
  return configuredOrigin(config);
}

/** A log is never renamed: a start that means another one would sign in the wrong name. */
export function requireConfiguredOrigin(config: Config, stored: string): void {
  if (config.profile === 'sandbox') {
    if (SANDBOX_ORIGIN.test(stored)) return;
    throw new LogError(`the database holds the log ${stored} of production: set AVOUCH_PROFILE or another DATA_DIR`);
  }
  const meant = configuredOrigin(config);
  if (stored === meant) return;
  const advice = `set AVOUCH_LOG_ORIGIN=${stored} to go on with it, or correct DATABASE_URL and DATA_DIR`;
  throw new LogError(`the log in the database is named ${stored}, this configuration names it ${meant}: ${advice}`);
}

function configuredOrigin(config: Config): string {
  return config.logOrigin ?? `${new URL(config.baseUrl ?? '').host}/astralock`;
}

/** The newest checkpoint that processes of this data directory have seen, kept beside the database. */
export class CheckpointMemory {
  readonly #file: string;
  #size: bigint;
  readonly checkpoint: Checkpoint | undefined;

  constructor(dataDir: string) {
    this.#file = join(dataDir, HIGH_WATER_FILE);
    this.checkpoint = parseCheckpointMemory(readTextIfThere(this.#file));
    this.#size = this.checkpoint?.size ?? -1n;
  }

  /** Remembers a head that is newer than all before. */
  raise(head: LogHead): void {
    if (BigInt(head.size) <= this.#size) return;
    // Another process with the same directory may have seen more.
    const there = parseCheckpointMemory(readTextIfThere(this.#file));
    if (there === undefined || there.size < BigInt(head.size)) replaceDurably(this.#file, head.checkpoint);
    this.#size = BigInt(head.size);
  }
}
