import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { randomBytes } from '#kernel/ids.ts';
import { inspectConfig } from '#platform/config/config.ts';
import { type Env, SETTINGS } from '#platform/config/env.ts';
import { InputError, type Run, UsageError } from './line/spec.ts';

/** What a value in the settings file must not have: sh and systemd both read it between double quotes. */
const UNQUOTABLE = /["$`\\\p{Cc}]/u;
const SECRET_BYTES = 32;

/** Writes what a first production start needs: a settings file and both secrets. */
export const init: Run = async ({ operands: [folder = ''], values }, output) => {
  const dir = resolve(folder);
  const files = {
    settings: join(dir, 'settings.env'),
    passphrase: join(dir, 'key-passphrase'),
    secret: join(dir, 'server-secret'),
  };
  const env = settingsOf(values, files);
  const { wrong, missing } = checked(env);
  if (wrong.length > 0) throw new UsageError(`${wrong.join('. ')}.`);
  const existing = Object.values(files).filter((file) => existsSync(file));
  if (existing.length > 0) throw new InputError(`${existing.join(', ')} already exists. Nothing was written.`);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const file of [files.passphrase, files.secret])
    write(file, Buffer.from(randomBytes(SECRET_BYTES)).toString('hex'));
  write(files.settings, settingsText(env, missing));
  const run = (command: string) => `sh -c 'set -a; . ${files.settings}; ./avouch ${command}'`;
  const next = [run('doctor'), run('serve')];
  const unset = missing.length === 0 ? '' : `Fill in the ${missing.length} settings without a value first.\n`;
  output.result(
    { ...files, missing, next },
    `Wrote ${Object.values(files).join(', ')}.\n${unset}Next:\n${next.map((line) => `  ${line}\n`).join('')}`,
  );
  return 0;
};

function settingsOf(
  values: Readonly<Record<string, string | undefined>>,
  { passphrase, secret }: { readonly passphrase: string; readonly secret: string },
): Record<string, string> {
  const baseUrl = values['base-url'] ?? '';
  return {
    AVOUCH_PROFILE: 'production',
    AVOUCH_SERVICES: values['services'] ?? 'free',
    BASE_URL: baseUrl,
    DATA_DIR: resolve(values['data-dir'] ?? '/var/lib/avouch'),
    // Without one all callers would share the proxy's limits.
    AVOUCH_TRUSTED_PROXIES: values['trusted-proxies'] ?? '127.0.0.1',
    AVOUCH_OPERATOR_NAME: values['name'] ?? URL.parse(baseUrl)?.hostname ?? '',
    AVOUCH_OPERATOR_CONTACT: values['contact'] ?? '',
    AVOUCH_KEY_PASSPHRASE_FILE: passphrase,
    AVOUCH_SERVER_SECRET_FILE: secret,
  };
}

/** What is wrong with the values, and which settings the operator still has to give. */
function checked(env: Env): { readonly wrong: readonly string[]; readonly missing: readonly string[] } {
  const quoted = Object.entries(env).flatMap(([name, value = '']) =>
    UNQUOTABLE.test(value) ? [`${name} must not contain quotes, $, backslashes or control characters`] : [],
  );
  const { faults } = inspectConfig(env);
  const lacking = faults.filter((fault) => / required in production/.test(fault));
  const named = new Set(lacking.join(' ').match(/\w+/g));
  const missing = SETTINGS.map(({ name }) => name).filter((name) => named.has(name));
  return { wrong: [...quoted, ...faults.filter((fault) => !lacking.includes(fault))], missing };
}

function settingsText(env: Env, missing: readonly string[]): string {
  const given = Object.entries(env).map(([name, value]) => `${name}="${value}"`);
  return [...given, ...missing.map((name) => `${name}=`)].join('\n');
}

function write(file: string, text: string): void {
  writeFileSync(file, `${text}\n`, { mode: 0o600, flag: 'wx' });
}
