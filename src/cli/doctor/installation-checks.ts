import { describeExtra } from '#platform/config/extras.ts';
import { HOUR_MS, isoTime } from '#kernel/clock.ts';
import { hostUrls } from '#platform/storage/postgres-hosts.ts';
import { type DoctorCheck, fail, isProduction, notChecked, ofAsked, ofStore, ok, warn } from './check.ts';
import { daysBetween } from './time-span.ts';

const GIB = 1_073_741_824;
const MIN_FREE = GIB;
const LITTLE_FREE = 5 * GIB;
const CLOCK_OFF_MS = 500;
const CLOCK_WRONG_MS = 5_000;
const BACKUP_LATE_HOURS = 26;
const BACKUP_OLD_DAYS = 7;
const OTHERS = 0o077;
const WAITS_FOR_STANDBY = new Set(['on', 'remote_apply']);
const SENDER_SILENT_MS = 15_000;

/** What lies on this machine and in the database. */
export const INSTALLATION_CHECKS: readonly DoctorCheck[] = [
  {
    id: 'data-dir',
    what: 'data directory',
    settings: /^DATA_DIR$/,
    check: ({ config, dataDir }) => {
      if (!dataDir.isWritable)
        return fail(`${config.dataDir} cannot be written`, 'give this user the right to write it');
      if (dataDir.mode !== null && (dataDir.mode & OTHERS) !== 0) {
        return fail(`others may look into ${config.dataDir} (mode ${dataDir.mode.toString(8)})`, 'chmod 700 it');
      }
      const found = dataDir.mode === null ? 'is not there yet and can be made' : 'can be written and is private';
      return ok(`${config.dataDir} ${found}`);
    },
  },
  {
    id: 'disk-space',
    what: 'room on the disk',
    check: ({ freeBytes }) => {
      const left = `${((freeBytes ?? 0) / GIB).toFixed(1)} GiB free`;
      if (freeBytes === null) return notChecked('the free space of DATA_DIR cannot be read');
      if (freeBytes < MIN_FREE) return fail(left, 'free some space: a full disk refuses every write');
      return freeBytes < LITTLE_FREE ? warn(left, 'free some space') : ok(left);
    },
  },
  {
    id: 'audit-trail',
    what: 'audit trail',
    check: ({ isTrailWritable }) =>
      isTrailWritable
        ? ok('DATA_DIR/trail can be written')
        : fail('DATA_DIR/trail cannot be written', 'make it a directory that this user may write'),
  },
  {
    id: 'secret-files',
    what: 'files with secrets',
    check: ({ secretFiles }) => {
      const gone = secretFiles.filter(({ mode }) => mode === null);
      const open = secretFiles.filter(({ mode }) => ((mode ?? 0) & OTHERS) !== 0);
      if (gone.length > 0) return fail(`cannot be looked at: ${listed(gone)}`, 'correct the paths or the rights');
      if (open.length > 0) return fail(`others may read ${listed(open)}`, 'chmod 600 them');
      if (secretFiles.length === 0) return notChecked('there is no file with a secret');
      return ok(`each is there and private: ${secretFiles.map(({ what }) => what).join(', ')}`);
    },
  },
  {
    id: 'key-passphrase',
    what: 'encryption of private keys',
    settings: /^AVOUCH_KEY_PASSPHRASE_FILE$/,
    check: ({ config }) =>
      config.keyPassphraseFile === null ? ok('the sandbox keeps them unencrypted') : ok('a passphrase is set'),
  },
  {
    id: 'keys',
    what: 'files of the keys in force',
    check: (facts) => {
      const cure = 'copy the file there from its backup, or see the runbook of a lost key';
      if (facts.keyFileFault !== null) return fail(facts.keyFileFault, cure);
      if (!facts.areSecretsRead) return notChecked('the files of secrets have faults');
      return ofStore(({ keyFault }) =>
        keyFault === null ? ok('each is there, readable and private') : fail(keyFault, cure),
      )(facts);
    },
  },
  {
    id: 'server-secret',
    what: 'server secret',
    settings: /^AVOUCH_SERVER_SECRET_FILE$/,
    check: ofStore(({ secretFault }) =>
      secretFault === null
        ? ok('it is that of the database')
        : fail(secretFault, 'restore the file, or run ./avouch keys accept-secret'),
    ),
  },
  {
    id: 'database',
    what: 'database',
    settings: /^DATABASE_URL$/,
    check: ({ store }) => {
      if (typeof store === 'string') return fail(store, 'start the database or correct DATABASE_URL');
      return store === null
        ? notChecked('there is none yet: the first start makes it')
        : ok(`${store.engine.engine} answers`);
    },
  },
  {
    id: 'durability',
    what: 'durability of the database',
    check: ofStore(({ engine }, { dataDir }) => {
      const { settings } = engine;
      if (engine.engine === 'sqlite') {
        if (dataDir.isNetwork)
          return fail('the database lies on a network file system', 'put DATA_DIR on a local disk');
        const isWal = settings['journal_mode'] === 'wal';
        return isWal ? ok('WAL, synchronous=FULL') : warn('the file is not in WAL mode', 'start the service once');
      }
      for (const name of ['fsync', 'full_page_writes']) {
        if (settings[name] !== 'on') return fail(`${name} = ${settings[name]}`, `set ${name} = on in postgresql.conf`);
      }
      if (settings['synchronous_commit'] !== 'off') return ok(`synchronous_commit = ${settings['synchronous_commit']}`);
      return warn('synchronous_commit = off, which the service overrides', 'set it on: other tools inherit it');
    }),
  },
  {
    id: 'replication',
    what: 'standbys of the database',
    check: ofStore(({ engine }, { config }) => {
      const { standbys, synchronousStandbys, settings } = engine;
      if (standbys === 0) return ok('no standby');
      const streams = standbys === 1 ? '1 standby' : `${standbys} standbys`;
      if (synchronousStandbys === '')
        return fail(
          `${streams}, none synchronous: a failover would fork the log`,
          'set synchronous_standby_names (Patroni: synchronous_mode and synchronous_mode_strict)',
        );
      if (!WAITS_FOR_STANDBY.has(settings['synchronous_commit'] ?? ''))
        return warn(
          `synchronous_commit = ${settings['synchronous_commit']}, which the service overrides`,
          'set it on: a pooler between would drop what the service asks for',
        );
      if (config.databaseUrl !== null && hostUrls(config.databaseUrl.reveal()).length === 1)
        return warn(
          `${streams}, and DATABASE_URL names one server`,
          'name every server, unless the address always leads to the primary',
        );
      const silentMs = Number(settings['wal_sender_timeout']);
      if (silentMs === 0 || silentMs > SENDER_SILENT_MS)
        return warn(
          `wal_sender_timeout = ${silentMs} ms: a primary that is cut off takes that long to stop`,
          'set it to 4s to 10s',
        );
      return ok(`${streams}, synchronous: ${synchronousStandbys}`);
    }),
  },
  {
    id: 'schema',
    what: 'schema of the database',
    check: ofStore(({ schema }) => {
      if (schema.fault !== null) return fail(schema.fault, 'run the release that made it, or a newer one');
      if (schema.missing === 0) return ok('it is that of this release');
      return warn(`${schema.missing} steps are missing`, 'make a backup; the next start applies them');
    }),
  },
  {
    id: 'store',
    what: 'whether this is the database to serve',
    check: ofStore(({ marks }) => {
      const moved = marks.get('moved');
      if (moved !== undefined)
        return fail(`it was moved to ${moved.detail}`, 'set DATABASE_URL or DATA_DIR to that one');
      const isArriving = marks.has('arriving');
      return isArriving
        ? fail('a move into it was not finished', 'empty it and run ./avouch migrate-store again')
        : ok('it was not moved elsewhere');
    }),
  },
  {
    id: 'log',
    what: 'public log',
    settings: /^AVOUCH_LOG_ORIGIN$/,
    check: ofStore(({ logHead, logFault }) => {
      if (logFault !== null) return fail(logFault, 'see The public log at start');
      return logHead === null ? notChecked('there is no log yet') : ok('it is the one that this installation signed');
    }),
  },
  {
    id: 'rollback',
    what: 'whether the data directory is the newest one',
    check: ofAsked('witnesses', 'see A data directory that was put back'),
  },
  {
    id: 'clock',
    what: 'clocks of machine, database and log',
    check: ofStore(({ engine: { clockAheadMs }, headAtMs }, { nowMs }) => {
      const cure = 'let the machines keep time by NTP';
      const off = Math.abs(clockAheadMs ?? 0);
      if (off > CLOCK_WRONG_MS) return fail(`the clock of the database is off by ${off} ms`, cure);
      if (headAtMs > nowMs + CLOCK_WRONG_MS) {
        return fail(`the newest change is of ${isoTime(headAtMs)}, now is ${isoTime(nowMs)}`, cure);
      }
      if (off > CLOCK_OFF_MS) return warn(`the clock of the database is off by ${off} ms`, cure);
      const database = clockAheadMs === null ? '' : `; the clock of the database is off by ${off} ms`;
      return ok(`${headAtMs === 0 ? 'no change yet' : `the newest change is of ${isoTime(headAtMs)}`}${database}`);
    }),
  },
  {
    id: 'witness',
    what: 'witnesses of the log',
    settings: /^AVOUCH_WITNESS_/,
    check: (facts) => {
      if (facts.config.witnessPolicyFile === null) {
        const text = 'no witness: nobody else can prove that the log was not rewritten';
        return isProduction(facts) ? warn(text, 'set AVOUCH_WITNESS_POLICY_FILE') : notChecked('none is configured');
      }
      const states = typeof facts.store === 'object' ? (facts.store?.witnesses ?? []) : [];
      const failing = states.filter(({ outcome }) => outcome !== 'cosigned');
      if (states.length === 0) return notChecked('none was asked yet');
      if (failing.length === 0) return ok(`${states.length} cosigned when last asked`);
      const said = failing.map(({ name, outcome }) => `${name}: ${outcome}`).join(', ');
      return warn(said, 'ask their operators, or change the policy');
    },
  },
  {
    id: 'ledger',
    what: 'ledger of wallets',
    check: ofStore(({ isLedgerHalted }) =>
      isLedgerHalted
        ? fail('an audit halted the ledger', 'run ./avouch ledger audit, see docs/wallet.md')
        : ok('no audit halted it'),
    ),
  },
  {
    id: 'backup',
    what: 'last backup',
    check: ofStore(({ marks }, { nowMs, backup }) => {
      const last = marks.get('backup');
      if (last === undefined) return warn('none was ever made', 'run ./avouch backup every night');
      const hours = Math.floor((nowMs - last.atMs) / HOUR_MS);
      const said = `${last.detail}, ${hours} hours ago`;
      if (daysBetween(last.atMs, nowMs) >= BACKUP_OLD_DAYS) return fail(said, 'run ./avouch backup every night');
      if (hours > BACKUP_LATE_HOURS) return warn(said, 'run ./avouch backup every night');
      if (backup?.fault != null) return fail(`${said}: ${backup.fault}`, 'make another one, and see to its disk');
      if (backup?.isHere !== true) return notChecked(`${said}, is not on this machine, so its files were not seen`);
      return ok(`${said}: ${backup.tables} ${backup.tables === 1 ? 'table' : 'tables'}, every file is there`);
    }),
  },
  {
    id: 'extras',
    what: 'installed extras',
    check: ({ extras }) => {
      const torn = extras.filter(({ state }) => state === 'incomplete');
      if (torn.length === 0) return ok(extras.map(describeExtra).join(' '));
      const cures = torn.map(({ name }) => `./avouch extras install ${name}`);
      return warn(torn.map(describeExtra).join(' '), `run ${cures.join(', ')}`);
    },
  },
];

function listed(files: readonly { readonly what: string; readonly path: string }[]): string {
  return files.map(({ what, path }) => (what === path ? path : `${path} (${what})`)).join(', ');
}
