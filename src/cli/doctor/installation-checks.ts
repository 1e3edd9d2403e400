import { asSentence } from '#kernel/sentence.ts';
import { describeExtra } from '#platform/config/extras.ts';
import type { Config } from '#platform/config/config.ts';
import { DAY_MS, HOUR_MS, isoTime } from '#kernel/clock.ts';
import { requestsPerDay } from '#platform/log/application.ts';
import { witnessOperator } from '#protocol/witness-policy.ts';
import {
  type DurabilityRisk,
  NETWORK_FILE_SYSTEM,
  risksOf,
  type ServerFacts,
  waitsForStandby,
} from '#platform/storage/durability.ts';
import type { EngineFacts } from '#platform/storage/engine-facts.ts';
import { hostUrls } from '#platform/storage/postgres-hosts.ts';
import {
  type DoctorCheck,
  type DoctorVerdict,
  fail,
  isProduction,
  notChecked,
  ofAsked,
  ofStore,
  ok,
  warn,
} from './check.ts';
import type { Installation, WitnessFact } from './facts.ts';
import { daysBetween } from './time-span.ts';

const GIB = 1_073_741_824;
const MIN_FREE = GIB;
const LITTLE_FREE = 5 * GIB;
const CLOCK_OFF_MS = 500;
const CLOCK_WRONG_MS = 5_000;
const BACKUP_LATE_HOURS = 26;
const BACKUP_OLD_DAYS = 7;
const OTHERS = 0o077;
const SENDER_SILENT_MS = 15_000;
/** The risk of the check of replication; the others are of durability. */
const ASYNCHRONOUS = 'asynchronous_standby';

