// A complete production environment, and what is wrong with one that is not.
import assert from 'node:assert/strict';
import { readConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import { type Env, SETTINGS } from './env.ts';

export const PRODUCTION: Env = {
  AVOUCH_PROFILE: 'production',
  BASE_URL: 'https://avouch.example',
  AVOUCH_OPERATOR_NAME: 'Example BV',
  AVOUCH_OPERATOR_CONTACT: 'https://avouch.example/contact',
  AVOUCH_KEY_PASSPHRASE_FILE: '/run/secrets/passphrase',
  AVOUCH_SERVER_SECRET_FILE: '/run/secrets/server-secret',
  AVOUCH_REGISTERS: 'vies,rdw',
  AVOUCH_RPC_URL: 'https://node.example/v1/key',
  AVOUCH_FACILITATOR_URL: 'https://facilitator.example/x402/',
  AVOUCH_WALLET_TOPUP: 'off',
  AVOUCH_PAY_TO: '0x2b5ad5c4795c026514f8317c7a215e218dccd6cf',
  AVOUCH_FX_USD_EUR: '0.92',
  AVOUCH_FX_AS_OF: '2026-11-01',
  AVOUCH_MAIL: 'off',
};

export function faultsOf(env: Env): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults;
  }
}

/** The settings that a fault names, whole words only: AVOUCH_RATE_TASKS does not name AVOUCH_RATE. */
export function namedIn(fault: string): string[] {
  const words = new Set(fault.match(/\w+/g));
  return SETTINGS.map(({ name }) => name).filter((name) => words.has(name));
}
