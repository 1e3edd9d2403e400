import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { isOnNetwork } from '#platform/storage/network-file-system.ts';
import { isPrivate } from '#platform/storage/private-file.ts';
import type { Config } from '#platform/config/config.ts';
import { ConfigError } from '#platform/config/config-error.ts';
import { type Env, SETTINGS } from '#platform/config/env.ts';
import { readExtras } from '#platform/config/extras.ts';
import { type InstalledVersion, packageFaults, readPackageExtras } from '#platform/config/packages.ts';
import { readSecrets, type Secrets } from '#platform/config/secrets.ts';
import { systemClock } from '#kernel/clock.ts';
import { readKeyFiles } from '#platform/keys/key-file.ts';
import { tryRecoverEngines } from '#protocol/payment/recover-engine.ts';
import { MANIFEST_FILE, readManifest } from '#platform/recovery/manifest.ts';
import { DataLock, LockedError } from '#platform/storage/data-lock.ts';
import { readWitnessPolicy } from '#platform/log/witness-policy-file.ts';
import { inspectSettings } from '../inspect-settings.ts';
import { askOthers } from './ask-others.ts';
import type { BackupFacts, FileFact, Installation } from './facts.ts';
import { gatherStore } from './gather-store.ts';

/** Looks at everything and changes nothing. */
export async function gatherFacts(env: Env, patience = 1, installedOf?: InstalledVersion): Promise<Installation> {
  const clock = systemClock();
  const { config, faults: settingFaults } = await inspectSettings(env);
  const faults = [...settingFaults];
  const secrets = tried(() => readSecrets(config), faults);
  tried(() => readWitnessPolicy(config), faults);
  const isServed = isLocked(config);
  const store = await gatherStore(config, secrets, { clock, patience });
  const missing = packageFaults(config, installedOf);
  return {
    env,
    config,
    faults,
    isServed,
    store,
    secretFiles: secretFiles(env, config),
    dataDir: {
      mode: modeOf(config.dataDir),
      isWritable: isWritable(config.dataDir),
      isNetwork: isOnNetwork(nearest(config.dataDir)),
    },
    isTrailWritable: isWritable(join(config.dataDir, 'trail')),
    freeBytes: freeBytes(config.dataDir),
    openFiles: openFiles(),
    listenFault: await listenFault(config),
    areSecretsRead: secrets !== undefined,
    keyFileFault: keyFileFault(config, secrets),
    recoverEngines: await tryRecoverEngines(config.secp256k1),
    extras: [...readExtras(), ...readPackageExtras(installedOf)],
    packageFaults: missing,
    asked: await askOthers({ config, secrets, faults, packageFaults: missing, isServed, store, clock, patience }),
    backup: backupFacts(store),
    // Later than what the store says, however long all this takes.
    nowMs: clock.now(),
  };
}

/** Errors of secret files are reported like errors of settings. */
function tried<T>(read: () => T, faults: string[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.push(...error.faults);
    return undefined;
  }
}

function secretFiles(env: Env, { dataDir }: Config): FileFact[] {
  const named = SETTINGS.flatMap(({ name, secret }) => {
    const setting = secret === true ? `${name}_FILE` : name;
    const isSecret = secret === true || /_(PASSPHRASE|SECRET|AUTH|KEY)_FILE$/.test(name);
    return isSecret && env[setting] ? [{ what: setting, path: env[setting] }] : [];
  });
  const own = ['server-secret', 'avouch.db'].map((name) => ({ what: name, path: join(dataDir, name) }));
  return [...named, ...own.filter(({ path }) => existsSync(path))].map((file) => ({
    ...file,
    mode: modeOf(file.path),
  }));
}

/** Without the right of a group by which the process alone reads it. */
function modeOf(path: string): number | null {
  try {
    const stats = statSync(path);
    return stats.mode & (stats.isFile() && isPrivate(stats) ? 0o700 : 0o777);
  } catch {
    return null;
  }
}

/** A path that is not there yet can be made where the nearest directory above it can be written. */
function isWritable(path: string): boolean {
  try {
    accessSync(nearest(path), constants.W_OK);
    return existsSync(path) ? statSync(path).isDirectory() : true;
  } catch {
    return false;
  }
}

function nearest(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearest(dirname(path));
}

function statfs(path: string): ReturnType<typeof statfsSync> | undefined {
  try {
    return statfsSync(nearest(path));
  } catch {
    return undefined;
  }
}

function freeBytes(path: string): number | null {
  const found = statfs(path);
  return found === undefined ? null : Number(found.bavail) * Number(found.bsize);
}

/** Only Linux tells. */
function openFiles(): number | null {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}

function isLocked({ dataDir, databaseUrl }: Config): boolean {
  const name = databaseUrl === null ? 'lock' : 'process-1';
  if (!existsSync(join(dataDir, `${name}.db`))) return false;
  try {
    DataLock.take(dataDir, name, process.pid)[Symbol.dispose]();
    return false;
  } catch (error) {
    return error instanceof LockedError;
  }
}

function listenFault({ host, port }: Config): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

function keyFileFault({ dataDir }: Config, secrets: Secrets | undefined): string | null {
  if (secrets === undefined) return null;
  try {
    readKeyFiles(join(dataDir, 'keys'), secrets.keyPassphrase?.reveal());
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The mark of a backup says where it was written and when. */
function backupFacts(store: Installation['store']): BackupFacts | null {
  const mark = store === null || typeof store === 'string' ? undefined : store.marks.get('backup');
  if (mark === undefined) return null;
  const directory = mark.detail.replace(/ as of \S+$/, '');
  if (!existsSync(directory)) return { isHere: false, tables: 0, fault: null };
  try {
    const { tables } = readManifest(directory);
    const lost = tables.filter(({ table }) => !existsSync(join(directory, `${table}.ndjson`)));
    const fault = lost.length === 0 ? null : `${MANIFEST_FILE} lists ${lost.length} missing files`;
    return { isHere: true, tables: tables.length, fault };
  } catch (error) {
    return { isHere: true, tables: 0, fault: (error as Error).message };
  }
}