/** Files on this machine and the content of the database. */
export const INSTALLATION_CHECKS: readonly DoctorCheck[] = [
  {
    id: 'data-dir',
    what: 'Data directory',
    settings: /^DATA_DIR$/,
    check: ({ config, dataDir }) => {
      if (!dataDir.isWritable) return fail(`${config.dataDir} is not writable.`, 'Give this user write permission.');
      if (dataDir.mode !== null && (dataDir.mode & OTHERS) !== 0) {
        return fail(
          `Other users can read ${config.dataDir} (mode ${dataDir.mode.toString(8)}).`,
          'Run chmod 700 on it.',
        );
      }
      const found = dataDir.mode === null ? 'does not exist yet and can be created' : 'is writable and private';
      return ok(`${config.dataDir} ${found}.`);
    },
  },
  {
    id: 'disk-space',
    what: 'Disk space',
    check: ({ freeBytes }) => {
      const left = `${((freeBytes ?? 0) / GIB).toFixed(1)} GiB are free.`;
      if (freeBytes === null) return notChecked('The free space of DATA_DIR cannot be read.');
      if (freeBytes < MIN_FREE) return fail(left, 'Free some space. With a full disk every write fails.');
      return freeBytes < LITTLE_FREE ? warn(left, 'Free some space.') : ok(left);
    },
  },
  {
    id: 'audit-trail',
    what: 'Audit trail',
    check: ({ isTrailWritable }) =>
      isTrailWritable
        ? ok('DATA_DIR/trail is writable.')
        : fail('DATA_DIR/trail is not writable.', 'Make it a directory that this user can write.'),
  },
  {
    id: 'secret-files',
    what: 'Secret files',
    check: ({ secretFiles }) => {
      const gone = secretFiles.filter(({ mode }) => mode === null);
      const open = secretFiles.filter(({ mode }) => ((mode ?? 0) & OTHERS) !== 0);
      if (gone.length > 0)
        return fail(`These files cannot be read: ${listed(gone)}.`, 'Correct the paths or the permissions.');
      if (open.length > 0) return fail(`Other users can read ${listed(open)}.`, 'Run chmod 600 on them.');
      if (secretFiles.length === 0) return notChecked('There are no secret files.');
      return ok(`Each file exists and is private: ${secretFiles.map(({ what }) => what).join(', ')}.`);
    },
  },
  {
    id: 'key-passphrase',
    what: 'Private key encryption',
    settings: /^AVOUCH_KEY_PASSPHRASE_FILE$/,
    check: ({ config }) =>
      config.keyPassphraseFile === null ? ok('The sandbox keeps its keys unencrypted.') : ok('A passphrase is set.'),
  },
  {
    id: 'keys',
    what: 'Active key files',
    check: (facts) => {
      const cure = 'Restore the file from its backup, or follow the runbook for a lost key.';
      if (facts.keyFileFault !== null) return fail(asSentence(facts.keyFileFault), cure);
      if (!facts.areSecretsRead) return notChecked('The secret files are wrong.');
      return ofStore(({ keyFault }) =>
        keyFault === null ? ok('Each key file exists, is readable and private.') : fail(asSentence(keyFault), cure),
      )(facts);
    },
  },
  {
    id: 'server-secret',
    what: 'Server secret',
    settings: /^AVOUCH_SERVER_SECRET_FILE$/,
    check: ofStore(({ secretFault }) =>
      secretFault === null
        ? ok('It matches the database.')
        : fail(asSentence(secretFault), 'Restore the file, or run ./avouch keys accept-secret.'),
    ),
  },
  {
    id: 'database',
    what: 'Database connection',
    settings: /^DATABASE_URL$/,
    check: ({ store }) => {
      if (typeof store === 'string') return fail(asSentence(store), 'Start the database or correct DATABASE_URL.');
      if (store === null) return notChecked('There is none yet. The first start creates it.');
      return ok(`${store.engine.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} answers.`);
    },
  },
  {
    id: 'durability',
    what: 'Database durability',
    check: ofStore(({ engine }, { dataDir }) => {
      const { settings } = engine;
      if (engine.engine === 'sqlite') {
        if (dataDir.isNetwork) return failsBy(NETWORK_FILE_SYSTEM);
        const isWal = settings['journal_mode'] === 'wal';
        return isWal
          ? ok('WAL mode with synchronous=FULL.')
          : warn('The file is not in WAL mode.', 'Start the service once.');
      }
      const risk = risksOf(asServed(engine)).find(({ id }) => id !== ASYNCHRONOUS);
      if (risk !== undefined) return failsBy(risk);
      if (!engine.keepsOptions)
        return warn('The connection drops the settings that the service asks for.', 'Connect without a pooler.');
      const found = `synchronous_commit = ${settings['synchronous_commit']}`;
      if (waitsForStandby(engine)) return ok(`${found}.`);
      return warn(`${found}, which the service overrides.`, 'Set it to on. Other tools inherit it.');
    }),
  },
  {
    id: 'replication',
    what: 'Database replication',
    check: ofStore(({ engine }, { config }) => {
      const { standbys, settings } = engine;
      if (standbys === 0) return ok('There is no standby.');
      const streams = standbys === 1 ? '1 standby' : `${standbys} standbys`;
      const risk = risksOf(engine).find(({ id }) => id === ASYNCHRONOUS);
      if (risk !== undefined) return failsBy(risk, `${streams}, none synchronous. `);
      if (config.databaseUrl !== null && hostUrls(config.databaseUrl.reveal()).length === 1)
        return warn(
          `${streams}, but DATABASE_URL names only one server.`,
          'Name every server, unless the address always leads to the primary.',
        );
      const silentMs = Number(settings['wal_sender_timeout']);
      if (silentMs === 0 || silentMs > SENDER_SILENT_MS)
        return warn(
          `wal_sender_timeout = ${silentMs} ms. A primary that is cut off takes that long to stop.`,
          'Set it to 4s to 10s.',
        );
      return ok(`${streams}, synchronous: ${settings['synchronous_standby_names']}.`);
    }),
  },
  {
    id: 'schema',
    what: 'Database schema',
    check: ofStore(({ schema }) => {
      if (schema.fault !== null)
        return fail(asSentence(schema.fault), 'Run the release that created it, or a newer one.');
      if (schema.missing === 0) return ok('The schema is up to date.');
      return warn(`${schema.missing} migrations are pending.`, 'Make a backup. The next start applies them.');
    }),
  },
  {
    id: 'store',
    what: 'Database matches this installation',
    check: ofStore(({ marks }) => {
      const moved = marks.get('moved');
      if (moved !== undefined)
        return fail(`It was moved to ${moved.detail}.`, 'Set DATABASE_URL or DATA_DIR to that one.');
      const isArriving = marks.has('arriving');
      return isArriving
        ? fail('A move into it did not finish.', 'Empty it and run ./avouch migrate-store again.')
        : ok('It was not moved elsewhere.');
    }),
  },
  {
    id: 'log',
    what: 'Public log',
    settings: /^AVOUCH_LOG_ORIGIN$/,
    check: ofStore(({ logHead, logFault }) => {
      if (logFault !== null) return fail(asSentence(logFault), 'See docs/run.md#log-protection.');
      return logHead === null
        ? notChecked('There is no log yet.')
        : ok('The log is the one that this installation signed.');
    }),
  },
  {
    id: 'rollback',
    what: 'Data directory is the newest one',
    check: ofAsked('witnesses', 'See docs/run.md#restored-or-copied-data-directories.'),
  },
  {
    id: 'clock',
    what: 'Clocks of machine, database and log',
    check: ofStore(({ engine: { clockAheadMs }, headAtMs }, { nowMs }) => {
      const cure = 'Synchronise the machines with NTP.';
      const off = Math.abs(clockAheadMs ?? 0);
      if (off > CLOCK_WRONG_MS) return fail(`The database clock is off by ${off} ms.`, cure);
      if (headAtMs > nowMs + CLOCK_WRONG_MS) {
        return fail(`The latest change is from ${isoTime(headAtMs)}, but it is now ${isoTime(nowMs)}.`, cure);
      }
      if (off > CLOCK_OFF_MS) return warn(`The database clock is off by ${off} ms.`, cure);
      const database = clockAheadMs === null ? '' : ` The database clock is off by ${off} ms.`;
      return ok(
        `${headAtMs === 0 ? 'There is no change yet.' : `The latest change is from ${isoTime(headAtMs)}.`}${database}`,
      );
    }),
  },
  {
    id: 'witness',
    what: 'Log witnesses',
    settings: /^AVOUCH_WITNESS_/,
    check: (facts) => {
      if (facts.config.witnessPolicyFile === null) {
        const text = 'The log has no witnesses, so nobody else can prove that it was not rewritten.';
        return isProduction(facts)
          ? warn(text, 'Set AVOUCH_WITNESS_POLICY_FILE.')
          : notChecked('No witness is configured.');
      }
      const states = typeof facts.store === 'object' ? (facts.store?.witnesses ?? []) : [];
      const failing = states.filter(({ outcome }) => outcome !== 'cosigned');
      if (states.length === 0) return notChecked('No witness was queried yet.');
      const fault = rateFault(facts.config) ?? independenceFault(states, facts);
      if (failing.length === 0 && fault !== null) return fault;
      if (failing.length === 0) return ok(`${states.length} cosigned the latest request.`);
      const found = failing.map(({ name, outcome }) => `${name}: ${outcome}`).join(', ');
      return warn(`${found}.`, 'Ask their operators, or change the policy.');
    },
  },
  {
    id: 'ledger',
    what: 'Ledger not halted',
    check: ofStore(({ isLedgerHalted }) =>
      isLedgerHalted
        ? fail(
            'An audit halted the ledger, so wallet payments are paused.',
            'Run ./avouch ledger audit. See docs/run.md.',
          )
        : ok('No audit has halted the ledger.'),
    ),
  },
  {
    id: 'backup',
    what: 'Latest backup',
    check: ofStore(({ marks }, { nowMs, backup }) => {
      const last = marks.get('backup');
      if (last === undefined) return warn('There is no backup.', 'Run ./avouch backup every night.');
      const hours = Math.floor((nowMs - last.atMs) / HOUR_MS);
      const found = `${last.detail}, ${hours} hours ago`;
      if (daysBetween(last.atMs, nowMs) >= BACKUP_OLD_DAYS)
        return fail(`${found}.`, 'Run ./avouch backup every night.');
      if (hours > BACKUP_LATE_HOURS) return warn(`${found}.`, 'Run ./avouch backup every night.');
      if (backup?.fault != null)
        return fail(asSentence(`${found}: ${backup.fault}`), 'Make another backup and check the disk.');
      if (backup?.isHere !== true)
        return notChecked(`${found}. It is not on this machine, so its files were not checked.`);
      return ok(`${found}: ${backup.tables} ${backup.tables === 1 ? 'table' : 'tables'}, no file is missing.`);
    }),
  },
  {
    id: 'extras',
    what: 'Installed extras',
    check: ({ extras, packageFaults: [needed, ...more] }) => {
      if (needed !== undefined) return fail([needed, ...more].map((fault) => `${fault}.`).join(' '), '');
      const torn = extras.filter(({ state }) => state === 'incomplete');
      if (torn.length === 0) return ok(extras.map(describeExtra).join(' '));
      const cures = torn.map(({ install }) => install);
      return warn(torn.map(describeExtra).join(' '), `Run ${cures.join(', ')}.`);
    },
  },
];

