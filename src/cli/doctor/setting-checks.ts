import { isoTime } from '#kernel/clock.ts';
import { asSentence } from '#kernel/sentence.ts';
import { isIP } from 'node:net';
import { SETTINGS } from '#platform/config/env.ts';
import { isLoopbackHost } from '#platform/config/loopback.ts';
import { MAIL_SETTINGS, PAYMENT_SETTINGS } from './ask-others.ts';
import { type DoctorCheck, fail, isProduction, notChecked, ofAsked, ofStore, ok, warn } from './check.ts';
import { daysBetween } from './time-span.ts';

const STRIPE = 'https://api.stripe.com';
const MAX_CALLS_PER_SECOND = 1_000;
const MAX_RATE_AGE_DAYS = 90;

/** What is configured, and whether it makes sense together. */
export const SETTING_CHECKS: readonly DoctorCheck[] = [
  {
    id: 'settings',
    what: 'Names of settings',
    check: ({ env, config }) => {
      if (config.warnings.length > 0) return warn(config.warnings.map(asSentence).join(' '), 'Correct the setting.');
      const set = SETTINGS.filter(({ name }) => Boolean(env[name] ?? env[`${name}_FILE`]));
      return ok(`Settings that are set: ${set.length}. No name is unknown.`);
    },
  },
  {
    id: 'profile',
    what: 'Profile',
    settings: /^AVOUCH_PROFILE$/,
    check: (facts) =>
      isProduction(facts)
        ? ok('The profile is production.')
        : warn('The profile is sandbox.', 'Set AVOUCH_PROFILE=production before others use it.'),
  },
  {
    id: 'base-url',
    what: 'Public address',
    settings: /^BASE_URL$/,
    check: (facts) => {
      const host = URL.parse(facts.config.baseUrl ?? '')?.hostname ?? '';
      const isPrivate =
        isLoopbackHost(host) ||
        isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0 ||
        /\.(invalid|local|internal|test)$/.test(host);
      if (!isProduction(facts) || !isPrivate)
        return ok(
          facts.config.baseUrl === null
            ? 'BASE_URL is not set, so the public address is HOST and PORT.'
            : `The public address is ${facts.config.baseUrl}.`,
        );
      return warn(`${host} is not a public name.`, 'Set BASE_URL to the address that callers use.');
    },
  },
  {
    id: 'own-address',
    what: 'Response at the public address',
    check: ofAsked('ownAddress', 'Correct BASE_URL, DNS or the proxy.'),
  },
  {
    id: 'operator',
    what: 'Operator name and contact',
    settings: /^AVOUCH_OPERATOR_/,
    check: ({ config: { operator } }) => ok(`The operator is ${operator.name}, ${operator.contact}`),
  },
  {
    id: 'listen',
    what: 'Listening address',
    settings: /^(HOST|PORT)$/,
    check: (facts) => {
      const { config, listenFault, isServed } = facts;
      const address = `${config.host}:${config.port}`;
      if (isProduction(facts) && config.port === 0)
        return fail('PORT is 0, so every start uses another port.', 'Set PORT.');
      if (listenFault === 'EADDRINUSE' && isServed) return ok(`The running service uses ${address}.`);
      if (listenFault === null) return ok(`${address} is free.`);
      return fail(`${address} cannot be used (${listenFault}).`, 'Stop the other program or set HOST and PORT.');
    },
  },
  {
    id: 'ops-port',
    what: 'Port for monitoring',
    settings: /^AVOUCH_OPS_PORT$/,
    check: ofAsked('opsPort', 'Correct AVOUCH_OPS_PORT, or stop the other program, and restart the service.'),
  },
  {
    id: 'proxies',
    what: 'Trusted proxies',
    settings: /^AVOUCH_TRUSTED_PROXIES$/,
    check: (facts) => {
      const { host, trustedProxies } = facts.config;
      if (trustedProxies.length > 0) return ok(`X-Forwarded-For is accepted from ${trustedProxies.join(', ')}.`);
      if (!isProduction(facts)) return ok('No proxy is trusted. The connecting address is the caller.');
      if (!isLoopbackHost(host))
        return warn('No proxy is trusted.', 'If a proxy terminates TLS, add its address to AVOUCH_TRUSTED_PROXIES.');
      const cure = 'Add the address of the proxy to AVOUCH_TRUSTED_PROXIES.';
      return fail('Only a local proxy can connect and none is trusted, so all callers share one rate limit.', cure);
    },
  },
  {
    id: 'limits',
    what: 'Rate limits and queues',
    settings: /^AVOUCH_(RATE_|COMMIT_|MAX_CONNECTIONS|IPV6_PREFIX|EVENT_DAYS)/,
    check: ({ config }) => {
      const high = Object.entries(config.rates).filter(
        ([, { calls, perSeconds }]) => calls / perSeconds > MAX_CALLS_PER_SECOND,
      );
      if (high.length === 0) return ok(`No rate limit is above ${MAX_CALLS_PER_SECOND} calls per second and caller.`);
      const names = high.map(([name]) => name).join(', ');
      return warn(
        `These rate limits are above ${MAX_CALLS_PER_SECOND} calls per second and caller: ${names}.`,
        'Lower AVOUCH_RATE_*.',
      );
    },
  },
  {
    id: 'open-files',
    what: 'File descriptors',
    check: ({ config: { maxConnections }, openFiles }) => {
      if (openFiles === null) return notChecked('This system does not report its limit.');
      const found = `The limit is ${openFiles} open files for ${maxConnections} connections.`;
      const cure = 'Raise ulimit -n (LimitNOFILE=) or lower AVOUCH_MAX_CONNECTIONS.';
      return openFiles >= maxConnections + 200 ? ok(found) : warn(found, cure);
    },
  },
  {
    id: 'registers',
    what: 'Register credentials',
    settings: /^AVOUCH_(REGISTERS|VIES|KVK|CIR|RDW|CH|MOT|FSF)(_|$)/,
    services: 'all',
    check: (facts) => {
      const on = Object.entries(facts.config.registers).flatMap(([id, settings]) => (settings === null ? [] : [id]));
      if (!isProduction(facts)) return notChecked('The sandbox simulates the registers.');
      if (on.length === 0) return notChecked('AVOUCH_REGISTERS is off.');
      return ok(`The settings are complete for ${on.join(', ')}. /system/status shows whether they answer.`);
    },
  },
  {
    id: 'payments',
    what: 'Settlement',
    settings: PAYMENT_SETTINGS,
    services: 'all',
    check: ({ config: { settlement } }) => {
      if (settlement === null) return ok('The sandbox settles on its own chain.');
      const node = URL.parse(settlement.rpcUrl.reveal());
      const isClear = node?.protocol === 'http:' && !isLoopbackHost(node.hostname);
      if (isClear)
        return warn('The connection to the node is not encrypted.', 'Use an https address in AVOUCH_RPC_URL.');
      return ok(
        settlement.backend === 'chain'
          ? 'Payments settle through your own settler.'
          : 'Payments settle through a facilitator.',
      );
    },
  },
  {
    id: 'node',
    what: 'Chain node',
    services: 'all',
    check: ofAsked('node', "Correct AVOUCH_RPC_URL, or check the node and the settler's balance."),
  },
  {
    id: 'facilitator',
    what: 'Facilitator',
    services: 'all',
    check: ofAsked('facilitator', 'Correct AVOUCH_FACILITATOR_URL, its credential or the clock, or ask its operator.'),
  },
  {
    id: 'bazaar',
    what: 'Facilitator catalogue',
    services: 'all',
    check: ofStore(({ listings }, { config: { settlement } }) => {
      if (settlement?.backend !== 'facilitator') return notChecked('No facilitator settles the payments.');
      if (listings.length === 0)
        return notChecked('The facilitator has not said that it lists a call. Pay once for each: ./avouch pay.');
      const said = listings.map(
        ({ operationId, status, reason, atMs }) =>
          `${operationId}: ${status}${reason === '' ? '' : ` (${reason})`}, ${isoTime(atMs)}`,
      );
      const found = `${said.join('; ')}.`;
      const isRejected = listings.some(({ status }) => status === 'rejected');
      return isRejected ? warn(found, 'Ask the operator of the facilitator. Payments are not affected.') : ok(found);
    }),
  },
  {
    id: 'signatures',
    what: 'Payment signature library',
    settings: /^AVOUCH_SECP256K1$/,
    services: 'all',
    check: ({ recoverEngines }) => {
      const faults = recoverEngines.flatMap((one) => (one.engine === undefined ? [`${one.name}: ${one.fault}`] : []));
      const runs = recoverEngines.find(({ engine }) => engine !== undefined)?.engine;
      if (runs === undefined)
        return fail(
          ['No library can check payment signatures', ...faults].join('; ').concat('.'),
          'Install the packages again.',
        );
      const found = `${[`${runs.name} (${runs.detail})`, ...faults].join('; ')}.`;
      return runs.name === '@noble/curves'
        ? warn(found, 'Install the packages again. This library is slow.')
        : ok(found);
    },
  },
  {
    id: 'pay-to',
    what: 'Receiving account',
    settings: /^AVOUCH_PAY_TO$/,
    services: 'all',
    check: ({ config: { payTo } }) =>
      ok(payTo === null ? 'The sandbox has its own account.' : `Payments go to ${payTo}.`),
  },
  {
    id: 'cards',
    what: 'Card processor',
    settings: /^AVOUCH_(WALLET_TOPUP|STRIPE)(_|$)/,
    services: 'all',
    check: (facts) => {
      const { topUp } = facts.config;
      if (topUp.by === 'off') return notChecked('AVOUCH_WALLET_TOPUP is off.');
      if (!isProduction(facts) || topUp.by !== 'stripe')
        return ok(topUp.by === 'standin' ? 'The sandbox simulates card payments.' : 'Card payments use Stripe.');
      const isReal = topUp.baseUrl === STRIPE;
      return isReal
        ? ok('Live keys are set. The processor itself was not queried.')
        : fail(`Cards are charged at ${topUp.baseUrl}.`, 'Unset AVOUCH_STRIPE_BASE_URL.');
    },
  },
  {
    id: 'exchange-rate',
    what: 'Exchange rate',
    settings: /^AVOUCH_FX_/,
    services: 'all',
    check: ({ config, nowMs }) => {
      const days = daysBetween(Date.parse(config.capabilities.fx.asOf), nowMs);
      if (days <= MAX_RATE_AGE_DAYS) return ok(`The exchange rate is from ${config.capabilities.fx.asOf}.`);
      return warn(`The exchange rate is ${days} days old.`, 'Set AVOUCH_FX_USD_EUR and AVOUCH_FX_AS_OF.');
    },
  },
  {
    id: 'capabilities',
    what: 'Model providers and prices',
    settings: /^AVOUCH_(CAPABILITY|PRICES)_/,
    services: 'all',
    check: (facts) => {
      const { providers, prices } = facts.config.capabilities;
      if (providers === null && !isProduction(facts)) return ok('The sandbox simulates a model provider.');
      if (providers === null) return ok('No providers are configured. Only modes that need no provider run.');
      const from = prices === null ? 'the prices of this release' : 'a price file';
      return ok(`Providers: ${providers.map(({ name }) => name).join(', ')}, with ${from}. They were not queried.`);
    },
  },
  {
    id: 'mail',
    what: 'Outgoing email',
    settings: MAIL_SETTINGS,
    services: 'all',
    check: ofAsked('mail', 'Correct AVOUCH_SMTP_URL, or check the email server.'),
  },
];