function failsBy({ text, fix }: DurabilityRisk, found = ''): DoctorVerdict {
  return fail(`${found}${text}`, fix);
}

/** What the service sets for itself, where the connection lets it. */
function asServed({ settings, standbys, keepsOptions }: EngineFacts): ServerFacts {
  return { settings: keepsOptions ? { ...settings, synchronous_commit: 'on' } : settings, standbys };
}

function listed(files: readonly { readonly what: string; readonly path: string }[]): string {
  return files.map(({ what, path }) => (what === path ? path : `${path} (${what})`)).join(', ');
}

/** Witnesses block a log that asks more often than their list allows. */
function rateFault({ witnessQpd, witnessEverySeconds }: Config): DoctorVerdict | null {
  const perDay = requestsPerDay(witnessEverySeconds);
  if (witnessQpd === null || perDay <= witnessQpd) return null;
  const found = `The log asks its witnesses ${perDay} times a day, and AVOUCH_WITNESS_QPD is ${witnessQpd}.`;
  return warn(found, 'Raise AVOUCH_WITNESS_EVERY_S, or apply for a higher rate.');
}

/** A witness that we run ourselves proves nothing against us, and two of one operator no more than one. */
function independenceFault(states: readonly WitnessFact[], { nowMs, store }: Installation): DoctorVerdict | null {
  const origin = typeof store === 'object' ? (store?.logHead?.origin ?? '') : '';
  const recent = states.filter(({ outcome, atMs }) => outcome === 'cosigned' && nowMs - atMs <= DAY_MS);
  const operators = new Set(recent.map(({ operator }) => operator));
  operators.delete(witnessOperator(origin));
  if (operators.size >= 2) return null;
  const found = `Independent operators that cosigned in the last day: ${operators.size}.`;
  return warn(found, 'Add witnesses of two other operators. ./avouch log application prints what to send them.');
}
